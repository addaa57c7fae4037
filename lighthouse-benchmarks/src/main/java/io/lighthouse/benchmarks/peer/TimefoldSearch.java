package io.lighthouse.benchmarks.peer;

import ai.timefold.solver.core.api.score.buildin.hardsoftlong.HardSoftLongScore;
import ai.timefold.solver.core.api.score.calculator.IncrementalScoreCalculator;
import ai.timefold.solver.core.api.solver.Solver;
import ai.timefold.solver.core.api.solver.SolverFactory;
import ai.timefold.solver.core.config.constructionheuristic.ConstructionHeuristicPhaseConfig;
import ai.timefold.solver.core.config.constructionheuristic.ConstructionHeuristicType;
import ai.timefold.solver.core.config.localsearch.LocalSearchPhaseConfig;
import ai.timefold.solver.core.config.score.director.ScoreDirectorFactoryConfig;
import ai.timefold.solver.core.config.solver.EnvironmentMode;
import ai.timefold.solver.core.config.solver.SolverConfig;
import ai.timefold.solver.core.config.solver.termination.TerminationConfig;
import io.lighthouse.benchmarks.placer.Answer;
import io.lighthouse.benchmarks.placer.StepPlacer;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Timefold with the model of {@link TimefoldPeer}, asked for few machines: first fit, the largest
 * process first, then its default local search (late acceptance) until the time is over.
 *
 * <p>Hard score the overload. Soft score, in this order: who is nowhere, who is beside a process of
 * a group of its own, the machines in use. A process that had no turn yet when the time was over
 * counts as not placed.
 */
final class TimefoldSearch implements Peer {
  private static final long NOWHERE = 100_000_000;
  private static final long BESIDE = 10_000;

  private final Solver<TimefoldModel.Plan> solver;
  private final TimefoldModel.Plan problem;

  /** Null until placed. */
  private TimefoldModel.Plan plan;

  TimefoldSearch(BenchmarkProblem given, Duration time) {
    Map<String, Integer> groups = new HashMap<>();
    List<TimefoldModel.Machine> machines = new ArrayList<>();
    given
        .nodes()
        .forEach(
            node ->
                machines.add(
                    new TimefoldModel.Machine(
                        machines.size(), TimefoldPeer.row(node.resources()))));
    double[] mean = new double[machines.get(0).capacity().length];
    machines.forEach(
        machine -> {
          for (int r = 0; r < mean.length; r++) {
            mean[r] += (double) machine.capacity()[r] / machines.size();
          }
        });
    List<TimefoldModel.Process> processes = new ArrayList<>();
    given
        .workloads()
        .forEach(
            workload -> {
              int[] of =
                  workload.aversionGroups().stream()
                      .mapToInt(group -> groups.computeIfAbsent(group, none -> groups.size()))
                      .toArray();
              long[] need = TimefoldPeer.row(workload.requirements());
              processes.add(new TimefoldModel.Process(processes.size(), need, of));
            });
    // Its own order by difficulty is a comparator of the model's class; the list may as well be so.
    processes.sort((a, b) -> Double.compare(size(b, mean), size(a, mean)));
    machines.add(TimefoldModel.Machine.nowhere(machines.size()));
    problem = new TimefoldModel.Plan(machines, processes);
    solver = SolverFactory.<TimefoldModel.Plan>create(config(time)).buildSolver();
  }

  private static double size(TimefoldModel.Process process, double[] mean) {
    double size = 0;
    for (int r = 0; r < mean.length; r++) {
      size += mean[r] == 0 ? 0 : process.need()[r] / mean[r];
    }
    return size;
  }

  private static SolverConfig config(Duration time) {
    return new SolverConfig()
        .withEnvironmentMode(EnvironmentMode.NO_ASSERT)
        .withSolutionClass(TimefoldModel.Plan.class)
        .withEntityClasses(TimefoldModel.Process.class)
        .withTerminationConfig(new TerminationConfig().withSpentLimit(time))
        .withScoreDirectorFactory(
            new ScoreDirectorFactoryConfig()
                .withIncrementalScoreCalculatorClass(FewMachines.class)
                .withInitializingScoreTrend("ONLY_DOWN"))
        .withPhases(
            new ConstructionHeuristicPhaseConfig()
                .withConstructionHeuristicType(ConstructionHeuristicType.FIRST_FIT),
            new LocalSearchPhaseConfig());
  }

  @Override
  public void place() {
    plan = solver.solve(problem);
  }

  @Override
  public Answer answer() {
    int[] nodeOf = new int[plan.processes().size()];
    for (TimefoldModel.Process process : plan.processes()) {
      TimefoldModel.Machine machine = process.getMachine();
      nodeOf[process.index()] =
          machine == null || machine.isNowhere() ? StepPlacer.NONE : machine.index();
    }
    return new Answer(nodeOf);
  }

  @Override
  public void close() {
    // Nothing is left running.
  }

  /** The score, kept up to date from change to change. Public for Timefold. */
  public static final class FewMachines
      implements IncrementalScoreCalculator<TimefoldModel.Plan, HardSoftLongScore> {
    /** What each machine has left, negative where overloaded; [machine][resource]. */
    private long[][] left;

    /** [machine][group], how many of the group are there. */
    private int[][] members;

    private int[] held;
    private long overload;
    private long nowhere;
    private long beside;
    private long used;

    /** For Timefold. */
    public FewMachines() {}

    @Override
    public void resetWorkingSolution(TimefoldModel.Plan plan) {
      int groups = 0;
      for (TimefoldModel.Process process : plan.processes()) {
        for (int group : process.groups()) {
          groups = Math.max(groups, group + 1);
        }
      }
      left = new long[plan.machines().size()][];
      members = new int[left.length][groups];
      held = new int[left.length];
      for (TimefoldModel.Machine machine : plan.machines()) {
        left[machine.index()] = machine.capacity().clone();
      }
      overload = 0;
      nowhere = 0;
      beside = 0;
      used = 0;
      plan.processes().forEach(process -> change(process, 1));
    }

    @Override
    public void beforeVariableChanged(Object entity, String variable) {
      change((TimefoldModel.Process) entity, -1);
    }

    @Override
    public void afterVariableChanged(Object entity, String variable) {
      change((TimefoldModel.Process) entity, 1);
    }

    @Override
    public HardSoftLongScore calculateScore() {
      return HardSoftLongScore.of(-overload, -(NOWHERE * nowhere + BESIDE * beside + used));
    }

    private void change(TimefoldModel.Process process, int sign) {
      TimefoldModel.Machine machine = process.getMachine();
      if (machine == null) {
        return;
      }
      if (machine.isNowhere()) {
        nowhere += sign;
        return;
      }
      int at = machine.index();
      long[] row = left[at];
      for (int r = 0; r < row.length; r++) {
        overload += Math.min(0, row[r]);
        row[r] -= sign * process.need()[r];
        overload -= Math.min(0, row[r]);
      }
      for (int group : process.groups()) {
        beside -= Math.max(0, members[at][group] - 1);
        members[at][group] += sign;
        beside += Math.max(0, members[at][group] - 1);
      }
      used -= held[at] > 0 ? 1 : 0;
      held[at] += sign;
      used += held[at] > 0 ? 1 : 0;
    }

    @Override
    public void beforeEntityAdded(Object entity) {
      throw new UnsupportedOperationException("no process comes later");
    }

    @Override
    public void afterEntityAdded(Object entity) {
      throw new UnsupportedOperationException("no process comes later");
    }

    @Override
    public void beforeEntityRemoved(Object entity) {
      throw new UnsupportedOperationException("no process goes");
    }

    @Override
    public void afterEntityRemoved(Object entity) {
      throw new UnsupportedOperationException("no process goes");
    }
  }
}
