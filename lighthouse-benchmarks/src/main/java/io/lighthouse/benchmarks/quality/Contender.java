package io.lighthouse.benchmarks.quality;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.benchmarks.peer.Peer;
import io.lighthouse.benchmarks.placer.Answer;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The placers of an instance: our strategies, and other engines that search. */
public enum Contender {
  /** First fit. */
  PRIORITIZED("prioritized", false),
  /** Next fit, wrapping round. */
  ROUND_ROBIN("round-robin", false),
  /** Best fit by the rubric, the largest first. */
  BIN_PACK("bin-pack", false),
  /** The largest first, on the node whose fullest resource stays emptiest. */
  SPREAD("spread", false),
  /** As given, on the node whose resources are then in use most evenly. */
  BALANCE("balance", false),
  /** First fit, and a plan that makes room for what it refuses. */
  FIRST_FIT_AND_PLAN("prioritized, then plan place", false),
  /** Next fit, and a plan that makes room for what it refuses. */
  NEXT_FIT_AND_PLAN("round-robin, then plan place", false),
  /** First fit, and room made for what it would refuse, before the answer. */
  FIRST_FIT_AND_ROOM("pack, start first-fit, place-all", false),
  /** The search with its own settings. */
  PACK_BY_DEFAULT("pack", false),
  /** The search with a number of steps. */
  PACK("pack", true),
  /** Timefold: construction heuristic, then local search. */
  TIMEFOLD("Timefold 1.32.0", true),
  /** BtrPlace: constraint programming. */
  BTRPLACE("BtrPlace 1.9.3", true),
  /** CP-SAT: clause learning, linear relaxation and local search on an integer model. */
  CP_SAT("OR-Tools CP-SAT 9.15", true);

  /** Nodes and workloads that {@code pack} looks at in about a second. */
  public static final long STEPS_A_SECOND = 40_000_000;

  private final String label;
  private final boolean searching;

  Contender(String label, boolean searching) {
    this.label = label;
    this.searching = searching;
  }

  /** Whether it takes a budget; the others end by themselves. */
  public boolean isSearching() {
    return searching;
  }

  /** Whether it can run with a budget; BtrPlace counts whole seconds, CP-SAT reads its model. */
  public boolean takes(double seconds) {
    return this != BTRPLACE && this != CP_SAT || seconds >= 1;
  }

  /** Whether it can run: CP-SAT needs the native code of OR-Tools. */
  public boolean isThere() {
    return this != CP_SAT || Peer.hasCpSat();
  }

  /** Its name in tables. */
  public String label() {
    return label;
  }

  /** Makes ready what is not to be timed; the budget is 0 where there is none. */
  public Run prepare(BenchmarkProblem problem, double seconds) {
    return switch (this) {
      case TIMEFOLD -> of(Peer.timefold(problem, seconds));
      case BTRPLACE -> of(Peer.btrPlace(problem, (int) seconds));
      case CP_SAT -> of(Peer.cpSat(problem, seconds));
      case FIRST_FIT_AND_PLAN -> withPlan(problem, "prioritized");
      case NEXT_FIT_AND_PLAN -> withPlan(problem, "round-robin");
      case FIRST_FIT_AND_ROOM ->
          assigning(problem, "pack", Map.of("start", "first-fit", "goal", "place-all"));
      case PACK -> {
        String steps = Long.toString(Math.round(STEPS_A_SECOND * seconds));
        yield assigning(problem, label, Map.of("steps", steps));
      }
      default -> assigning(problem, label, Map.of());
    };
  }

  /** Places an instance. */
  @FunctionalInterface
  public interface Run {
    /** Returns the node of each workload; this call is timed. */
    Answer place();
  }

  private static Run of(Peer peer) {
    return () -> {
      try (peer) {
        peer.place();
        return peer.answer();
      }
    };
  }

  private static Distributor fleet(
      BenchmarkProblem problem, String strategy, Map<String, String> settings) {
    return Distributors.installed()
        .strategy(strategy)
        .settings(settings)
        .nodes(problem.nodes())
        .rubric(problem.rubric())
        .build();
  }

  private static Run assigning(
      BenchmarkProblem problem, String strategy, Map<String, String> settings) {
    Distributor fleet = fleet(problem, strategy, settings);
    return () -> Answer.of(problem, fleet.assign(problem.workloads())::node);
  }

  private static Run withPlan(BenchmarkProblem problem, String strategy) {
    Distributor fleet = fleet(problem, strategy, Map.of());
    return () -> withPlan(fleet, problem);
  }

  private static Answer withPlan(Distributor fleet, BenchmarkProblem problem) {
    Assignments first = fleet.assign(problem.workloads());
    List<Workload> refused = new ArrayList<>();
    for (int w = 0; w < first.size(); w++) {
      if (first.node(w).isEmpty()) {
        refused.add(problem.workloads().get(w));
      }
    }
    Plan plan = fleet.advisor().plan(new PlanGoal.Place(refused), PlanLimits.NONE);
    fleet.apply(plan.generation(), plan.changes());
    Snapshot after = fleet.snapshot();
    return Answer.of(problem, w -> after.nodeOf(problem.workloads().get(w).name()));
  }
}
