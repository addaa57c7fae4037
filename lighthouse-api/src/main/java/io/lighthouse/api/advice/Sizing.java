package io.lighthouse.api.advice;

import io.lighthouse.api.quantity.Quantity;
import java.util.List;

/**
 * Which nodes to add to a fleet so that a batch is placed, with a proven bound of the price.
 *
 * <p>The answer has been tried out: with these nodes after the others, the fleet's strategy places
 * the whole batch except {@code unplaced}. The bound holds for every strategy: no list of offered
 * nodes that costs less can hold the batch. Workloads that fit neither a present nor an offered
 * node are left out of the bound. Immutable and thread-safe.
 *
 * <p>Where no list was found that places the whole batch, the answer is one that leaves few. Unless
 * the budget ends, it is the cheapest one found that leaves as few workloads as any list that was
 * tried. The largest list is among those: of each offer as many nodes as workloads find none now,
 * or its limit.
 *
 * @param counts how many nodes of each offer, in the order of the offers; 0 for none
 * @param price their total price
 * @param bound a lower bound of the price of any list that holds all workloads that can be placed;
 *     at most {@code price} if all are placed
 * @param optimal whether the price is proven to be the lowest; false if that is not known, or not
 *     all workloads are placed
 * @param unplaced the workloads that have no node even with these nodes, in the order of the batch;
 *     empty if all are placed
 * @param steps how many steps of the budget were spent
 */
public record Sizing(
    List<Count> counts,
    Quantity price,
    Quantity bound,
    boolean optimal,
    List<String> unplaced,
    long steps) {
  /** Copies. */
  public Sizing {
    counts = List.copyOf(counts);
    unplaced = List.copyOf(unplaced);
  }

  /**
   * The total number of nodes.
   *
   * @return 0 or more
   */
  public int nodes() {
    return counts.stream().mapToInt(Count::nodes).sum();
  }

  /**
   * The number of nodes of one offer.
   *
   * @param offer its name
   * @param nodes the number of nodes
   */
  public record Count(String offer, int nodes) {}
}
