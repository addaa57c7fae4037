package io.lighthouse.server.placement;

import io.lighthouse.api.Assignments;

/** Receives the outcomes of decisions, to count them. Thread-safe. */
public interface Observer {
  /**
   * A problem was placed.
   *
   * @param nodes the size of its fleet
   * @param assignments the answer
   * @param parsing the nanoseconds of processor time it took to read the problem
   * @param placing the nanoseconds of processor time it took to place it
   * @param writing the nanoseconds of processor time it took to write the answer
   */
  void placed(int nodes, Assignments assignments, long parsing, long placing, long writing);

  /** A request waited too long for its turn. */
  void turnedAway();

  /** A decision was over its time. */
  void overTime();

  /**
   * A decision failed through no fault of the caller.
   *
   * @param culprit the broken part
   */
  void failed(Culprit culprit);
}
