package io.lighthouse.core.ledger;

import java.util.Arrays;
import java.util.Map;

/**
 * The bounds that rules of placed workloads set to one group at one level, the least first. Each
 * has the domains where it is set, and how often. There are few different bounds, most often one.
 */
final class LevelBounds {
  /** By index, ascending. */
  private int[] bounds = new int[1];

  /** By index: in which domains the bound is set, and how often. */
  private NodeCounts[] where = new NodeCounts[1];

  private int size;

  LevelBounds() {}

  LevelBounds(LevelBounds other) {
    bounds = other.bounds.clone();
    where = new NodeCounts[bounds.length];
    for (int i = 0; i < other.size; i++) {
      where[i] = new NodeCounts(other.where[i]);
    }
    size = other.size;
  }

  /** The least bound that is set in any domain; {@link HolderBounds#UNBOUNDED} for none. */
  int least() {
    return size == 0 ? HolderBounds.UNBOUNDED : bounds[0];
  }

  /** The least bound that is set in a domain; {@link HolderBounds#UNBOUNDED} for none. */
  int in(int domain) {
    for (int i = 0; i < size; i++) {
      if (where[i].nodes().has(domain)) {
        return bounds[i];
      }
    }
    return HolderBounds.UNBOUNDED;
  }

  /** The same without some bounds, as {@link HolderBounds#inWithout}. */
  int inWithout(int domain, Map<Integer, Integer> without) {
    for (int i = 0; i < size; i++) {
      if (where[i].of(domain) > without.getOrDefault(bounds[i], 0)) {
        return bounds[i];
      }
    }
    return HolderBounds.UNBOUNDED;
  }

  /**
   * Sets a bound in a domain once more (sign 1), or once less (-1).
   *
   * @param domains the number of domains of the level
   */
  void add(int bound, int domain, int domains, int sign) {
    int at = Arrays.binarySearch(bounds, 0, size, bound);
    if (at < 0) {
      at = -at - 1;
      if (size == bounds.length) {
        where = Arrays.copyOf(where, 2 * size);
        bounds = Arrays.copyOf(bounds, 2 * size); // Last: its length is that of both.
      }
      NodeCounts none = new NodeCounts();
      System.arraycopy(bounds, at, bounds, at + 1, size - at);
      System.arraycopy(where, at, where, at + 1, size - at);
      bounds[at] = bound;
      where[at] = none;
      size++;
    }
    where[at].add(domain, domains, sign);
    if (where[at].nodes().size() == 0) {
      size--;
      System.arraycopy(bounds, at + 1, bounds, at, size - at);
      System.arraycopy(where, at + 1, where, at, size - at);
      where[size] = null;
    }
  }
}
