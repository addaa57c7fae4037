package io.lighthouse.api.strategy;

import io.lighthouse.api.Workload;

/**
 * A batch that is being placed at once. Workloads go by their index in the batch as given, nodes by
 * their index in the fleet. Only workloads of the batch can be moved. Whatever is done here is
 * checked and accounted by the ledger, and can be taken back.
 */
public interface Session {
  /**
   * The number of workloads in the batch.
   *
   * @return 0 or more
   */
  int size();

  /**
   * A workload of the batch.
   *
   * @param workload from 0 to {@code size() - 1}
   * @return the workload
   */
  Workload workload(int workload);

  /**
   * Where a workload of the batch is.
   *
   * @param workload from 0 to {@code size() - 1}
   * @return the index of its node, or -1
   */
  int nodeOf(int workload);

  /**
   * Whether a workload would fit a node now: not placed itself, the node open, everything there.
   *
   * @param workload from 0 to {@code size() - 1}, not placed
   * @param node the index of a node
   * @return true if it fits
   */
  boolean fits(int workload, int node);

  /**
   * Whether a node holds another workload that shares an aversion group with this one.
   *
   * @param workload from 0 to {@code size() - 1}
   * @param node the index of a node
   * @return true if the node is averse to it
   */
  boolean averse(int workload, int node);

  /**
   * The nodes that a workload fits now: only friendly ones while there are any. Good until the next
   * change. Unlike the candidates that a placer is handed, they may be none; then every question
   * but iteration and {@link Candidates#decline} answers {@link Candidates#decline}.
   *
   * @param workload from 0 to {@code size() - 1}, not placed
   * @return the candidates
   */
  Candidates candidates(int workload);

  /**
   * Places a workload on a node that it fits.
   *
   * @param workload from 0 to {@code size() - 1}, not placed
   * @param node the index of a node
   * @throws IllegalStateException if it does not fit, or is placed already
   */
  void assign(int workload, int node);

  /**
   * Takes a workload of the batch from its node.
   *
   * @param workload from 0 to {@code size() - 1}, placed
   * @throws IllegalStateException if it is not placed
   */
  void release(int workload);

  /**
   * Marks the present state.
   *
   * @return a mark for {@link #back}
   */
  int mark();

  /**
   * Takes back everything since a mark. The mark stays good; later ones are gone.
   *
   * @param mark what {@link #mark} returned
   * @throws IllegalStateException if the mark is gone
   */
  void back(int mark);
}
