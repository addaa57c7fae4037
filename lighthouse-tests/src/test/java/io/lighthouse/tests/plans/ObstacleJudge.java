package io.lighthouse.tests.plans;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.Plan.Obstacle.Cause;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Judges the obstacles of a plan on the fleet after it, by trying every node. */
final class ObstacleJudge {
  private final Distributor after;
  private final Plan plan;
  private final PlanLimits limits;

  ObstacleJudge(Distributor after, Plan plan, PlanLimits limits) {
    this.after = after;
    this.plan = plan;
    this.limits = limits;
  }

  void check() {
    Set<String> inTheWay =
        plan.obstacles().stream()
            .map(obstacle -> isOfNodes() ? obstacle.node().orElse("") : name(obstacle))
            .collect(Collectors.toSet());
    assertThat(inTheWay).as("%s", plan).containsExactlyInAnyOrderElementsOf(plan.unmet());
    plan.obstacles().forEach(this::check);
  }

  private boolean isOfNodes() {
    return plan.goal() instanceof PlanGoal.Drain || plan.goal() instanceof PlanGoal.Evacuate;
  }

  private static String name(Plan.Obstacle obstacle) {
    return obstacle.workload().name();
  }

  private void check(Plan.Obstacle obstacle) {
    String about = obstacle + " of " + plan;
    assertThat(after.snapshot().nodeOf(name(obstacle))).as(about).isEqualTo(obstacle.node());
    assertThat(obstacle.why()).as(about).isNotBlank();
    List<NodeState> fitting = fitting(obstacle);
    boolean friendly =
        fitting.stream().anyMatch(node -> !Recount.averse(node, obstacle.workload()));
    Cause cause = obstacle.cause();
    assertThat(cause == Cause.PINNED)
        .as(about)
        .isEqualTo(limits.pinned().contains(name(obstacle)) && obstacle.node().isPresent());
    assertThat(cause == Cause.GANG && obstacle.workload().terms().gang().isEmpty())
        .as(about)
        .isFalse();
    if (cause == Cause.LIMIT) {
      assertThat(limits.mostMoves() < Integer.MAX_VALUE || !limits.mostMoved().isEmpty())
          .as(about)
          .isTrue();
    } else if (cause == Cause.NO_NODE) {
      assertThat(fitting).as(about).isEmpty();
      assertThat(obstacle.refusal()).as(about).isPresent();
    } else if (cause == Cause.AVERSION) {
      assertThat(friendly).as(about).isFalse();
    } else if (cause == Cause.NOT_FOUND && plan.goal() instanceof PlanGoal.Repair) {
      assertThat(friendly).as(about).isTrue();
    } else if (cause == Cause.NOT_FOUND) {
      assertThat(fitting).as(about).isNotEmpty();
    }
  }

  /** The nodes that the workload may go to and fits by itself. */
  private List<NodeState> fitting(Plan.Obstacle obstacle) {
    List<NodeState> fitting = new ArrayList<>();
    for (NodeState node : after.snapshot().nodes()) {
      if (limits.avoided().contains(node.name())
          || leaving().contains(node.name())
          || obstacle.node().equals(Optional.of(node.name()))) {
        continue;
      }
      Distributor tried = after.copy();
      if (obstacle.node().isPresent()) {
        tried.release(name(obstacle));
      }
      try {
        tried.apply(new Change.Assign(obstacle.workload(), node.name()));
        fitting.add(node);
      } catch (InvalidInputException doesNotFit) {
        // It is no candidate.
      }
    }
    return fitting;
  }

  private List<String> leaving() {
    return plan.goal() instanceof PlanGoal.Drain drain
        ? drain.nodes()
        : plan.goal() instanceof PlanGoal.Evacuate evacuate ? evacuate.nodes() : List.of();
  }
}
