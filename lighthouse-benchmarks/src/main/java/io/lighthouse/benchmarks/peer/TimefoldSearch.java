package io.lighthouse.benchmarks.peer;

import ai.timefold.solver.core.api.score.buildin.hardsoftlong.HardSoftLongScore;
import ai.timefold.solver.core.config.localsearch.LocalSearchPhaseConfig;
import ai.timefold.solver.core.config.solver.termination.TerminationConfig;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.time.Duration;
import java.util.List;

/**
 * Timefold with the model of {@link TimefoldPeer}, minimizing the machines in use: first fit, the
 * largest process first, then its default local search (late acceptance) until the time is over.
 *
 * <p>The hard score is the overload. The soft score counts, in this order: processes that are not
 * placed, processes that share a machine with a process of one of their groups, and machines in
 * use. A process that was not reached when the time was over counts as not placed.
 */
final class TimefoldSearch extends TimefoldPeer {
  private static final long NOWHERE = 100_000_000;
  private static final long BESIDE = 10_000;

  TimefoldSearch(BenchmarkProblem given, Duration time) {
    super(
        given,
        largestFirst(given),
        config(FewMachines.class)
            .withPhases(firstFit(), new LocalSearchPhaseConfig())
            .withTerminationConfig(new TerminationConfig().withSpentLimit(time)));
  }

  /**
   * Timefold's own order by difficulty is a comparator of the model's class; sorting the list has
   * the same effect.
   */
  static List<TimefoldModel.Process> largestFirst(BenchmarkProblem given) {
    List<TimefoldModel.Machine> machines = TimefoldModel.machines(given);
    double[] mean = new double[machines.get(0).capacity().length];
    for (TimefoldModel.Machine machine : machines) {
      for (int r = 0; r < mean.length; r++) {
        mean[r] += (double) machine.capacity()[r] / machines.size();
      }
    }
    List<TimefoldModel.Process> processes = TimefoldModel.processes(given);
    processes.sort((a, b) -> Double.compare(size(b, mean), size(a, mean)));
    return processes;
  }

  private static double size(TimefoldModel.Process process, double[] mean) {
    double size = 0;
    for (int r = 0; r < mean.length; r++) {
      size += mean[r] == 0 ? 0 : process.need()[r] / mean[r];
    }
    return size;
  }

  /** The score, kept up to date from change to change. Public for Timefold. */
  public static final class FewMachines extends Overload {
    /** [machine][group]: the number of the group's processes on the machine. */
    private int[][] members;

    private int[] held;
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
      members = new int[plan.machines().size()][groups];
      held = new int[members.length];
      beside = 0;
      used = 0;
      super.resetWorkingSolution(plan);
    }

    @Override
    public HardSoftLongScore calculateScore() {
      return HardSoftLongScore.of(-overload, -(NOWHERE * nowhere + BESIDE * beside + used));
    }

    @Override
    void change(TimefoldModel.Process process, int sign) {
      super.change(process, sign);
      TimefoldModel.Machine machine = process.getMachine();
      if (machine == null || machine.isNowhere()) {
        return;
      }
      int at = machine.index();
      for (int group : process.groups()) {
        beside -= Math.max(0, members[at][group] - 1);
        members[at][group] += sign;
        beside += Math.max(0, members[at][group] - 1);
      }
      used -= held[at] > 0 ? 1 : 0;
      held[at] += sign;
      used += held[at] > 0 ? 1 : 0;
    }
  }
}
