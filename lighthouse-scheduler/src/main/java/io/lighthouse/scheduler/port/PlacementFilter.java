package io.lighthouse.scheduler.port;

import io.lighthouse.scheduler.model.PendingExecution;

/**
 * Which nodes an execution may be placed on, beside what it needs: an architecture, a zone, a
 * licence. Asked where a node is chosen and where one is kept free; never for what runs already.
 *
 * <p>Promised: the same answer to the same question throughout a pass. Asked for some of the nodes
 * that an execution would fit, in no stated order, so it should cost little.
 */
@FunctionalInterface
public interface PlacementFilter {
  /** Every execution on every node. */
  PlacementFilter ALL = (execution, node) -> true;

  /**
   * Whether an execution may be placed on a node.
   *
   * @param execution the execution
   * @param node the node, as the directory named it
   * @return true if it may
   */
  boolean allows(PendingExecution execution, ClusterNode node);
}
