package io.lighthouse.scheduler;

import io.lighthouse.api.LighthouseException;
import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.SchedulingReport.Outcome;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.model.NodeCapacity;
import io.lighthouse.scheduler.model.Offer;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.ClusterNode;
import io.lighthouse.scheduler.port.OfferClient;
import io.lighthouse.scheduler.port.PortException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** One pass: the snapshots of its beginning, the ledgers, and what goes into its report. */
final class Pass {
  final OfferClient client;
  final String session;
  final Instant when;

  /** The job types, by name. */
  final Map<String, JobType> types = new TreeMap<>(Names.order());

  /** What each of them usually needs. */
  final List<Resources> typeRequests = new ArrayList<>();

  final Set<String> workspaces;

  /** The running executions, the most important first. */
  final List<RunningExecution> running;

  /** The ledgers by the names of the nodes, in the order of these names. */
  final Map<String, SchedulingNode> nodes = new LinkedHashMap<>();

  /** The nodes without a waiting task of their own, in the order of their names. */
  final Set<SchedulingNode> fulfilled = new LinkedHashSet<>();

  /** Entries that were given a node, not yet committed; in order. */
  final List<Placement> placed = new ArrayList<>();

  /** Entries that nobody wants any more. */
  final List<PendingExecution> cancelled = new ArrayList<>();

  /** Waiting tasks: of nodes, of executions, of the system. */
  final List<Task> waiting = new ArrayList<>();

  // What only the report wants.
  Outcome outcome = Outcome.DONE;
  final List<Placement> placements = new ArrayList<>();
  final List<String> cancelledIds = new ArrayList<>();
  final List<NotPlaced> notPlaced = new ArrayList<>();
  final Map<String, NotPlaced.Why> excluded = new TreeMap<>(Names.order());
  final List<SchedulingReport.Reservation> reservations = new ArrayList<>();
  final List<String> lost = new ArrayList<>();
  final List<String> starved = new ArrayList<>();
  final Map<String, Resources> shortages = new TreeMap<>(Names.order());
  final List<SchedulingReport.Launch> launches = new ArrayList<>();
  final List<Task> dropped = new ArrayList<>();
  final List<Offer> declined = new ArrayList<>();
  final List<LighthouseException> failures = new ArrayList<>();

  /** Gathers the snapshots. Nothing has changed if a port throws here, but for filed offers. */
  Pass(SchedulingPorts ports, OfferClient client, String session, Instant when) {
    this.client = client;
    this.session = session;
    this.when = when;
    for (JobType type :
        Guard.ask("Catalogue", "naming job types", () -> ports.catalogue().jobTypes())) {
      types.put(type.name(), type);
    }
    types.values().forEach(type -> typeRequests.add(type.request()));
    workspaces = Guard.ask("Catalogue", "naming workspaces", () -> ports.catalogue().workspaces());
    List<Task> tasks = Guard.ask("TaskRegistry", "naming tasks", () -> ports.tasks().current());
    running =
        new ArrayList<>(
            Guard.ask("RunningExecutions", "naming executions", () -> ports.running().snapshot()));
    running.sort(RunningExecution.MOST_IMPORTANT_FIRST);
    releaseDevices(ports);
    prepareNodes(ports, tasks);
  }

  SchedulingReport report(Map<String, Integer> passesWaited) {
    List<SchedulingReport.Waiting> waits = new ArrayList<>();
    for (Task task : waiting) {
      waits.add(new SchedulingReport.Waiting(task, passesWaited.getOrDefault(task.id(), 1)));
    }
    return new SchedulingReport(
        when,
        outcome,
        placements,
        cancelledIds,
        notPlaced,
        excluded,
        waits,
        reservations,
        lost,
        starved,
        shortages,
        launches,
        dropped,
        declined,
        failures);
  }

  /** Executions that are over need no devices. */
  private void releaseDevices(SchedulingPorts ports) {
    Set<String> gone = ports.devices().holders();
    if (!gone.isEmpty()) {
      running.forEach(execution -> gone.remove(execution.id()));
      ports.devices().releaseAll(gone);
    }
  }

  private void prepareNodes(SchedulingPorts ports, List<Task> tasks) {
    Map<String, List<Task>> tasksOf = new HashMap<>();
    for (Task task : tasks) {
      tasksOf.computeIfAbsent(task.agent(), agent -> new ArrayList<>()).add(task);
    }
    Map<String, List<RunningExecution>> runningOn = new HashMap<>();
    for (RunningExecution execution : running) {
      runningOn.computeIfAbsent(execution.node(), node -> new ArrayList<>()).add(execution);
    }
    Map<String, NodeCapacity> capacities =
        Guard.ask("CapacityBook", "refreshing", () -> ports.book().refresh(tasks, when));
    Map<String, String> nodeOf = new HashMap<>();
    List<ClusterNode> known =
        new ArrayList<>(Guard.ask("NodeDirectory", "naming nodes", () -> ports.nodes().nodes()));
    known.sort(Comparator.comparing(ClusterNode::name, Names.order()));
    for (ClusterNode node : known) {
      String agent = node.agent();
      String other = agent.isEmpty() ? null : nodeOf.put(agent, node.name());
      if (other != null || nodes.containsKey(node.name())) {
        throw new PortException(
            "NodeDirectory",
            other == null
                ? "named node '" + node.name() + "' twice"
                : "named agent '" + agent + "' for '" + other + "' and '" + node.name() + "'",
            null);
      }
      nodes.put(
          node.name(),
          new SchedulingNode(
              agent,
              node,
              tasksOf.getOrDefault(agent, List.of()),
              runningOn.getOrDefault(node.name(), List.of()),
              capacities.getOrDefault(agent, NodeCapacity.NONE),
              ports.devices()));
    }
  }
}
