package io.lighthouse.scheduler.manager;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.NotPlaced.Why;
import io.lighthouse.scheduler.SchedulingNode;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.SchedulingReport.Reservation;
import io.lighthouse.scheduler.choice.Chooser;
import io.lighthouse.scheduler.choice.FitIndex;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.ResourceVectors;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Warning;
import io.lighthouse.scheduler.port.PlacementFilter;
import io.lighthouse.scheduler.port.PortException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/**
 * The walk over the head of the queue in one pass. Each entry gets a node, or a reason why not. An
 * entry that fits nowhere may close a node for all entries behind it.
 */
class QueueWalk {
  private static final String PORT = "PendingQueue";

  final Pass pass;
  private final SchedulingPorts ports;
  private final SchedulingPolicy policy;
  private final Chooser chooser;
  private final Avoidance avoidance;

  /** How many more executions of a type may start; types without a limit are missing. */
  final Map<String, Integer> room = new HashMap<>();

  /**
   * Resources that entries of a type ask for and the cluster has not, or not enough of; by type.
   */
  private final Map<String, Warning> unmet = new TreeMap<>(Names.order());

  /** Types of which an entry could be met. */
  private final Set<String> met = new TreeSet<>(Names.order());

  /** Entries that were given a node, not yet committed; in order. */
  final List<Placement> placed = new ArrayList<>();

  /** Cancelled entries. */
  final List<PendingExecution> cancelled = new ArrayList<>();

  /** Whether every entry of the queue was tried, but those of excluded types. */
  private boolean queueIsRead;

  /** What may be placed on which nodes. */
  private FitIndex index;

  /** The most that there is of each resource on any node. */
  private Resources largest;

  /** The ids of the executions that run. */
  private final Set<String> runs = new HashSet<>();

  /** The ids of the entries that the queue has named, waiting or cancelled. */
  private final Set<String> named = new HashSet<>();

  QueueWalk(
      Pass pass,
      SchedulingPorts ports,
      SchedulingPolicy policy,
      Chooser chooser,
      Avoidance avoidance) {
    this.pass = pass;
    this.ports = ports;
    this.policy = policy;
    this.chooser = chooser;
    this.avoidance = avoidance;
  }

  /** Takes the cancelled entries: they need no node, no room and no type. */
  void takeCancelled() {
    List<PendingExecution> entries =
        Guard.list(PORT, "cancelled", () -> ports.queue().cancelled(policy.queueWindow()));
    entries.removeIf(entry -> isNamedTwice(entry, "cancelled"));
    cancelled.addAll(entries);
  }

  private boolean isNamedTwice(PendingExecution entry, String method) {
    boolean twice = !named.add(entry.id());
    if (twice) {
      String fault = "named execution '" + entry.id() + "' twice";
      pass.log.failures.add(new PortException(PORT, method, fault, null));
    }
    return twice;
  }

  void place() {
    List<SchedulingNode> candidates =
        pass.fulfilled.stream().filter(SchedulingNode::isReadyForNewJob).toList();
    if (candidates.isEmpty()) {
      return;
    }
    countRoom();
    Set<String> excluded = Collections.unmodifiableSet(pass.log.queue.excluded.keySet());
    List<PendingExecution> head =
        Guard.list(
            PORT, "head", () -> ports.queue().head(policy.order(), excluded, policy.queueWindow()));
    head.sort(policy.order());
    largest = Guard.ask("CapacityBook", "largestPerResource", ports.book()::largestPerResource);
    Set<Resources> requests = new LinkedHashSet<>();
    head.forEach(entry -> requests.add(entry.request()));
    index = new FitIndex(candidates, pass.kinds.requests(), List.copyOf(requests));
    chooser.begin(pass.nodes.values(), pass.running, index, pass.log.failures);
    pass.running.forEach(execution -> runs.add(execution.id()));
    for (PendingExecution entry : head) {
      tryEntry(entry);
    }
    queueIsRead = head.size() < policy.queueWindow();
  }

  /** What entries of a type lacked; by type. */
  Map<String, Warning> unmet() {
    return unmet;
  }

  /**
   * Whether the last warning of a type is over: no entry of it lacks anything, or it was about an
   * unknown type, and the type is known now. Entries of a type that is left out of the queue, such
   * as a paused one, are not read, and may still lack something.
   */
  boolean isOver(String type, Warning.Kind kind) {
    boolean isKnown = pass.kinds.types().containsKey(type);
    return !unmet.containsKey(type)
        && (met.contains(type)
            || isKnown && kind == Warning.Kind.UNKNOWN_JOB_TYPE
            || queueIsRead && !pass.log.queue.excluded.containsKey(type));
  }

  /** How many more of each limited type may start; paused and full types are left out. */
  void countRoom() {
    for (JobType type : pass.kinds.types().values()) {
      if (type.paused()) {
        pass.log.queue.excluded.put(type.name(), Why.TYPE_PAUSED);
      } else if (type.maxScheduled() > 0) {
        room.put(type.name(), type.maxScheduled());
      }
    }
    if (room.isEmpty()) {
      return;
    }
    for (RunningExecution execution : pass.running) {
      if (holdsRoom(execution)) {
        room.computeIfPresent(execution.jobType(), (type, left) -> left - 1);
      }
    }
    room.forEach(
        (type, left) -> {
          if (left < 1) {
            pass.log.queue.excluded.put(type, Why.TYPE_LIMIT);
          }
        });
  }

  /**
   * An execution that is over and waits for the end of its task still runs. But a node that is gone
   * may never report that end.
   */
  private boolean holdsRoom(RunningExecution execution) {
    if (execution.status() == RunningExecution.Status.RUNNING) {
      return true;
    }
    SchedulingNode node = pass.nodeOf(execution);
    return !(Pass.isAway(node) || Pass.isReplaced(execution, node));
  }

  /** Keeps a node free: nothing behind this entry gets onto it in this pass. */
  void close(int node) {
    index.close(node);
    chooser.close(index.node(node));
  }

  private void tryEntry(PendingExecution entry) {
    if (isNamedTwice(entry, "head")) {
      return;
    }
    if (entry.cancelled()) {
      cancelled.add(entry);
      return;
    }
    if (runs.contains(entry.id())) {
      skip(entry, Why.RUNS, List.of());
      return;
    }
    String type = entry.jobType();
    if (!pass.kinds.types().containsKey(type)) {
      skip(entry, Why.TYPE_UNKNOWN, List.of());
      warn(new Warning(Warning.Kind.UNKNOWN_JOB_TYPE, type, List.of()));
      return;
    }
    if (lacksResources(entry)) {
      return;
    }
    met.add(type);
    List<String> unknown = new ArrayList<>(entry.workspaces());
    unknown.removeIf(pass.kinds.workspaces()::contains);
    if (!unknown.isEmpty()) {
      skip(entry, Why.WORKSPACE_UNKNOWN, unknown);
    } else if (room.getOrDefault(type, 1) < 1) {
      skip(entry, Why.TYPE_LIMIT, List.of());
    } else if (tryToPlace(entry)) {
      room.computeIfPresent(type, (name, left) -> left - 1);
    }
  }

  /** A quick filter: what is more than the most of any node fits on none. */
  private boolean lacksResources(PendingExecution entry) {
    List<String> names = ResourceVectors.shortOf(largest, entry.request());
    if (names.isEmpty()) {
      return false;
    }
    boolean tooLarge = names.stream().anyMatch(largest::has);
    skip(entry, tooLarge ? Why.RESOURCE_TOO_LARGE : Why.RESOURCE_UNKNOWN, names);
    Warning.Kind kind = tooLarge ? Warning.Kind.TOO_LARGE : Warning.Kind.UNKNOWN_RESOURCE;
    warn(new Warning(kind, entry.jobType(), names));
    return true;
  }

  private boolean tryToPlace(PendingExecution entry) {
    IntPredicate allowed = allowed(entry);
    int choice = chooser.choose(index, entry, allowed);
    if (choice == Chooser.DECLINED) {
      skip(entry, Why.DECLINED, List.of());
      return false;
    }
    if (choice == Chooser.INVALID) {
      skip(entry, Why.INVALID, List.of());
      return false;
    }
    if (choice == Chooser.NOWHERE) {
      reserve(entry, allowed);
      return false;
    }
    SchedulingNode node = index.node(choice);
    if (!node.acceptNewJobExe(entry)) {
      chooser.refused(node);
      skip(entry, Why.DEVICE_REFUSED, List.of());
      return false;
    }
    chooser.accepted(node);
    index.changed(choice);
    placed.add(new Placement(entry, node.name(), node.agent()));
    return true;
  }

  /** Which nodes of the index an entry may be placed on; null for all. */
  private IntPredicate allowed(PendingExecution entry) {
    if (ports.filter() == PlacementFilter.ALL && !avoidance.concerns(entry.id())) {
      return null;
    }
    return i -> {
      SchedulingNode node = index.node(i);
      return !avoidance.avoids(entry.id(), node.name())
          && Guard.ask(
              "PlacementFilter",
              "allows",
              () -> ports.filter().allows(entry, NodeSnapshot.originOf(node)));
    };
  }

  private void reserve(PendingExecution entry, IntPredicate allowed) {
    Map<String, Integer> shortOn = index.shortOn(entry.request());
    int reserved = policy.reserve() ? index.bestToReserve(entry, allowed) : -1;
    if (reserved < 0) {
      boolean fits = allowed != null && index.best(entry.request(), null) >= 0;
      pass.log.notPlaced(entry, fits ? Why.NOT_ALLOWED : Why.NO_ROOM, List.of(), shortOn);
      return;
    }
    String node = index.node(reserved).name();
    close(reserved);
    pass.log.queue.reservations.add(new Reservation(node, entry.id(), entry.priority()));
    pass.log.notPlaced(entry, Why.NO_ROOM_RESERVED, List.of(node), shortOn);
  }

  private void warn(Warning warning) {
    // The warning is that of the first entry, but one of too much goes before one of an unknown
    // resource.
    unmet.merge(
        warning.subject(),
        warning,
        (old, more) ->
            old.kind() != Warning.Kind.TOO_LARGE && more.kind() == Warning.Kind.TOO_LARGE
                ? more
                : old);
  }

  private void skip(PendingExecution entry, Why why, List<String> names) {
    pass.log.notPlaced(entry, why, names, Map.of());
  }
}
