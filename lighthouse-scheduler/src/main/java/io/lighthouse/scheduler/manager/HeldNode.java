package io.lighthouse.scheduler.manager;

import io.lighthouse.api.Names;
import io.lighthouse.scheduler.SchedulingNode;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.ClusterNode;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/** A node's answers at the start of a pass, which hold for the rest of it. */
record HeldNode(
    ClusterNode origin,
    String name,
    String agent,
    boolean isReadyForNewJob,
    boolean isReadyForNextJobTask,
    boolean isReadyForSystemTask)
    implements ClusterNode {
  private static final String PORT = "ClusterNode";

  static HeldNode of(ClusterNode node) {
    return new HeldNode(
        node,
        wellFormed("name", node::name, false),
        wellFormed("agent", node::agent, true),
        Guard.ask(PORT, "isReadyForNewJob", node::isReadyForNewJob),
        Guard.ask(PORT, "isReadyForNextJobTask", node::isReadyForNextJobTask),
        Guard.ask(PORT, "isReadyForSystemTask", node::isReadyForSystemTask));
  }

  /** A name, which may be empty where that is allowed. */
  private static String wellFormed(String method, Supplier<String> question, boolean mayBeEmpty) {
    String name = Guard.ask(PORT, method, question);
    return mayBeEmpty && name.isEmpty()
        ? name
        : Guard.ask(PORT, method, () -> Names.require(name, "node", method));
  }

  /** The node of a ledger of a {@link Pass}, as the directory named it. */
  static ClusterNode originOf(SchedulingNode node) {
    return ((HeldNode) node.node()).origin;
  }

  @Override
  public List<Task> nodeTasks(Instant when) {
    return Guard.list(PORT, "nodeTasks", () -> origin.nodeTasks(when));
  }
}
