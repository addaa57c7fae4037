package io.lighthouse.scheduler;

import io.lighthouse.api.LighthouseException;
import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.NotPlaced.Why;
import io.lighthouse.scheduler.SchedulingReport.Outcome;
import io.lighthouse.scheduler.model.Amounts;
import io.lighthouse.scheduler.model.Offer;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.model.Warning;
import io.lighthouse.scheduler.port.OfferClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Organises the cluster's resources, schedules new executions and launches tasks: Scale's
 * documented class of this name. Each call of {@link #performScheduling} is one pass; call it about
 * once a second.
 *
 * <p>Its policy, in short. A node on which anything waits takes nothing else. While a system task
 * waits nothing new is placed anywhere. The most important entry of the queue comes first; what
 * fits nowhere may keep the node free on which it would fit once less important work has ended, for
 * this pass, and nothing is put there meanwhile. Nothing that runs is ever stopped for something
 * else. {@code docs/scheduling.md} tells the rest, and where this differs from Scale.
 *
 * <p>Between passes it remembers how often in a row each task has waited, and what it still owes to
 * a port that failed: offers to decline, and committed executions to register.
 *
 * <p>Cost of a pass: linear in the nodes, tasks and running executions; and for the queue, the
 * number of distinct requests times the nodes, and a scan of the nodes for each entry. Not
 * thread-safe: one thread owns it. Must not be called from inside a pass.
 */
public class SchedulingManager {
  private final SchedulingPorts ports;
  private final SchedulingPolicy policy;
  private final Chooser chooser;

  /** In how many passes in a row a task has waited; by its id. */
  private Map<String, Integer> passesWaited = new HashMap<>();

  /** Offers of this session that we have no use for and that could not be given back yet. */
  private List<Offer> owed = List.of();

  /** Committed executions that the running ones do not know yet. */
  private List<RunningExecution> unregistered = List.of();

  /** Job types about which a warning of unmet resources was raised last. */
  private final Set<String> warned = new HashSet<>();

  private boolean inPass;

  /**
   * A manager with Scale's policy.
   *
   * @param ports what it works on
   */
  public SchedulingManager(SchedulingPorts ports) {
    this(ports, SchedulingPolicy.DEFAULT);
  }

  /**
   * A manager.
   *
   * @param ports what it works on
   * @param policy what it is told
   * @throws io.lighthouse.api.InvalidInputException if the strategy of the policy lacks something
   *     that it needs
   */
  public SchedulingManager(SchedulingPorts ports, SchedulingPolicy policy) {
    this.ports = ports;
    this.policy = policy;
    this.chooser = policy.nodeChoice().newChooser();
  }

  /**
   * One pass.
   *
   * @param client the way to the cluster manager; null if there is none
   * @param when the current time
   * @return the number of tasks that were scheduled, of all families; those of launch calls that
   *     failed count too. Not the number of new executions
   * @throws LighthouseException as {@link #runPass}
   */
  public int performScheduling(OfferClient client, Instant when) {
    return runPass(client, when).launchedTasks();
  }

  /**
   * One pass, and what became of everything.
   *
   * @param client the way to the cluster manager; null if there is none
   * @param when the current time
   * @return the report
   * @throws LighthouseException if a port fails where the pass cannot go on without it: while what
   *     is known is gathered, while running work is looked at, or while offers are allocated.
   *     Nothing was launched then; what was committed is launched by a later pass
   * @throws IllegalStateException if called from inside a pass
   */
  public SchedulingReport runPass(OfferClient client, Instant when) {
    if (inPass) {
      throw new IllegalStateException("a pass of this scheduling manager is under way");
    }
    inPass = true;
    try {
      return pass(client, when);
    } finally {
      inPass = false;
    }
  }

  private SchedulingReport pass(OfferClient client, Instant when) {
    String session = client == null || !client.connected() ? "" : client.session();
    if (session.isEmpty()) {
      return notConnected(when);
    }
    register(unregistered);
    storeClusterTotal(when);
    Pass pass = new Pass(ports, client, session, when);
    placeWaiting(pass);
    if (placeSystemTasks(pass)) {
      placeNew(pass, true);
    } else {
      pass.outcome = Outcome.NEW_WORK_HELD_BACK;
      placeNew(pass, false);
    }
    countWaiting(pass);
    if (!client.session().equals(session)) {
      pass.outcome = Outcome.SESSION_CHANGED;
    } else {
      List<Offer> strays = allocateOffers(pass);
      declineRest(pass, strays);
      launch(pass);
    }
    return pass.report(passesWaited);
  }

  private static SchedulingReport notConnected(Instant when) {
    return new SchedulingReport(
        when,
        Outcome.NOT_CONNECTED,
        List.of(),
        List.of(),
        List.of(),
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  private void storeClusterTotal(Instant when) {
    Resources total = Guard.ask("CapacityBook", "summing up", ports.book()::clusterTotal);
    if (!Amounts.isZero(total)) {
      Guard.tell(
          "SchedulingEvents", "storing totals", () -> ports.events().clusterTotal(total, when));
    }
  }

  private void register(List<RunningExecution> committed) {
    if (!committed.isEmpty()) {
      unregistered = committed;
      Guard.tell("RunningExecutions", "taking in", () -> ports.running().add(committed));
      unregistered = List.of();
    }
  }

  // The steps that tests override, to plant the faults that the judges of a pass must find.

  /** Node tasks, then the next tasks of running executions; says who is lost or starved. */
  void placeWaiting(Pass pass) {
    for (SchedulingNode node : pass.nodes.values()) {
      boolean waits =
          Guard.ask(
              "NodeDirectory",
              "proposing tasks of node '" + node.name() + "'",
              () -> node.acceptNodeTasks(pass.when, pass.waiting));
      if (node.isReadyForNextJobTask() && !waits) {
        pass.fulfilled.add(node);
      }
    }
    List<RunningExecution> lost = new ArrayList<>();
    List<RunningExecution> starved = new ArrayList<>();
    List<RunningExecution> over = new ArrayList<>();
    for (RunningExecution execution : pass.running) {
      SchedulingNode node = pass.nodes.get(execution.node());
      if (execution.isFinished()) {
        over.add(execution);
      } else if (node == null
          || !node.isReadyForNextJobTask()
          || !node.agent().equals(execution.agent())) {
        lost.add(execution);
      } else if (execution.isNextTaskReady()
          && node.acceptJobExeNextTask(execution, pass.waiting)) {
        pass.fulfilled.remove(node);
        if (execution.isStarved(pass.when, policy.starvation())) {
          starved.add(execution);
        }
      }
    }
    if (!over.isEmpty()) {
      Guard.tell("RunningExecutions", "removing", () -> ports.running().finished(over, pass.when));
    }
    fail(starved, "resource-starvation", pass, pass.starved);
    fail(lost, "node-lost", pass, pass.lost);
  }

  private void fail(
      List<RunningExecution> executions, String cause, Pass pass, List<String> report) {
    if (!executions.isEmpty()) {
      Guard.tell(
          "RunningExecutions",
          "failing executions",
          () -> ports.running().fail(executions, cause, pass.when));
      executions.forEach(execution -> report.add(execution.id()));
    }
  }

  /** Places what comes before all new work; says whether nothing of it waits. */
  boolean placeSystemTasks(Pass pass) {
    List<Task> due;
    try {
      due = Guard.ask("SystemTasks", "proposing", () -> ports.systemTasks().due(pass.when));
    } catch (LighthouseException failed) {
      // What is due is not known: then nothing new may be placed.
      pass.failures.add(failed);
      return false;
    }
    List<Task> waiting = new ArrayList<>();
    for (Task task : due) {
      SchedulingNode best = null;
      int lowest = Integer.MAX_VALUE;
      for (SchedulingNode node : pass.fulfilled) {
        if (node.isReadyForSystemTask()) {
          OptionalInt score = node.scoreSystemTaskForScheduling(task, pass.typeRequests);
          if (score.isPresent() && score.getAsInt() < lowest) {
            best = node;
            lowest = score.getAsInt();
          }
        }
      }
      if (best == null || !best.acceptSystemTask(task)) {
        waiting.add(task);
      }
    }
    if (!waiting.isEmpty()) {
      List<String> ids = new ArrayList<>();
      waiting.forEach(task -> ids.add(task.id()));
      raise(new Warning(Warning.Kind.WAITING_SYSTEM_TASKS, "", ids), pass);
    }
    pass.waiting.addAll(waiting);
    return waiting.isEmpty();
  }

  /** Takes what was cancelled and, where that is allowed, places what waits; then commits both. */
  void placeNew(Pass pass, boolean allowed) {
    QueueWalk walk = newWalk(pass);
    try {
      Guard.tell("PendingQueue", "reading", walk::takeCancelled);
      if (allowed) {
        Guard.tell("PendingQueue", "reading", walk::place);
      }
      commit(pass);
    } catch (LighthouseException failed) {
      pass.failures.add(failed);
      pass.outcome = Outcome.NEW_WORK_ROLLED_BACK;
      rollBack(pass);
    }
    warn(walk, pass);
  }

  QueueWalk newWalk(Pass pass) {
    return new QueueWalk(pass, ports, policy, chooser);
  }

  /** All or nothing: where the store throws, the queue and the executions are as they were. */
  private void commit(Pass pass) {
    if (pass.placed.isEmpty() && pass.cancelled.isEmpty()) {
      return;
    }
    List<RunningExecution> committed =
        Guard.ask(
            "ExecutionStore",
            "committing",
            () -> ports.store().commit(pass.placed, pass.cancelled, pass.when));
    pass.cancelled.forEach(entry -> pass.cancelledIds.add(entry.id()));
    Map<String, List<RunningExecution>> byNode = new HashMap<>();
    Set<String> ids = new HashSet<>();
    for (RunningExecution execution : committed) {
      byNode.computeIfAbsent(execution.node(), node -> new ArrayList<>()).add(execution);
      ids.add(execution.id());
    }
    for (Placement placement : pass.placed) {
      if (ids.contains(placement.execution().id())) {
        pass.placements.add(placement);
      } else {
        notPlaced(placement, Why.GONE, pass);
      }
    }
    try {
      register(committed);
    } catch (LighthouseException failed) {
      // They are committed, and stay so; they are registered before the next pass, which starts
      // them.
      pass.failures.add(failed);
      pass.fulfilled.forEach(SchedulingNode::resetNewJobExes);
      return;
    }
    for (SchedulingNode node : pass.fulfilled) {
      node.addScheduledJobExes(byNode.getOrDefault(node.name(), List.of()));
    }
  }

  /** As if nothing new had been looked at: on every node that accepted something. */
  void rollBack(Pass pass) {
    pass.fulfilled.forEach(SchedulingNode::resetNewJobExes);
    chooser.rollBack();
    pass.placed.forEach(placement -> notPlaced(placement, Why.ROLLED_BACK, pass));
    pass.reservations.clear();
  }

  private static void notPlaced(Placement placement, Why why, Pass pass) {
    pass.notPlaced.add(
        new NotPlaced(
            placement.execution().id(),
            placement.execution().jobType(),
            placement.execution().priority(),
            why,
            List.of(),
            Map.of()));
  }

  private void warn(QueueWalk walk, Pass pass) {
    walk.unmet().values().forEach(warning -> raise(warning, pass));
    warned.addAll(walk.unmet().keySet());
    for (String type : walk.met()) {
      if (warned.remove(type)) {
        tell(pass, "clearing a warning", () -> ports.events().clear(type));
      }
    }
  }

  private void raise(Warning warning, Pass pass) {
    tell(pass, "raising a warning", () -> ports.events().raise(warning, pass.when));
  }

  private static void tell(Pass pass, String action, Runnable message) {
    try {
      Guard.tell("SchedulingEvents", action, message);
    } catch (LighthouseException failed) {
      pass.failures.add(failed);
    }
  }

  /** One pass without waiting begins the count anew. */
  private void countWaiting(Pass pass) {
    Map<String, Integer> counts = new HashMap<>();
    for (Task task : pass.waiting) {
      int count = passesWaited.getOrDefault(task.id(), 0) + 1;
      counts.put(task.id(), count);
      if (count >= policy.shortagePasses() && !task.agent().isEmpty()) {
        pass.shortages.merge(task.agent(), task.resources(), Amounts::plus);
      }
    }
    passesWaited = counts;
  }

  /** Gives every node its offers; returns those of agents that no node has. */
  private List<Offer> allocateOffers(Pass pass) {
    Map<String, Resources> wanted = new HashMap<>();
    for (SchedulingNode node : pass.nodes.values()) {
      if (node.hasAccepted()) {
        wanted.put(node.agent(), node.allocated());
      }
    }
    Map<String, List<Offer>> allocated =
        new HashMap<>(
            Guard.ask(
                "CapacityBook", "allocating", () -> ports.book().allocate(wanted, pass.when)));
    for (SchedulingNode node : pass.nodes.values()) {
      List<Offer> offers = node.agent().isEmpty() ? null : allocated.remove(node.agent());
      List<Task> accepted = node.acceptedTasks();
      node.addAllocatedOffers(offers == null ? List.of() : offers);
      if (!node.allocatedOffers().isEmpty()) {
        accepted.removeAll(node.acceptedTasks());
      }
      pass.dropped.addAll(accepted);
    }
    List<Offer> strays = new ArrayList<>();
    allocated.values().forEach(strays::addAll);
    strays.sort(Offer.OLDEST_FIRST);
    return strays;
  }

  /** Gives back all other offers. A failure stops nobody's launch: they are still owed. */
  void declineRest(Pass pass, List<Offer> strays) {
    List<Offer> rest = new ArrayList<>(strays);
    owed.stream().filter(offer -> offer.session().equals(pass.session)).forEach(rest::add);
    owed = List.of();
    try {
      rest.addAll(Guard.ask("CapacityBook", "giving up offers", ports.book()::takeUnallocated));
      if (!rest.isEmpty()) {
        Guard.tell("OfferClient", "declining", () -> pass.client.decline(rest));
        pass.declined.addAll(rest);
      }
    } catch (LighthouseException failed) {
      pass.failures.add(failed);
      owed = rest;
    }
  }

  /** Starts and records all tasks, then sends them, a call for each node. */
  private void launch(Pass pass) {
    List<SchedulingNode> launching = new ArrayList<>();
    List<Task> tasks = new ArrayList<>();
    for (SchedulingNode node : pass.nodes.values()) {
      if (!node.allocatedOffers().isEmpty()) {
        launching.add(node);
        node.startJobExeTasks();
        tasks.addAll(node.allocatedTasks());
      }
    }
    try {
      if (!tasks.isEmpty()) {
        Guard.tell(
            "TaskRegistry", "taking in tasks", () -> ports.tasks().launched(tasks, pass.when));
      }
    } catch (LighthouseException failed) {
      // Nobody would miss these tasks if they were lost: none of them may run.
      pass.failures.add(failed);
      for (SchedulingNode node : launching) {
        pass.dropped.addAll(node.allocatedTasks());
        node.undoStart();
        owe(node.allocatedOffers());
      }
      return;
    }
    launching.forEach(node -> send(pass, node));
  }

  private void send(Pass pass, SchedulingNode node) {
    List<Offer> offers = node.allocatedOffers();
    List<Task> tasks = node.allocatedTasks();
    boolean failed = false;
    try {
      Guard.tell(
          "OfferClient",
          "launching on node '" + node.name() + "'",
          () -> pass.client.launch(node.name(), offers, List.copyOf(tasks)));
    } catch (LighthouseException thrown) {
      // Whether the call arrived is not known. If it did, declining its offers later does nothing.
      failed = true;
      pass.failures.add(thrown);
      owe(offers);
    }
    pass.launches.add(
        new SchedulingReport.Launch(node.name(), node.agent(), offers, tasks, failed));
  }

  private void owe(List<Offer> offers) {
    List<Offer> more = new ArrayList<>(owed);
    more.addAll(offers);
    owed = more;
  }
}
