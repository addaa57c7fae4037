package io.lighthouse.core.index;

import io.lighthouse.api.Reason;

/** Receives which nodes fall short of requirements, for all nodes at once. */
public interface ShortNodes {
  /** The limit of slots. */
  int nodes();

  /** By node: how many conditions are broken; the receiver's own array. */
  int[] broken();

  /** Counts a node for which rough amounts do not decide. */
  void countExactly(int node);

  /** Adds to the number of nodes that lack a resource in one way. */
  void add(Reason.Kind kind, int id, int nodes);
}
