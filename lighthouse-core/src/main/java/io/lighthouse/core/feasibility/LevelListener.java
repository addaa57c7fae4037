package io.lighthouse.core.feasibility;

/** Follows the levels that nodes reach or leave. */
interface LevelListener {
  /** A node has reached a level of a dimension, or has left it. */
  void flip(int dimension, int level, int node, boolean set);
}
