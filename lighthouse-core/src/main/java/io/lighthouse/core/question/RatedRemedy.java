package io.lighthouse.core.question;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.advice.Remedies.Remedy;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.core.budget.StepBudget;
import java.math.BigDecimal;

/**
 * A remedy, and what it is compared by beside its cost.
 *
 * @param share the largest part of a requirement that is lacking before, 0 or more
 */
record RatedRemedy(Remedy remedy, BigDecimal share) {
  /** Whether it costs less than another one, or as much where less is lacking; true for null. */
  boolean isBetterThan(RatedRemedy other) {
    int order = other == null ? -1 : remedy.cost().compareTo(other.remedy.cost());
    return order < 0 || order == 0 && share.compareTo(other.share) < 0;
  }

  /** Whether the workload fits the node when the changes have been carried out. */
  boolean works(Distributor fleet, StepBudget budget) {
    budget.spend(1);
    try {
      return fleet.tryOut(
          remedy.changes(), tried -> tried.fitting(remedy.workload()).contains(remedy.node()));
    } catch (InvalidInputException doesNotGo) {
      return false;
    }
  }

  /** The same, where a cheaper remedy may have been missed. */
  RatedRemedy unproven() {
    return new RatedRemedy(
        new Remedy(
            remedy.kind(),
            remedy.node(),
            remedy.workload(),
            remedy.changes(),
            remedy.cost(),
            false),
        share);
  }
}
