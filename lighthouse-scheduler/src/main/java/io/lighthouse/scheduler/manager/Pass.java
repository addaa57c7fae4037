package io.lighthouse.scheduler.manager;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.SchedulingNode;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.model.NodeCapacity;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.ClusterClient;
import io.lighthouse.scheduler.port.ClusterNode;
import io.lighthouse.scheduler.port.PortException;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** One pass: the snapshots of its beginning, the ledgers of its nodes, and what it has to tell. */
final class Pass {
  final ClusterClient client;
  final String session;
  final Instant when;
  final Kinds kinds;

  /** The running executions, the most important first. */
  final List<RunningExecution> running;

  /** The ledgers by the names of the nodes, in the order of these names. */
  final Map<String, SchedulingNode> nodes = new LinkedHashMap<>();

  /** The nodes without a waiting task of their own, in the order of their names. */
  final Set<SchedulingNode> fulfilled = new LinkedHashSet<>();

  /** The executions that were committed in this pass. */
  final List<RunningExecution> committed = new ArrayList<>();

  /** Waiting tasks: of nodes, of executions, of the system. */
  final List<Task> waiting = new ArrayList<>();

  /** The ids of the tasks that nodes and the system have named. */
  private final Set<String> named = new HashSet<>();

  final PassLog log;

  /**
   * What the catalogue knows.
   *
   * @param types the job types, by name
   * @param requests what each of them usually needs
   * @param workspaces the workspaces, by name
   */
  record Kinds(Map<String, JobType> types, List<Resources> requests, Set<String> workspaces) {
    static Kinds of(SchedulingPorts ports) {
      Map<String, JobType> types = new TreeMap<>(Names.order());
      for (JobType type : Guard.list("Catalogue", "jobTypes", ports.catalogue()::jobTypes)) {
        types.put(type.name(), type);
      }
      return new Kinds(
          types,
          types.values().stream().map(JobType::request).toList(),
          Set.copyOf(Guard.list("Catalogue", "workspaces", ports.catalogue()::workspaces)));
    }
  }

  /** Gathers the snapshots. Nothing has changed if a port throws here, but for filed offers. */
  Pass(SchedulingPorts ports, ClusterClient client, String session, Instant when, PassLog log) {
    this.log = log;
    this.client = client;
    this.session = session;
    this.when = when;
    kinds = Kinds.of(ports);
    List<Task> tasks = Guard.list("TaskRegistry", "current", ports.tasks()::current);
    running = Guard.list("RunningExecutions", "snapshot", ports.running()::snapshot);
    running.sort(RunningExecution.MOST_IMPORTANT_FIRST);
    prepareNodes(ports, tasks);
    ports.devices().keepUpWith(running, each -> !isReplaced(each, nodeOf(each)));
    ports.devices().retain(nodes.keySet());
  }

  /** Whether any node may take new work: none may while the scheduler is paused. */
  boolean mayTakeNewWork() {
    return nodes.values().stream().anyMatch(SchedulingNode::isReadyForNewJob);
  }

  /** Whether a node, or null for none, cannot go on with what it runs. */
  static boolean isAway(SchedulingNode node) {
    return node == null || node.agent().isEmpty() || !node.isReadyForNextJobTask();
  }

  /** Whether the node of an execution, or null for none, has connected anew since. */
  static boolean isReplaced(RunningExecution execution, SchedulingNode node) {
    return node != null && !node.agent().isEmpty() && !node.agent().equals(execution.agent());
  }

  /** The node of an execution; null if it is not there. */
  SchedulingNode nodeOf(RunningExecution execution) {
    return nodes.get(execution.node());
  }

  /** Whether a task was named before in this pass, which is reported. */
  boolean wasNamed(Task task, String port, String method) {
    boolean before = !named.add(task.id());
    if (before) {
      String fault = "named task '" + task.id() + "', which was named before";
      log.failures.add(new PortException(port, method, fault, null));
    }
    return before;
  }

  private void prepareNodes(SchedulingPorts ports, List<Task> tasks) {
    Grouped<Task> tasksOf = new Grouped<>(tasks, Task::agent);
    Grouped<RunningExecution> runningOn = new Grouped<>(running, RunningExecution::node);
    Map<String, NodeCapacity> capacities =
        Guard.map("CapacityBook", "refresh", () -> ports.book().refresh(session, tasks, when));
    for (NodeSnapshot node : known(ports)) {
      NodeCapacity capacity = capacities.get(node.agent());
      nodes.put(
          node.name(),
          new SchedulingNode(
              node.agent(),
              node,
              tasksOf.of(node.agent()),
              runningOn.of(node.name()),
              capacity == null ? NodeCapacity.NONE : capacity,
              ports.devices()));
    }
  }

  private List<NodeSnapshot> known(SchedulingPorts ports) {
    List<NodeSnapshot> known = new ArrayList<>();
    for (ClusterNode node :
        Guard.<ClusterNode>list("NodeDirectory", "nodes", ports.nodes()::nodes)) {
      known.add(NodeSnapshot.of(node, this));
    }
    known.sort(Comparator.comparing(NodeSnapshot::name, Names.order()));
    Map<String, String> nodeOf = new HashMap<>();
    String last = null;
    for (NodeSnapshot node : known) {
      if (node.name().equals(last)) {
        throw wrong("named node '" + node.name() + "' twice");
      }
      last = node.name();
      String other = node.agent().isEmpty() ? null : nodeOf.put(node.agent(), node.name());
      if (other != null) {
        throw wrong(
            "named agent '" + node.agent() + "' for '" + other + "' and '" + node.name() + "'");
      }
    }
    return known;
  }

  private static PortException wrong(String fault) {
    return new PortException("NodeDirectory", "nodes", fault, null);
  }

  /**
   * Values by a key of theirs, grouped when first asked for: most passes never ask what runs on
   * which node.
   */
  private static final class Grouped<T> {
    private final List<T> all;
    private final Function<T, String> key;

    /** Null until asked for. */
    private Map<String, List<T>> groups;

    Grouped(List<T> all, Function<T, String> key) {
      this.all = all;
      this.key = key;
    }

    /** Those of a key, in the order of all; looked up when it is read. */
    List<T> of(String wanted) {
      return new AbstractList<>() {
        @Override
        public T get(int index) {
          return group(wanted).get(index);
        }

        @Override
        public int size() {
          return group(wanted).size();
        }
      };
    }

    private List<T> group(String wanted) {
      if (groups == null) {
        groups = new HashMap<>();
        for (T each : all) {
          groups.computeIfAbsent(key.apply(each), name -> new ArrayList<>()).add(each);
        }
      }
      return groups.getOrDefault(wanted, List.of());
    }
  }
}
