package io.lighthouse.benchmarks.peer;

import ai.timefold.solver.core.api.domain.entity.PlanningEntity;
import ai.timefold.solver.core.api.domain.lookup.PlanningId;
import ai.timefold.solver.core.api.domain.solution.PlanningEntityCollectionProperty;
import ai.timefold.solver.core.api.domain.solution.PlanningScore;
import ai.timefold.solver.core.api.domain.solution.PlanningSolution;
import ai.timefold.solver.core.api.domain.solution.ProblemFactCollectionProperty;
import ai.timefold.solver.core.api.domain.valuerange.ValueRangeProvider;
import ai.timefold.solver.core.api.domain.variable.PlanningVariable;
import ai.timefold.solver.core.api.score.buildin.hardsoftlong.HardSoftLongScore;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.benchmarks.placer.Answer;
import io.lighthouse.benchmarks.placer.StepPlacer;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Our problem in Timefold's terms. Public for Timefold, which reads the annotations. */
public final class TimefoldModel {
  private static final int DIGITS = 6;

  private TimefoldModel() {}

  /** The machines of a problem, without the virtual one. */
  static List<Machine> machines(BenchmarkProblem problem) {
    List<Machine> machines = new ArrayList<>();
    problem
        .nodes()
        .forEach(node -> machines.add(new Machine(machines.size(), row(node.resources()))));
    return machines;
  }

  /** The workloads of a problem, with numbers for their groups. */
  static List<Process> processes(BenchmarkProblem problem) {
    Map<String, Integer> groups = new HashMap<>();
    List<Process> processes = new ArrayList<>();
    for (Workload workload : problem.workloads()) {
      int[] of =
          workload.aversionGroups().stream()
              .mapToInt(group -> groups.computeIfAbsent(group, none -> groups.size()))
              .toArray();
      processes.add(new Process(processes.size(), row(workload.requirements()), of));
    }
    return processes;
  }

  /** The amounts of all resources, scaled. */
  static long[] row(Resources resources) {
    long[] row = new long[resources.size()];
    for (int i = 0; i < row.length; i++) {
      row[i] = resources.quantity(i).scaledTo(DIGITS);
    }
    return row;
  }

  /** The node of each workload by first fit, in the order given; it knows no groups. */
  static int[] firstFit(List<Machine> machines, List<Process> processes) {
    List<long[]> left = machines.stream().map(machine -> machine.capacity().clone()).toList();
    int[] nodeOf = new int[processes.size()];
    Arrays.fill(nodeOf, StepPlacer.NONE);
    for (Process process : processes) {
      int n = 0;
      while (n < left.size() && !fits(left.get(n), process.need())) {
        n++;
      }
      if (n < left.size()) {
        nodeOf[process.index()] = n;
        for (int r = 0; r < process.need().length; r++) {
          left.get(n)[r] -= process.need()[r];
        }
      }
    }
    return nodeOf;
  }

  /** Whether a node has room for a workload. */
  static boolean fits(long[] left, long[] need) {
    for (int r = 0; r < need.length; r++) {
      if (need[r] > left[r]) {
        return false;
      }
    }
    return true;
  }

  /**
   * A node.
   *
   * @param index its place in the problem
   * @param capacity its amount of each resource, scaled; empty for the virtual machine
   */
  public record Machine(@PlanningId int index, long[] capacity) {
    static Machine nowhere(int index) {
      return new Machine(index, new long[0]);
    }

    boolean isNowhere() {
      return capacity.length == 0;
    }
  }

  /** A workload and its machine. */
  @PlanningEntity
  public static final class Process {
    @PlanningId private int index;
    private long[] need;
    private int[] groups;

    /** Null until its turn. */
    @PlanningVariable private Machine machine;

    /** For Timefold, which clones. */
    public Process() {}

    Process(int index, long[] need, int[] groups) {
      this.index = index;
      this.need = need;
      this.groups = groups;
    }

    int index() {
      return index;
    }

    long[] need() {
      return need;
    }

    int[] groups() {
      return groups;
    }

    public Machine getMachine() {
      return machine;
    }

    public void setMachine(Machine machine) {
      this.machine = machine;
    }
  }

  /** A problem, and its solution. */
  @PlanningSolution
  public static final class Plan {
    @ProblemFactCollectionProperty @ValueRangeProvider private List<Machine> machines;
    @PlanningEntityCollectionProperty private List<Process> processes;
    @PlanningScore private HardSoftLongScore score;

    /** For Timefold, which clones. */
    public Plan() {}

    Plan(List<Machine> machines, List<Process> processes) {
      this.machines = machines;
      this.processes = processes;
    }

    List<Machine> machines() {
      return machines;
    }

    List<Process> processes() {
      return processes;
    }

    /** The node of each process; none where it was not placed, or not reached in time. */
    Answer answer() {
      int[] nodeOf = new int[processes.size()];
      for (Process process : processes) {
        Machine machine = process.getMachine();
        nodeOf[process.index()] =
            machine == null || machine.isNowhere() ? StepPlacer.NONE : machine.index();
      }
      return new Answer(nodeOf);
    }
  }
}
