package io.lighthouse.scheduler;

import io.lighthouse.scheduler.model.PendingExecution;
import java.util.function.IntPredicate;

/** Asks for the node of one entry at a time, in the passes of one manager. */
interface Chooser {
  /** It fits on no open node. */
  int NOWHERE = -1;

  /** It fits, but the strategy wants none of the nodes. */
  int DECLINED = -2;

  /** The count of types; it remembers nothing. */
  Chooser FEWEST_TYPES_LEFT =
      new Chooser() {
        @Override
        public int choose(FitIndex index, PendingExecution execution, IntPredicate allowed) {
          return index.best(execution.request(), allowed);
        }
      };

  /**
   * Chooses.
   *
   * @param allowed which nodes of the index are allowed; null for all
   * @return the index of an open node that fits, {@link #NOWHERE} or {@link #DECLINED}
   */
  int choose(FitIndex index, PendingExecution execution, IntPredicate allowed);

  /** The walk over the queue begins, with the nodes that may take new work. */
  default void begin(Pass pass, FitIndex candidates) {}

  /** The node accepted what was chosen last. */
  default void accepted(SchedulingNode node) {}

  /** The node did not accept what was chosen last. */
  default void refused(SchedulingNode node) {}

  /** A node takes no more new work in this pass. */
  default void close(SchedulingNode node) {}

  /** Nothing of what was placed in this pass holds. */
  default void rollBack() {}
}
