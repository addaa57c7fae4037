package io.lighthouse.scheduler;

import io.lighthouse.scheduler.model.PendingExecution;
import java.util.List;
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

  /** A pass begins, with these nodes, in the order of their names. */
  default void begin(List<SchedulingNode> nodes) {}

  /** What was chosen last was accepted. */
  default void placed(SchedulingNode node) {}

  /** Nothing of what was placed in this pass holds. */
  default void rollBack() {}
}
