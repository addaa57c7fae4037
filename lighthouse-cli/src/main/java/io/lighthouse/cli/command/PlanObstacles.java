package io.lighthouse.cli.command;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.cli.page.Reasons;
import io.lighthouse.picture.FleetText;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Finds what keeps a plan from its goal: each workload that stays where it is, or without a node,
 * with the reason. Reasons are those of the fleet as it is after the plan, with the workloads of
 * the node taken off it.
 */
final class PlanObstacles implements PlanGoal.Cases<List<PlanObstacles.Obstacle>> {
  /** How many of the names for which the goal is not reached are explained. */
  static final int MOST_EXPLAINED = 20;

  /** Reasons of nodes that a workload fits, where it went to another. */
  private static final Set<Reason.Kind> OF_FITTING =
      EnumSet.of(Reason.Kind.AVERSE, Reason.Kind.WORSE, Reason.Kind.LATER);

  private final Distributor fleet;
  private final Plan plan;
  private final PlanLimits limits;
  private final List<String> unmet;

  /**
   * A workload that keeps a plan from its goal.
   *
   * @param workload its name
   * @param node the node that it stays on; empty where it has none
   * @param why the reason, with its numbers
   * @param refusal what the other nodes lack; empty where something else is the reason
   */
  record Obstacle(String workload, Optional<String> node, String why, Optional<Refusal> refusal) {}

  private PlanObstacles(Distributor fleet, Plan plan, PlanLimits limits) {
    this.fleet = fleet;
    this.plan = plan;
    this.limits = limits;
    this.unmet = plan.unmet().subList(0, Math.min(MOST_EXPLAINED, plan.unmet().size()));
  }

  /**
   * The obstacles of a plan; none where it reaches its goal.
   *
   * @param fleet the fleet that the plan was made for; it is left as it is
   */
  static List<Obstacle> of(Distributor fleet, Plan plan, PlanLimits limits) {
    return plan.unmet().isEmpty()
        ? List.of()
        : fleet.tryOut(
            plan.changes(), after -> plan.goal().match(new PlanObstacles(after, plan, limits)));
  }

  @Override
  public List<Obstacle> place(PlanGoal.Place goal) {
    List<Workload> waiting =
        goal.workloads().stream().filter(one -> unmet.contains(one.name())).toList();
    return fleet.tryOut(List.of(), trial -> refused(trial, waiting, Optional.empty()));
  }

  @Override
  public List<Obstacle> drain(PlanGoal.Drain goal) {
    List<Obstacle> all = new ArrayList<>();
    for (String node : unmet) {
      List<Workload> held = fleet.node(node).workloads();
      List<Obstacle> pinned = pinned(node, held);
      if (!pinned.isEmpty()) {
        all.addAll(pinned);
      } else if (held.size() > movesLeft()) {
        String why =
            "its node needs "
                + FleetText.plural(held.size(), "move")
                + ", and "
                + movesLeft()
                + " of at most "
                + limits.mostMoves()
                + " are left";
        held.forEach(one -> all.add(stays(one, node, why)));
      } else {
        all.addAll(elsewhere(node, held, goal.nodes()));
      }
    }
    return all;
  }

  @Override
  public List<Obstacle> evacuate(PlanGoal.Evacuate goal) {
    List<Obstacle> all = new ArrayList<>();
    for (String node : unmet) {
      List<Workload> held = fleet.node(node).workloads();
      all.addAll(pinned(node, held));
      List<Workload> free = held.stream().filter(one -> !isPinned(one)).toList();
      if (movesLeft() == 0) {
        free.forEach(one -> all.add(stays(one, node, noMoveLeft())));
      } else {
        all.addAll(elsewhere(node, free, goal.nodes()));
      }
    }
    return all;
  }

  @Override
  public List<Obstacle> repair(PlanGoal.Repair goal) {
    List<Obstacle> all = new ArrayList<>();
    for (String name : unmet) {
      String node = fleet.snapshot().nodeOf(name).orElseThrow();
      Workload workload =
          fleet.node(node).workloads().stream()
              .filter(one -> one.name().equals(name))
              .findFirst()
              .orElseThrow();
      if (isPinned(workload)) {
        all.addAll(pinned(node, List.of(workload)));
      } else if (movesLeft() == 0) {
        all.add(stays(workload, node, noMoveLeft()));
      } else {
        all.add(stays(workload, node, besideItsLike(workload, node)));
      }
    }
    return all;
  }

  @Override
  public List<Obstacle> consolidate(PlanGoal.Consolidate goal) {
    return List.of();
  }

  @Override
  public List<Obstacle> rebalance(PlanGoal.Rebalance goal) {
    return List.of();
  }

  /** Why no friendly node takes a workload: nodes that it fits are averse, too. */
  private String besideItsLike(Workload workload, String node) {
    Explanation explanation =
        fleet.tryOut(
            List.of(new Change.Release(workload.name())), trial -> trial.explain(workload));
    long averse =
        explanation.nodes().stream()
            .filter(verdict -> verdict.fits() && !verdict.node().equals(node))
            .count();
    Refusal all = explanation.summary();
    List<ReasonCount> against =
        all.counts().stream().filter(count -> !OF_FITTING.contains(count.kind())).toList();
    String others = counted(new Refusal(all.workload(), all.nodes(), against, all.nearest()));
    return "no friendly node takes it: "
        + (averse == 0 ? "" : "averse on " + FleetText.plural(averse, "more node"))
        + (averse == 0 || others.isEmpty() ? "" : "; ")
        + others;
  }

  /** What keeps workloads on a node that could be moved: what all other nodes lack. */
  private List<Obstacle> elsewhere(String node, List<Workload> held, List<String> leaving) {
    List<Change> released =
        held.stream().map(one -> (Change) new Change.Release(one.name())).toList();
    List<Obstacle> refused =
        fleet.tryOut(
            released,
            trial -> {
              leaving.forEach(one -> close(trial, one));
              return refused(trial, held, Optional.of(node));
            });
    if (!refused.isEmpty()) {
      return refused;
    }
    String why = "it fits another node, but the search found no moves within its limits";
    return held.stream().map(one -> stays(one, node, why)).toList();
  }

  /** A node that workloads leave takes none; an empty one is gone, so that no reason names it. */
  private static void close(Distributor trial, String node) {
    if (trial.node(node).workloads().isEmpty()) {
      trial.removeNode(node);
    } else {
      trial.cordon(node);
    }
  }

  private List<Obstacle> refused(
      Distributor trial, List<Workload> workloads, Optional<String> node) {
    trial.snapshot().nodes().stream()
        .filter(one -> limits.avoided().contains(one.name()))
        .forEach(one -> trial.cordon(one.name()));
    Map<String, Workload> byName =
        workloads.stream().collect(Collectors.toMap(Workload::name, Function.identity()));
    return trial.assign(workloads, AssignOption.EXPLAIN).refusals().stream()
        .map(
            refusal ->
                new Obstacle(
                    refusal.workload(),
                    node,
                    why(refusal, byName.get(refusal.workload())),
                    Optional.of(refusal)))
        .toList();
  }

  private static String why(Refusal refusal, Workload workload) {
    String everywhere = Reasons.everywhere(refusal, workload);
    return everywhere.isEmpty() ? counted(refusal) : everywhere;
  }

  /** How many nodes refuse for which reason, and the nearest of those that are open. */
  private static String counted(Refusal refusal) {
    List<String> words = new ArrayList<>(Reasons.counts(refusal));
    refusal.nearest().stream()
        .filter(near -> !near.fits())
        .filter(near -> near.reasons().stream().noneMatch(Reason.Cordoned.class::isInstance))
        .findFirst()
        .ifPresent(near -> words.add("nearest " + near.node() + ": " + Reasons.of(near)));
    return String.join("; ", words);
  }

  private List<Obstacle> pinned(String node, List<Workload> held) {
    return held.stream()
        .filter(this::isPinned)
        .map(one -> stays(one, node, "it may not be moved"))
        .toList();
  }

  private boolean isPinned(Workload workload) {
    return limits.pinned().contains(workload.name());
  }

  private long movesLeft() {
    return limits.mostMoves() - plan.moves();
  }

  private String noMoveLeft() {
    return "none of at most " + limits.mostMoves() + " moves is left";
  }

  private static Obstacle stays(Workload workload, String node, String why) {
    return new Obstacle(workload.name(), Optional.of(node), why, Optional.empty());
  }
}
