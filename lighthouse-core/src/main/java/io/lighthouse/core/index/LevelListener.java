package io.lighthouse.core.index;

/** Follows the levels that nodes reach or leave. */
public interface LevelListener {
  /** A node has reached a level of a dimension, or has left it. */
  void flip(int dimension, int level, int node, boolean set);
}
