package io.lighthouse.tests.referee;

import io.lighthouse.api.Node;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchOrder;
import java.util.List;
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

  /**
   * A batch in the order in which its workloads take their turns.
   *
   * @param batch the workloads as given
   * @param nodes the fleet
   * @return the same in turn; as given where the batch is placed as a whole
   */
  public List<Workload> inTurn(List<Workload> batch, List<Node> nodes) {
    Books books = new Books();
    nodes.forEach(books::open);
    return order.map(turns -> books.inTurn(batch, turns)).orElse(batch);
  }
}
