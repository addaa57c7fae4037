package io.lighthouse.benchmarks.peer;

import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.benchmarks.placer.Answer;
import io.lighthouse.benchmarks.placer.StepPlacer;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.btrplace.model.DefaultModel;
import org.btrplace.model.Model;
import org.btrplace.model.Node;
import org.btrplace.model.VM;
import org.btrplace.model.constraint.Running;
import org.btrplace.model.constraint.SatConstraint;
import org.btrplace.model.constraint.Spread;
import org.btrplace.model.view.ShareableResource;
import org.btrplace.plan.ReconfigurationPlan;
import org.btrplace.scheduler.SchedulerException;
import org.btrplace.scheduler.UnstatableProblemException;
import org.btrplace.scheduler.choco.ChocoScheduler;
import org.btrplace.scheduler.choco.DefaultChocoScheduler;

/**
 * BtrPlace, a constraint solver over Choco: nodes online, machines ready that have to run,
 * resources as views, an aversion group as the constraint Spread.
 *
 * <p>It places all or nothing, and its objective is the time that a reconfiguration takes, not the
 * number of nodes in use. Where nodes are equal, it first solves the problem on as many nodes as
 * plain first fit uses. Each further time it has one fewer than its last answer uses, until its
 * time is over. Where nodes differ, it solves the problem once, on all of them. Its time limit is
 * in whole seconds; the last attempt may exceed the time by up to one second. Where the sum of a
 * resource is beyond the range of its variables, quantities are rounded to coarser units: those of
 * nodes down, requirements up.
 */
final class BtrPlacePeer implements Peer {
  /** Choco's integer variables end at 21,474,836. */
  private static final BigDecimal MOST = BigDecimal.valueOf(20_000_000);

  private final BenchmarkProblem problem;
  private final int seconds;

  /**
   * The size of a unit by resource; more than 1 only where the range of the variables requires it.
   */
  private final Map<String, Long> units = new HashMap<>();

  private int[] found;

  BtrPlacePeer(BenchmarkProblem problem, int seconds) {
    this.problem = problem;
    this.seconds = seconds;
    found = new int[problem.workloads().size()];
    Arrays.fill(found, StepPlacer.NONE);
  }

  @Override
  public void place() {
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    int nodes = problem.hasEqualNodes() ? firstFit() : problem.nodes().size();
    while (nodes > 0 && System.nanoTime() < end && solve(nodes, end)) {
      if (!problem.hasEqualNodes()) {
        return;
      }
      nodes = new Answer(found).nodesUsed() - 1;
    }
  }

  /** How many nodes first fit uses. */
  private int firstFit() {
    List<TimefoldModel.Machine> machines = TimefoldModel.machines(problem);
    return new Answer(TimefoldModel.firstFit(machines, TimefoldModel.processes(problem)))
        .nodesUsed();
  }

  /** Solves the problem on the first {@code nodes} nodes; keeps the answer if there is one. */
  private boolean solve(int nodes, long end) {
    int left = (int) ((end - System.nanoTime()) / 1_000_000_000L);
    Model model = new DefaultModel();
    Map<Integer, Integer> indexOf = new HashMap<>();
    Map<String, ShareableResource> views = new TreeMap<>();
    names().forEach(name -> views.put(name, new ShareableResource(name, 0, 0)));
    for (int n = 0; n < nodes; n++) {
      Node node = model.newNode();
      indexOf.put(node.id(), n);
      model.getMapping().addOnlineNode(node);
      problem
          .nodes()
          .get(n)
          .resources()
          .asMap()
          .forEach(
              (name, has) ->
                  views
                      .get(name)
                      .setCapacity(node, scaled(name, has.toBigDecimal(), RoundingMode.FLOOR)));
    }
    List<VM> machines = new ArrayList<>();
    List<SatConstraint> constraints = new ArrayList<>();
    Map<String, Set<VM>> groups = new TreeMap<>();
    problem
        .workloads()
        .forEach(
            workload -> {
              VM machine = model.newVM();
              machines.add(machine);
              model.getMapping().addReadyVM(machine);
              constraints.add(new Running(machine));
              workload
                  .requirements()
                  .asMap()
                  .forEach(
                      (name, needs) ->
                          views
                              .get(name)
                              .setConsumption(
                                  machine,
                                  scaled(name, needs.toBigDecimal(), RoundingMode.CEILING)));
              workload
                  .aversionGroups()
                  .forEach(
                      group -> groups.computeIfAbsent(group, none -> new HashSet<>()).add(machine));
            });
    views.values().forEach(model::attach);
    groups.values().stream()
        .filter(group -> group.size() > 1)
        .forEach(group -> constraints.add(new Spread(group, false)));
    ChocoScheduler scheduler = new DefaultChocoScheduler();
    scheduler.doOptimize(false);
    scheduler.setTimeLimit(Math.max(1, left));
    return keep(solve(scheduler, model, constraints), machines, indexOf);
  }

  /** Null where there is no answer, or none in time. */
  private static ReconfigurationPlan solve(
      ChocoScheduler scheduler, Model model, List<SatConstraint> constraints) {
    try {
      return scheduler.solve(model, constraints);
    } catch (UnstatableProblemException outOfTime) {
      return null;
    } catch (SchedulerException failed) {
      throw new IllegalStateException("BtrPlace failed: " + failed.getMessage(), failed);
    }
  }

  private boolean keep(ReconfigurationPlan plan, List<VM> machines, Map<Integer, Integer> indexOf) {
    if (plan == null || plan.getResult() == null) {
      return false;
    }
    for (int w = 0; w < machines.size(); w++) {
      Node node = plan.getResult().getMapping().getVMLocation(machines.get(w));
      found[w] = node == null ? StepPlacer.NONE : indexOf.get(node.id());
    }
    return true;
  }

  /** A quantity in units so coarse that the fleet's sum stays within the range of its variables. */
  private int scaled(String name, BigDecimal quantity, RoundingMode rounding) {
    return quantity
        .divide(BigDecimal.valueOf(units.computeIfAbsent(name, this::unit)), 0, rounding)
        .intValueExact();
  }

  private long unit(String name) {
    BigDecimal sum = BigDecimal.ZERO;
    for (var node : problem.nodes()) {
      sum = sum.add(node.resources().get(name).orElse(Quantity.ZERO).toBigDecimal());
    }
    return sum.divide(MOST, 0, RoundingMode.CEILING).max(BigDecimal.ONE).longValueExact();
  }

  private Set<String> names() {
    Set<String> names = new TreeSet<>();
    problem.nodes().forEach(node -> names.addAll(node.resources().names()));
    problem.workloads().forEach(workload -> names.addAll(workload.requirements().names()));
    return names;
  }

  @Override
  public Answer answer() {
    return new Answer(found.clone());
  }
}
