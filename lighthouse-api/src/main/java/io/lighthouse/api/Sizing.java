package io.lighthouse.api;

import java.util.List;

/**
 * Which nodes to add to a fleet so that a batch is placed, and what is proven of the price.
 *
 * <p>It has been tried: with these nodes behind the others, the fleet's strategy places the whole
 * batch, but for {@code unplaced}. The bound holds for every strategy: no list of offered nodes
 * that costs less can hold the batch, those left out that have no node now and fit no offered one.
 * Immutable and thread-safe.
 *
 * @param counts how many of each offer, in the order of the offers; 0 where none
 * @param price what they cost together
 * @param bound what no list costs less than that holds all that can be placed; at most {@code
 *     price} where all is placed
 * @param optimal whether the price is proven to be the lowest; false where that is not known, or
 *     not all is placed
 * @param unplaced the workloads that have no node with them, in the order of the batch; empty where
 *     all is placed
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
   * How many nodes in all.
   *
   * @return 0 or more
   */
  public int nodes() {
    return counts.stream().mapToInt(Count::nodes).sum();
  }

  /**
   * How many of one offer.
   *
   * @param offer its name
   * @param nodes how many
   */
  public record Count(String offer, int nodes) {}
}
