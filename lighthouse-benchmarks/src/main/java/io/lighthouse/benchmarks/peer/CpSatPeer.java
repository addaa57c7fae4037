package io.lighthouse.benchmarks.peer;

import com.google.ortools.Loader;
import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import io.lighthouse.benchmarks.placer.Answer;
import io.lighthouse.benchmarks.placer.StepPlacer;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * CP-SAT of Google's OR-Tools: a variable for each workload on each node where it fits alone.
 *
 * <p>The objective counts, in this order: workloads that are not placed, workloads that share a
 * node with a workload of one of their groups, and nodes in use. The solver begins with the answer
 * of first fit, the largest workload first, as a hint. Where all nodes are equal, it has as many as
 * that answer uses. Of two equal neighbours the second is used only if the first one is, which
 * spares the solver equal answers. It has one thread, as the other placers have, and quantities are
 * divided by their greatest common divisor.
 */
final class CpSatPeer implements Peer {
  private static final long NOWHERE = 100_000_000;
  private static final long BESIDE = 10_000;

  private final CpModel model = new CpModel();
  private final double seconds;
  private final BoolVar[] used;

  /** [workload][node]; null where it does not fit. */
  private final BoolVar[][] on;

  private final int[] found;

  CpSatPeer(BenchmarkProblem problem, double seconds) {
    Loader.loadNativeLibraries();
    this.seconds = seconds;
    List<TimefoldModel.Process> workloads = TimefoldModel.processes(problem);
    int[] hint =
        TimefoldModel.firstFit(
            TimefoldModel.machines(problem), TimefoldSearch.largestFirst(problem));
    List<TimefoldModel.Machine> nodes = nodes(problem, hint);
    used = new BoolVar[nodes.size()];
    Arrays.setAll(used, n -> model.newBoolVar("used " + n));
    on = new BoolVar[workloads.size()][nodes.size()];
    found = new int[workloads.size()];
    Arrays.fill(found, StepPlacer.NONE);
    LinearExprBuilder cost = LinearExpr.newBuilder();
    workloads.forEach(workload -> place(workload, nodes, cost));
    nodes.forEach(node -> room(node, workloads));
    groups(workloads).values().forEach(group -> keepApart(group, cost));
    for (int n = 0; n < used.length; n++) {
      cost.addTerm(used[n], 1);
      if (n > 0 && Arrays.equals(nodes.get(n).capacity(), nodes.get(n - 1).capacity())) {
        model.addImplication(used[n], used[n - 1]);
      }
    }
    model.minimize(cost);
    hint(hint);
  }

  /** All nodes, or as many as first fit uses where they are equal and it places all. */
  private static List<TimefoldModel.Machine> nodes(BenchmarkProblem problem, int[] firstFit) {
    List<TimefoldModel.Machine> nodes = TimefoldModel.machines(problem);
    IntSummaryStatistics taken = Arrays.stream(firstFit).summaryStatistics();
    return problem.hasEqualNodes() && taken.getMin() != StepPlacer.NONE
        ? nodes.subList(0, taken.getMax() + 1)
        : nodes;
  }

  private void hint(int[] nodeOf) {
    boolean[] taken = new boolean[used.length];
    for (int w = 0; w < on.length; w++) {
      for (int n = 0; n < used.length; n++) {
        if (on[w][n] != null) {
          model.addHint(on[w][n], n == nodeOf[w]);
          taken[n] |= n == nodeOf[w];
        }
      }
    }
    for (int n = 0; n < used.length; n++) {
      model.addHint(used[n], taken[n]);
    }
  }

  /** Whether the solver's native code is there and runs on this machine. */
  static boolean isThere() {
    try {
      Loader.loadNativeLibraries();
      return true;
    } catch (UnsatisfiedLinkError | RuntimeException missing) {
      return false;
    }
  }

  private void place(
      TimefoldModel.Process workload, List<TimefoldModel.Machine> nodes, LinearExprBuilder cost) {
    List<Literal> places = new ArrayList<>();
    for (TimefoldModel.Machine node : nodes) {
      if (TimefoldModel.fits(node.capacity(), workload.need())) {
        BoolVar here = model.newBoolVar("");
        on[workload.index()][node.index()] = here;
        places.add(here);
        model.addImplication(here, used[node.index()]);
      }
    }
    BoolVar nowhere = model.newBoolVar("");
    places.add(nowhere);
    model.addExactlyOne(places);
    cost.addTerm(nowhere, NOWHERE);
  }

  /** On each node in use, what is there fits together. */
  private void room(TimefoldModel.Machine node, List<TimefoldModel.Process> workloads) {
    for (int r = 0; r < node.capacity().length; r++) {
      long unit = unit(r, node, workloads);
      LinearExprBuilder load = LinearExpr.newBuilder();
      for (TimefoldModel.Process workload : workloads) {
        BoolVar here = on[workload.index()][node.index()];
        if (here != null) {
          load.addTerm(here, workload.need()[r] / unit);
        }
      }
      load.addTerm(used[node.index()], -(node.capacity()[r] / unit));
      model.addLessOrEqual(load, 0);
    }
  }

  private static long unit(
      int r, TimefoldModel.Machine node, List<TimefoldModel.Process> workloads) {
    BigInteger divisor = BigInteger.valueOf(node.capacity()[r]);
    for (TimefoldModel.Process workload : workloads) {
      divisor = divisor.gcd(BigInteger.valueOf(workload.need()[r]));
    }
    return Math.max(1, divisor.longValueExact());
  }

  private static Map<Integer, List<TimefoldModel.Process>> groups(
      List<TimefoldModel.Process> workloads) {
    Map<Integer, List<TimefoldModel.Process>> groups = new TreeMap<>();
    for (TimefoldModel.Process workload : workloads) {
      for (int group : workload.groups()) {
        groups.computeIfAbsent(group, none -> new ArrayList<>()).add(workload);
      }
    }
    groups.values().removeIf(group -> group.size() == 1);
    return groups;
  }

  /** Each member of a group beyond the first on its node costs. */
  private void keepApart(List<TimefoldModel.Process> group, LinearExprBuilder cost) {
    for (int n = 0; n < used.length; n++) {
      LinearExprBuilder members = LinearExpr.newBuilder();
      for (TimefoldModel.Process workload : group) {
        if (on[workload.index()][n] != null) {
          members.add(on[workload.index()][n]);
        }
      }
      var beside = model.newIntVar(0, group.size(), "");
      members.addTerm(beside, -1);
      model.addLessOrEqual(members, 1);
      cost.addTerm(beside, BESIDE);
    }
  }

  @Override
  public void place() {
    CpSolver solver = new CpSolver();
    solver.getParameters().setMaxTimeInSeconds(seconds).setNumWorkers(1);
    CpSolverStatus status = solver.solve(model);
    if (status != CpSolverStatus.OPTIMAL && status != CpSolverStatus.FEASIBLE) {
      return;
    }
    for (int w = 0; w < on.length; w++) {
      for (int n = 0; n < used.length; n++) {
        if (on[w][n] != null && solver.booleanValue(on[w][n])) {
          found[w] = n;
        }
      }
    }
  }

  @Override
  public Answer answer() {
    return new Answer(found.clone());
  }
}
