package io.lighthouse.benchmarks.peer;

import ai.timefold.solver.core.api.score.buildin.hardsoftlong.HardSoftLongScore;
import ai.timefold.solver.core.api.score.calculator.IncrementalScoreCalculator;
import ai.timefold.solver.core.api.solver.Solver;
import ai.timefold.solver.core.api.solver.SolverFactory;
import ai.timefold.solver.core.config.constructionheuristic.ConstructionHeuristicPhaseConfig;
import ai.timefold.solver.core.config.constructionheuristic.ConstructionHeuristicType;
import ai.timefold.solver.core.config.score.director.ScoreDirectorFactoryConfig;
import ai.timefold.solver.core.config.solver.EnvironmentMode;
import ai.timefold.solver.core.config.solver.SolverConfig;
import io.lighthouse.benchmarks.placer.Answer;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.util.List;

/**
 * Timefold's construction heuristic "first fit", without the local search that would follow it. It
 * is the part that solves the same problem in one pass.
 *
 * <p>The model is overconstrained cloud balancing. The last machine is a "virtual value": it stands
 * for "not placed" and has room for all processes. The hard score is the overload, the soft score
 * the number of processes that are not placed. A nullable variable would try "not placed" first,
 * and first fit would accept that.
 *
 * <p>Tuned as its documentation advises. It uses the incremental score calculator (its fastest
 * kind) over arrays of longs, and no assertions. With the initializing score trend ONLY_DOWN, first
 * fit takes the first machine that does not lower the score, instead of trying all.
 */
class TimefoldPeer implements Peer {
  private final Solver<TimefoldModel.Plan> solver;
  private final TimefoldModel.Plan problem;

  /** Null until placed. */
  private TimefoldModel.Plan plan;

  TimefoldPeer(BenchmarkProblem given) {
    this(given, TimefoldModel.processes(given), config(Overload.class).withPhases(firstFit()));
  }

  TimefoldPeer(BenchmarkProblem given, List<TimefoldModel.Process> processes, SolverConfig config) {
    List<TimefoldModel.Machine> machines = TimefoldModel.machines(given);
    machines.add(TimefoldModel.Machine.nowhere(machines.size()));
    problem = new TimefoldModel.Plan(machines, processes);
    solver = SolverFactory.<TimefoldModel.Plan>create(config).buildSolver();
  }

  /** A solver by a score, without its phases. */
  static SolverConfig config(Class<? extends Overload> score) {
    return new SolverConfig()
        .withEnvironmentMode(EnvironmentMode.NO_ASSERT)
        .withSolutionClass(TimefoldModel.Plan.class)
        .withEntityClasses(TimefoldModel.Process.class)
        .withScoreDirectorFactory(
            new ScoreDirectorFactoryConfig()
                .withIncrementalScoreCalculatorClass(score)
                .withInitializingScoreTrend("ONLY_DOWN"));
  }

  static ConstructionHeuristicPhaseConfig firstFit() {
    return new ConstructionHeuristicPhaseConfig()
        .withConstructionHeuristicType(ConstructionHeuristicType.FIRST_FIT);
  }

  @Override
  public void place() {
    plan = solver.solve(problem);
  }

  @Override
  public Answer answer() {
    return plan.answer();
  }

  /** The score, kept up to date from change to change. Public for Timefold. */
  public static class Overload
      implements IncrementalScoreCalculator<TimefoldModel.Plan, HardSoftLongScore> {
    /** The amount left on each machine, negative where overloaded; [machine][resource]. */
    private long[][] left;

    long overload;
    long nowhere;

    /** For Timefold. */
    public Overload() {}

    @Override
    public void resetWorkingSolution(TimefoldModel.Plan plan) {
      left = new long[plan.machines().size()][];
      for (TimefoldModel.Machine machine : plan.machines()) {
        left[machine.index()] = machine.capacity().clone();
      }
      overload = 0;
      nowhere = 0;
      plan.processes().forEach(this::enter);
    }

    @Override
    public void beforeVariableChanged(Object entity, String variable) {
      leave((TimefoldModel.Process) entity);
    }

    @Override
    public void afterVariableChanged(Object entity, String variable) {
      enter((TimefoldModel.Process) entity);
    }

    @Override
    public HardSoftLongScore calculateScore() {
      return HardSoftLongScore.of(-overload, -nowhere);
    }

    private void enter(TimefoldModel.Process process) {
      change(process, 1);
    }

    private void leave(TimefoldModel.Process process) {
      change(process, -1);
    }

    /** Adds a process to its machine (sign 1) or removes it (sign -1), where it has one. */
    void change(TimefoldModel.Process process, int sign) {
      TimefoldModel.Machine machine = process.getMachine();
      if (machine == null) {
        return;
      }
      if (machine.isNowhere()) {
        nowhere += sign;
        return;
      }
      long[] row = left[machine.index()];
      for (int r = 0; r < row.length; r++) {
        overload += Math.min(0, row[r]);
        row[r] -= sign * process.need()[r];
        overload -= Math.min(0, row[r]);
      }
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
