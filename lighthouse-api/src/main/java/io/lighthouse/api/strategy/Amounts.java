package io.lighthouse.api.strategy;

/**
 * The quantities of a fleet as whole numbers, by the id of their resource: each resource is scaled
 * by a power of ten, so that all its quantities are whole and sums and comparisons are exact.
 *
 * <p>Ids are small and dense, and stay the same, as do scales, during one call of the strategy.
 * Between calls both may change. Nothing here allocates; nothing changes anything.
 */
public interface Amounts {
  /** Stands for a resource that a node does not have, or a workload does not require. */
  long ABSENT = Long.MIN_VALUE + 1;

  /** Stands for plus infinity. */
  long INFINITY = Long.MAX_VALUE;

  /** Stands for minus infinity. */
  long NEGATIVE_INFINITY = Long.MIN_VALUE;

  /**
   * Ids of resources stay below this.
   *
   * @return 0 or more; the length that arrays to be filled need
   */
  int ids();

  /**
   * The name of a resource.
   *
   * @param id from 0 to {@code ids() - 1}
   * @return its name; null where no resource has this id now
   */
  String resource(int id);

  /**
   * The digits after the point of a resource's amounts: an amount of {@code a} is {@code a} times
   * ten to the power of minus this.
   *
   * @param id the id of a resource
   * @return from 0 to 9
   */
  int digits(int id);

  /**
   * What is left on a node.
   *
   * @param node the index of a node
   * @param into filled with the amount by resource id, {@link #ABSENT} where the node does not have
   *     it
   */
  void left(int node, long[] into);

  /**
   * What a node has when it is empty.
   *
   * @param node the index of a node
   * @param into filled as by {@link #left}
   */
  void capacity(int node, long[] into);
}
