package io.lighthouse.scheduler.memory;

import io.lighthouse.api.Names;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.ClusterNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A node and its life: connected or not, paused, in error, cleaning up, ready. See {@link
 * NodeStatus}.
 *
 * <p>A node that goes offline or is deactivated forgets that it was cleaned up and has the base
 * image; when it connects again it starts anew. Its errors stay. What runs on it under the same
 * agent is not launched a second time; what ends while it is away does not count. Made by {@link
 * InMemoryNodes}. Thread-safe: one lock.
 */
public final class InMemoryNode implements ClusterNode {
  private static final String CLEANUP = "cleanup";
  private static final String HEALTH = "health-check";
  private static final String PULL = "image-pull";

  /** How long after its last health check a node is checked again: after a good one, a bad one. */
  private static final Duration HEALTH_PERIOD = Duration.ofMinutes(5);

  private static final Duration HEALTH_PERIOD_AFTER_ERROR = Duration.ofMinutes(2);
  private static final Duration PAUSE_AFTER_CLEANUP_ERROR = Duration.ofMinutes(2);
  private static final Duration PAUSE_AFTER_PULL_ERROR = Duration.ofMinutes(5);

  /** The most executions that one clean-up cleans up. */
  private static final int CLEANUP_BATCH = 25;

  private final String name;
  private final Maintenance maintenance;
  private String agent = "";
  private boolean online;
  private boolean active = true;
  private boolean paused;
  private boolean schedulerPaused;
  private boolean cleanedUp;
  private boolean imageThere;

  /** Null if never, or not since it went offline. */
  private Instant lastHealthCheck;

  /** Active errors, and when each was last seen; by name. */
  private final Map<String, Instant> errors = new TreeMap<>(Names.order());

  /** Ended executions that were not cleaned up after. */
  private int toCleanUp;

  /** Proposed and not launched, by name. */
  private final Map<String, Task> proposed = new TreeMap<>(Names.order());

  /** Launched and not ended: the id, by name. */
  private final Map<String, String> launched = new TreeMap<>(Names.order());

  /** How many executions the launched clean-up cleans up. */
  private int cleaningUp;

  private final TaskIds ids;
  private final InMemoryNodes home;

  /**
   * What a node has done for itself: what is to be recorded to go on with it after a restart of the
   * scheduling process.
   *
   * @param agent the agent under which it was connected last; empty if it never was
   * @param cleanedUp whether its first clean-up is done
   * @param imageThere whether it has pulled the base image
   * @param lastHealthCheck when its health was checked last
   * @param toCleanUp how many ended executions are to be cleaned up after
   */
  public record Upkeep(
      String agent,
      boolean cleanedUp,
      boolean imageThere,
      Optional<Instant> lastHealthCheck,
      int toCleanUp) {}

  InMemoryNode(
      String name,
      Maintenance maintenance,
      TaskIds ids,
      boolean schedulerPaused,
      InMemoryNodes home) {
    this.name = Names.require(name, "node", "name");
    this.maintenance = maintenance;
    this.ids = ids;
    this.schedulerPaused = schedulerPaused;
    this.home = home;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public synchronized String agent() {
    return agent;
  }

  /**
   * The state.
   *
   * @return the first whose condition holds
   */
  public synchronized NodeStatus state() {
    if (!active) {
      return NodeStatus.DEPRECATED;
    }
    if (!online) {
      return NodeStatus.OFFLINE;
    }
    if (paused) {
      return NodeStatus.PAUSED;
    }
    if (schedulerPaused) {
      return NodeStatus.SCHEDULER_STOPPED;
    }
    if (!errors.isEmpty()) {
      return NodeStatus.DEGRADED;
    }
    if (maintenance.cleanup() && !cleanedUp) {
      return NodeStatus.INITIAL_CLEANUP;
    }
    return hasImage() ? NodeStatus.READY : NodeStatus.IMAGE_PULL;
  }

  @Override
  public synchronized boolean isReadyForNewJob() {
    return state() == NodeStatus.READY;
  }

  @Override
  public synchronized boolean isReadyForSystemTask() {
    return state() == NodeStatus.READY;
  }

  @Override
  public synchronized boolean isReadyForNextJobTask() {
    return switch (state()) {
      case READY -> true;
      case PAUSED, SCHEDULER_STOPPED, DEGRADED -> hasImage();
      default -> false;
    };
  }

  @Override
  public synchronized List<Task> nodeTasks(Instant when) {
    proposed.values().removeIf(task -> !task.agent().equals(agent));
    List<Task> tasks = new ArrayList<>();
    NodeStatus state = state();
    if (state == NodeStatus.DEPRECATED || state == NodeStatus.OFFLINE) {
      return tasks;
    }
    propose(CLEANUP, cleanupDue(state, when), tasks);
    propose(HEALTH, healthCheckDue(when), tasks);
    propose(PULL, pullDue(state, when), tasks);
    return tasks;
  }

  /**
   * The node connects, or connects anew.
   *
   * @param session the agent under which it does
   * @throws InvalidInputException if that is empty or ill-formed, or another node is, or was last,
   *     connected under it; then nothing changes
   */
  public synchronized void online(String session) {
    home.claim(this, agent, session);
    if (!session.equals(agent)) {
      startAnew();
      launched.clear();
    }
    agent = session;
    online = true;
    home.restoreAwaited(this, session);
  }

  /**
   * What it has done for itself.
   *
   * @return what {@link #restore} takes
   */
  public synchronized Upkeep upkeep() {
    return new Upkeep(
        agent, cleanedUp, imageThere, Optional.ofNullable(lastHealthCheck), toCleanUp);
  }

  /**
   * Goes on after a restart, from what {@link #upkeep} returned when it was recorded last. If the
   * node then connects under the same agent, it is as ready as it was; under another agent it
   * starts anew. To be called before it connects.
   *
   * @param upkeep what it has done
   * @throws InvalidInputException if the node is connected already, another node has its agent, or
   *     a number is negative
   */
  public synchronized void restore(Upkeep upkeep) {
    if (online) {
      throw new InvalidInputException(
          "node '" + name + "'", "state", "connected as '" + agent + "'", "not connected yet");
    }
    if (upkeep.toCleanUp() < 0) {
      throw new InvalidInputException(
          "node '" + name + "'", "upkeep.toCleanUp", "" + upkeep.toCleanUp(), "0 or more");
    }
    if (!upkeep.agent().isEmpty()) {
      home.claim(this, agent, upkeep.agent());
      agent = upkeep.agent();
      home.restoreAwaited(this, agent);
    }
    cleanedUp = upkeep.cleanedUp();
    imageThere = upkeep.imageThere();
    lastHealthCheck = upkeep.lastHealthCheck().orElse(null);
    toCleanUp = upkeep.toCleanUp();
  }

  /** A task of an earlier start of the process runs. */
  synchronized boolean restore(Task task) {
    launched.put(task.name(), task.id());
    return true;
  }

  /** The connection is lost. */
  public synchronized void offline() {
    online = false;
    startAnew();
  }

  /**
   * Pauses it, or lets it go on.
   *
   * @param pause whether to pause
   */
  public synchronized void pause(boolean pause) {
    paused = pause;
  }

  /**
   * Takes it into service, or out.
   *
   * @param inService whether it is in service
   */
  public synchronized void activate(boolean inService) {
    active = inService;
    if (!inService) {
      startAnew();
    }
  }

  /**
   * Something is wrong with it. An error named {@code daemon} also keeps it from cleaning up and
   * pulling.
   *
   * @param error a name
   * @param when the time
   */
  public synchronized void error(String error, Instant when) {
    errors.put(Names.require(error, "node '" + name + "'", "error"), when);
  }

  /**
   * Something is no longer wrong with it.
   *
   * @param error a name
   */
  public synchronized void clearError(String error) {
    errors.remove(error);
  }

  /**
   * What is wrong with it.
   *
   * @return a copy, in the order of names
   */
  public synchronized Set<String> errors() {
    return Collections.unmodifiableSet(new TreeSet<>(errors.keySet()));
  }

  synchronized void schedulerPaused(boolean pause) {
    schedulerPaused = pause;
  }

  synchronized void executionEnded() {
    toCleanUp++;
  }

  synchronized void launched(Task task) {
    if (proposed.values().removeIf(known -> known.id().equals(task.id()))) {
      launched.put(task.name(), task.id());
      if (task.name().equals(CLEANUP)) {
        cleaningUp = Math.min(toCleanUp, CLEANUP_BATCH);
      }
    }
  }

  synchronized void ended(Task task, TaskListener.End end, Instant when) {
    boolean finished = end == TaskListener.End.FINISHED;
    boolean counts = online && active && (finished || end == TaskListener.End.FAILED);
    if (!launched.remove(task.name(), task.id()) || !counts) {
      return;
    }
    if (finished) {
      errors.remove(task.name());
    } else {
      errors.put(task.name(), when);
    }
    if (task.name().equals(HEALTH)) {
      lastHealthCheck = when;
    } else if (task.name().equals(PULL)) {
      imageThere |= finished;
    } else if (finished) {
      cleanedUp = true;
      toCleanUp -= cleaningUp;
    }
  }

  private void startAnew() {
    cleanedUp = false;
    imageThere = false;
    lastHealthCheck = null;
  }

  private boolean hasImage() {
    return imageThere || !maintenance.imagePull();
  }

  private boolean cleanupDue(NodeStatus state, Instant when) {
    if (!maintenance.cleanup()) {
      return false;
    }
    return switch (state) {
      case INITIAL_CLEANUP -> true;
      case IMAGE_PULL, READY -> toCleanUp > 0;
      case DEGRADED ->
          (toCleanUp > 0 || !cleanedUp)
              && !errors.containsKey("daemon")
              && longSince(errors.get(CLEANUP), when, PAUSE_AFTER_CLEANUP_ERROR);
      default -> false;
    };
  }

  private boolean healthCheckDue(Instant when) {
    return maintenance.healthChecks()
        && longSince(
            lastHealthCheck,
            when,
            errors.containsKey(HEALTH) ? HEALTH_PERIOD_AFTER_ERROR : HEALTH_PERIOD);
  }

  private boolean pullDue(NodeStatus state, Instant when) {
    if (hasImage()) {
      return false;
    }
    return switch (state) {
      case IMAGE_PULL -> true;
      case DEGRADED ->
          (cleanedUp || !maintenance.cleanup())
              && !errors.containsKey("daemon")
              && longSince(errors.get(PULL), when, PAUSE_AFTER_PULL_ERROR);
      default -> false;
    };
  }

  private static boolean longSince(Instant last, Instant when, Duration pause) {
    return last == null || Duration.between(last, when).compareTo(pause) > 0;
  }

  private void propose(String what, boolean due, List<Task> tasks) {
    if (!due) {
      proposed.remove(what);
    } else if (!launched.containsKey(what)) {
      tasks.add(
          proposed.computeIfAbsent(
              what,
              same ->
                  Task.node(
                      ids.next("node/" + agent + "/" + same),
                      same,
                      agent,
                      maintenance.taskResources())));
    }
  }
}
