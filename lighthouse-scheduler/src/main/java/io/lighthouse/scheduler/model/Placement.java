package io.lighthouse.scheduler.model;

/**
 * A decision: this execution starts on that node. Immutable.
 *
 * @param execution what starts
 * @param node the node
 * @param agent the agent under which the node is connected
 */
public record Placement(PendingExecution execution, String node, String agent) {}
