package io.lighthouse.scheduler.choice;

import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.scheduler.NodeChoice;
import io.lighthouse.scheduler.SchedulingNode;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.RunningExecution;
import java.util.Collection;
import java.util.List;
import java.util.function.IntPredicate;

/** Chooses the node of one entry at a time, in the passes of one manager. */
public interface Chooser {
  /** It fits on no open node. */
  int NOWHERE = -1;

  /** It fits, but the strategy wants none of the nodes. */
  int DECLINED = -2;

  /** The strategy's distributor does not take it; a failure that was noted says why. */
  int INVALID = -3;

  /**
   * A chooser for one manager.
   *
   * @param choice how it chooses
   * @return a new chooser; that of {@link NodeChoice#fewestTypesLeft} remembers nothing
   */
  static Chooser of(NodeChoice choice) {
    return choice
        .strategy()
        .<Chooser>map(strategy -> new StrategyChooser(strategy, choice.settings(), choice.rubric()))
        .orElse((index, execution, allowed) -> index.best(execution.request(), allowed));
  }

  /**
   * Chooses.
   *
   * @param index the nodes
   * @param execution the entry
   * @param allowed which nodes of the index are allowed; null for all
   * @return the index of an open node that fits, {@link #NOWHERE}, {@link #DECLINED} or {@link
   *     #INVALID}
   */
  int choose(FitIndex index, PendingExecution execution, IntPredicate allowed);

  /**
   * The walk over the queue begins.
   *
   * @param nodes all nodes of the pass, in the order of their names
   * @param running the running executions, the most important first
   * @param candidates the nodes that may take new work
   * @param failures receives what failed for single nodes, which get no new work in this pass, and
   *     for single entries at their turn
   */
  default void begin(
      Collection<SchedulingNode> nodes,
      List<RunningExecution> running,
      FitIndex candidates,
      List<LighthouseException> failures) {}

  /**
   * The node accepted what was chosen last.
   *
   * @param node the node
   */
  default void accepted(SchedulingNode node) {}

  /**
   * The node did not accept what was chosen last.
   *
   * @param node the node
   */
  default void refused(SchedulingNode node) {}

  /**
   * A node takes no more new work in this pass.
   *
   * @param node the node
   */
  default void close(SchedulingNode node) {}

  /** Nothing of what was placed in this pass holds. */
  default void rollBack() {}
}
