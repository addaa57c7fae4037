package io.lighthouse.scheduler.manager;

import io.lighthouse.scheduler.SchedulingNode;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.ClusterNode;
import java.time.Instant;
import java.util.List;

/** A node's answers at the start of a pass, which hold for the rest of it. */
record NodeSnapshot(
    Pass pass,
    ClusterNode origin,
    String name,
    String agent,
    boolean isReadyForNewJob,
    boolean isReadyForNextJobTask,
    boolean isReadyForSystemTask)
    implements ClusterNode {
  private static final String PORT = "ClusterNode";

  static NodeSnapshot of(ClusterNode node, Pass pass) {
    return new NodeSnapshot(
        pass,
        node,
        Guard.ask(PORT, "name", node::name),
        Guard.ask(PORT, "agent", node::agent),
        Guard.ask(PORT, "isReadyForNewJob", node::isReadyForNewJob),
        Guard.ask(PORT, "isReadyForNextJobTask", node::isReadyForNextJobTask),
        Guard.ask(PORT, "isReadyForSystemTask", node::isReadyForSystemTask));
  }

  /** The node of a ledger of a {@link Pass}, as the directory named it. */
  static ClusterNode originOf(SchedulingNode node) {
    return ((NodeSnapshot) node.node()).origin;
  }

  @Override
  public List<Task> nodeTasks(Instant when) {
    List<Task> tasks = Guard.list(PORT, "nodeTasks", () -> origin.nodeTasks(when));
    tasks.removeIf(task -> pass.wasNamed(task, PORT, "nodeTasks"));
    return tasks;
  }
}
