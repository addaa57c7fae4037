package io.lighthouse.core.account;

import java.util.Arrays;

/**
 * Which resources a node has, in the order of its accounts. Nodes with the same resource names
 * share one layout.
 */
public final class Layout {
  /** Ids of resources, in the order of their names. */
  final int[] ids;

  /** How many nodes have this layout; kept by {@link ResourceTable}. */
  int users;

  Layout(int[] ids) {
    this.ids = ids;
  }

  /** The number of resources. */
  public int size() {
    return ids.length;
  }

  /** The id of the resource of an account. */
  public int id(int slot) {
    return ids[slot];
  }

  /** The place of a resource's account, or -1. Cost: a search among the few resources of a node. */
  public int slot(int id) {
    return slot(id, 0);
  }

  /**
   * The place of a resource's account, at or after another place, or -1. Accounts and requirements
   * are both in the order of names. So the places of all requirements of a workload are found in
   * one pass.
   */
  public int slot(int id, int from) {
    for (int slot = from; slot < ids.length; slot++) {
      if (ids[slot] == id) {
        return slot;
      }
    }
    return -1;
  }

  @Override
  public boolean equals(Object object) {
    return object instanceof Layout other && Arrays.equals(ids, other.ids);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(ids);
  }
}
