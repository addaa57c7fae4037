package io.lighthouse.benchmarks.placer;

/**
 * A placer to compare with, which can be set to any moment of a run, so that a run of hours is
 * sampled in seconds. Nodes and workloads go by their index in the problem. Not thread-safe.
 */
public interface StepPlacer {
  /** No node. */
  int NONE = -1;

  /**
   * Sets the state to that after the first turns of a run.
   *
   * @param turns the workloads in the order of their turns
   * @param nodeOf the node of each workload, or {@link #NONE}
   * @param upTo how many turns are over
   */
  void restore(int[] turns, int[] nodeOf, int upTo);

  /** Places one workload; returns its node, or {@link #NONE}. */
  int place(int workload);
}
