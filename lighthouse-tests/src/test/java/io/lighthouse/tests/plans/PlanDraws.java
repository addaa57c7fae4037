package io.lighthouse.tests.plans;

import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.tests.generate.Dice;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Goals and limits of plans for a fleet. */
public final class PlanDraws {
  private PlanDraws() {}

  /** A goal of each kind. */
  public static List<PlanGoal> goals(Snapshot fleet, List<Workload> newcomers, Dice dice) {
    List<String> nodes =
        fleet.nodes().stream().map(NodeState::name).filter(node -> dice.chance(3)).toList();
    return List.of(
        new PlanGoal.Drain(nodes),
        new PlanGoal.Evacuate(nodes),
        new PlanGoal.Consolidate(),
        new PlanGoal.Rebalance(),
        new PlanGoal.Repair(),
        new PlanGoal.Place(newcomers));
  }

  /** Any limits, or none. */
  public static PlanLimits limits(Snapshot fleet, Dice dice) {
    Set<String> pinned = new HashSet<>();
    Set<String> avoided = new HashSet<>();
    for (NodeState node : fleet.nodes()) {
      if (dice.chance(6)) {
        avoided.add(node.name());
      }
      node.workloads().stream()
          .filter(workload -> dice.chance(8))
          .forEach(workload -> pinned.add(workload.name()));
    }
    PlanLimits limits = PlanLimits.NONE;
    limits = dice.chance(2) ? limits : limits.withMoves(dice.below(5));
    limits = dice.chance(2) ? limits : limits.withPinned(pinned).withAvoided(avoided);
    limits = dice.chance(2) ? limits : limits.withMostOfAGroup(1 + dice.below(2));
    return dice.chance(4) ? limits.withMoved(Resources.of("cpu", dice.below(6))) : limits;
  }
}
