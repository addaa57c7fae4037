package io.lighthouse.tests.referee;

import io.lighthouse.api.strategy.BatchOrder;
import java.util.Optional;

/**
 * How a strategy goes about a batch, as far as the laws depend on it. Immutable.
 *
 * @param order the order in which workloads take their turns; nothing where the batch is placed as
 *     a whole, and so judged on the final state
 * @param mayDecline whether it may refuse a workload that fits somewhere
 */
public record Conduct(Optional<BatchOrder> order, boolean mayDecline) {
  /** Workload by workload as given, declining nothing. */
  public static final Conduct PLAIN = new Conduct(Optional.of(BatchOrder.asGiven()), false);
}
