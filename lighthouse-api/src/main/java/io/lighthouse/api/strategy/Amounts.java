package io.lighthouse.api.strategy;

/**
 * The quantities of a fleet as whole numbers, by the id of their resource. Each resource is scaled
 * by a power of ten that makes all its quantities whole, so sums and comparisons are exact.
 *
 * <p>Ids are small and dense. Ids and scales are constant during one call of the strategy and may
 * change between calls. No method allocates memory or changes anything.
 */
public interface Amounts {
  /** Stands for a resource that a node does not have, or a workload does not require. */
  long ABSENT = Long.MIN_VALUE + 1;

  /** Stands for plus infinity. */
  long INFINITY = Long.MAX_VALUE;

  /** Stands for minus infinity. */
  long NEGATIVE_INFINITY = Long.MIN_VALUE;

  /**
   * The exclusive upper bound of the ids of resources.
   *
   * @return 0 or more; arrays to be filled need this length
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
   * The digits after the point of a resource's amounts: an amount {@code a} stands for {@code a} /
   * 10^digits.
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
