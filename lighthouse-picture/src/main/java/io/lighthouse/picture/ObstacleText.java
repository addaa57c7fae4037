package io.lighthouse.picture;

import io.lighthouse.api.Reason;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.advice.Plan;
import java.util.ArrayList;
import java.util.List;

/**
 * Texts for the obstacles of plans, with their exact numbers. The command line prints these texts,
 * and the service sends them. Thread-safe.
 */
public final class ObstacleText {
  private ObstacleText() {}

  /**
   * Why a workload keeps a plan from its goal.
   *
   * @param obstacle the obstacle
   * @return such as {@code no node has 9 cpu left; nearest n1 has 3}
   */
  public static String of(Plan.Obstacle obstacle) {
    if (obstacle.refusal().isEmpty()) {
      return obstacle.why();
    }
    Refusal refusal = obstacle.refusal().get();
    if (obstacle.cause() == Plan.Obstacle.Cause.AVERSION) {
      return obstacle.why() + (obstacle.why().contains(": ") ? "; " : ": ") + counted(refusal);
    }
    String everywhere = Reasons.everywhere(refusal, obstacle.workload());
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
}
