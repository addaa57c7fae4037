package io.lighthouse.scheduler.memory;

import io.lighthouse.api.Names;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.NodeDirectory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The nodes of a cluster, and their maintenance. Thread-safe: one lock, and one a node. */
public final class InMemoryNodes implements NodeDirectory, TaskListener {
  private final Maintenance maintenance;
  private final Map<String, InMemoryNode> nodes = new TreeMap<>(Names.order());

  /** The node that is or was connected last under an agent. */
  private final Map<String, InMemoryNode> byAgent = new ConcurrentHashMap<>();

  /** The ids of the tasks of all nodes: a node that is added again uses no id twice. */
  private final TaskIds ids;

  /** Restored tasks of agents under which no node has connected yet, by id. */
  private final Map<String, Task> awaited = new ConcurrentHashMap<>();

  private boolean schedulerPaused;

  /**
   * No node yet, in a process that never restarts.
   *
   * @param maintenance what nodes do for themselves
   */
  public InMemoryNodes(Maintenance maintenance) {
    this(maintenance, "");
  }

  /**
   * No node yet.
   *
   * @param maintenance what nodes do for themselves
   * @param incarnation a part of the id of each node task that no earlier start of the process had,
   *     without {@code '/'}; empty if the process never restarts
   * @throws InvalidInputException if it is ill-formed
   */
  public InMemoryNodes(Maintenance maintenance, String incarnation) {
    this.maintenance = maintenance;
    ids = new TaskIds(incarnation);
  }

  /**
   * Adds a node that is offline.
   *
   * @param name its name
   * @return the node
   * @throws InvalidInputException if there is one of that name, or the name is empty or ill-formed
   */
  public synchronized InMemoryNode add(String name) {
    if (nodes.containsKey(name)) {
      throw new InvalidInputException("node '" + name + "'", "name", "in use", "a new one");
    }
    InMemoryNode node = new InMemoryNode(name, maintenance, ids, schedulerPaused, this);
    nodes.put(name, node);
    return node;
  }

  /**
   * Forgets a node. What runs on it is lost.
   *
   * @param name its name
   * @return false if it was not known
   */
  public synchronized boolean remove(String name) {
    InMemoryNode node = nodes.remove(name);
    if (node != null) {
      byAgent.remove(node.agent(), node);
    }
    return node != null;
  }

  /**
   * The node that is, or was last, connected under an agent.
   *
   * @param agent the agent
   * @return the node; nothing if none is
   */
  public Optional<InMemoryNode> byAgent(String agent) {
    return Optional.ofNullable(byAgent.get(agent));
  }

  /**
   * Checks that a node may connect under an agent.
   *
   * @throws InvalidInputException if the agent is ill-formed, or that of another node
   */
  void requireFree(String agent, String node) {
    Names.require(agent, "node '" + node + "'", "agent");
    requireSame(byAgent.get(agent), agent, node);
  }

  private static void requireSame(InMemoryNode holder, String agent, String node) {
    if (holder != null && !holder.name().equals(node)) {
      throw new InvalidInputException(
          "node '" + node + "'",
          "agent",
          "'" + agent + "', that of node '" + holder.name() + "'",
          "an agent of its own");
    }
  }

  /** A node gives up its agent for another one. */
  void claim(InMemoryNode node, String before, String now) {
    // Another node may have come first.
    requireSame(byAgent.putIfAbsent(now, node), now, node.name());
    if (!before.equals(now)) {
      byAgent.remove(before, node);
    }
  }

  /** Gives a node that has connected its restored tasks. */
  void restoreAwaited(InMemoryNode node, String agent) {
    awaited.values().removeIf(task -> task.agent().equals(agent) && node.restore(task));
  }

  /**
   * A task of an earlier start of the process runs: it is not proposed again. The node may connect
   * before or afterwards.
   *
   * @param task a node task, as it was launched
   * @throws InvalidInputException if it is of another family, or could have been made here
   */
  public void restore(Task task) {
    if (task.family() != Task.Family.NODE) {
      throw new InvalidInputException(
          "task '" + task.id() + "'", "family", task.family().name(), "NODE");
    }
    ids.requireEarlier(task.id());
    awaited.put(task.id(), task);
    byAgent(task.agent())
        .ifPresent(
            node -> {
              node.restore(task);
              awaited.remove(task.id());
            });
  }

  /**
   * A node.
   *
   * @param name its name
   * @return the node; nothing if it is not known
   */
  public synchronized Optional<InMemoryNode> get(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  @Override
  public synchronized List<InMemoryNode> nodes() {
    return new ArrayList<>(nodes.values());
  }

  /**
   * Pauses the whole scheduler, or lets it go on. What runs goes on, also to its next task.
   *
   * @param pause whether to pause
   */
  public synchronized void pauseScheduler(boolean pause) {
    schedulerPaused = pause;
    nodes.values().forEach(node -> node.schedulerPaused(pause));
  }

  @Override
  public void launched(Task task, Instant when) {
    if (task.family() == Task.Family.NODE) {
      byAgent(task.agent()).ifPresent(node -> node.launched(task));
    }
  }

  @Override
  public void ended(Task task, End end, Instant when) {
    if (task.family() == Task.Family.NODE) {
      awaited.remove(task.id());
      byAgent(task.agent()).ifPresent(node -> node.ended(task, end, when));
    }
  }

  /** An execution has ended on a node, which is to be cleaned up after it. */
  void executionEnded(String name) {
    get(name).ifPresent(InMemoryNode::executionEnded);
  }
}
