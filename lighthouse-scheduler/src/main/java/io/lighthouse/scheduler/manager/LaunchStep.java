package io.lighthouse.scheduler.manager;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.SchedulingNode;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.ClusterClient.Refusal;
import io.lighthouse.scheduler.port.PortException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The step of a pass that takes offers, declines the others and launches. Between passes it
 * remembers the offers that could not be given back yet.
 */
final class LaunchStep {
  private static final String CLIENT = "ClusterClient";
  private static final String BOOK = "CapacityBook";
  private static final String REGISTRY = "TaskRegistry";

  private final SchedulingPorts ports;
  private final Avoidance avoidance;

  /** Offers of this session that we have no use for and that could not be given back yet. */
  private List<ResourceOffer> owed = new ArrayList<>();

  LaunchStep(SchedulingPorts ports, Avoidance avoidance) {
    this.ports = ports;
    this.avoidance = avoidance;
  }

  /** Gives every node its offers; returns the offers of agents that no node has. */
  List<ResourceOffer> allocateOffers(Pass pass) {
    Map<String, Resources> wanted = new LinkedHashMap<>();
    for (SchedulingNode node : pass.nodes.values()) {
      if (hasAccepted(node)) {
        wanted.put(node.agent(), node.allocated());
      }
    }
    Map<String, List<ResourceOffer>> allocated = new HashMap<>();
    Guard.map(BOOK, "allocate", () -> ports.book().allocate(wanted, pass.when))
        .forEach((agent, offers) -> allocated.put(agent, readable("allocate", offers, pass)));
    for (SchedulingNode node : pass.nodes.values()) {
      List<ResourceOffer> offers = node.agent().isEmpty() ? null : allocated.remove(node.agent());
      if (offers == null && !hasAccepted(node)) {
        continue;
      }
      List<ResourceOffer> lent = offers == null ? List.of() : ofSession(offers, pass);
      List<Task> accepted = lent.isEmpty() ? acceptedTasks(node) : List.of();
      List<Task> dropped = node.addAllocatedOffers(lent);
      pass.log.sent.dropped.addAll(lent.isEmpty() ? accepted : dropped);
    }
    List<ResourceOffer> strays = new ArrayList<>();
    allocated.values().forEach(offers -> strays.addAll(ofSession(offers, pass)));
    strays.sort(ResourceOffer.OLDEST_FIRST);
    return strays;
  }

  private static boolean hasAccepted(SchedulingNode node) {
    return !node.allocatedTasks().isEmpty() || !node.runningExecutions().isEmpty();
  }

  /** Everything to start on a node: the tasks, and the next tasks of executions; a new list. */
  private static List<Task> acceptedTasks(SchedulingNode node) {
    List<Task> accepted = new ArrayList<>(node.allocatedTasks());
    node.runningExecutions().forEach(each -> each.nextTask().ifPresent(accepted::add));
    return accepted;
  }

  /**
   * The offers of an answer. What cannot be read is reported and left out, so that the others are
   * not lost.
   */
  private static List<ResourceOffer> readable(
      String method, Collection<ResourceOffer> answer, Pass pass) {
    List<ResourceOffer> offers = new ArrayList<>();
    pass.log.tries(() -> offers.addAll(Guard.listWithNulls(BOOK, method, () -> answer)));
    if (offers.removeIf(Objects::isNull)) {
      pass.log.failures.add(
          new PortException(BOOK, method, "answered null among the offers", null));
    }
    return offers;
  }

  /** Those that were made to the session of the pass: the others are void. */
  private static List<ResourceOffer> ofSession(List<ResourceOffer> offers, Pass pass) {
    return offers.stream().filter(offer -> offer.session().equals(pass.session)).toList();
  }

  /** Gives back all other offers. A failure stops no launch: the offers are still owed. */
  void declineRest(Pass pass, List<ResourceOffer> strays) {
    List<ResourceOffer> rest = new ArrayList<>(strays);
    rest.addAll(ofSession(owed, pass));
    owed = rest;
    pass.log.tries(
        () -> {
          List<ResourceOffer> left =
              Guard.listWithNulls(BOOK, "takeUnallocated", ports.book()::takeUnallocated);
          rest.addAll(ofSession(readable("takeUnallocated", left, pass), pass));
          boolean real = Guard.ask(BOOK, "makesOffers", ports.book()::makesOffers);
          if (real && !rest.isEmpty()) {
            Guard.tell(CLIENT, "decline", () -> pass.client.decline(List.copyOf(rest)));
            pass.log.sent.declined.addAll(rest);
          }
          owed = new ArrayList<>();
        });
  }

  /** Starts and records all tasks, then sends them, a call for each node. */
  void launch(Pass pass) {
    Map<SchedulingNode, List<RunningExecution>> launching = new LinkedHashMap<>();
    List<Task> tasks = new ArrayList<>();
    for (SchedulingNode node : pass.nodes.values()) {
      if (!node.allocatedOffers().isEmpty()) {
        launching.put(node, node.startJobExeTasks());
        tasks.addAll(node.allocatedTasks());
      }
    }
    boolean recorded =
        tasks.isEmpty()
            || pass.log.triesToTell(
                REGISTRY, "launched", () -> ports.tasks().launched(List.copyOf(tasks), pass.when));
    if (!recorded) {
      // If these tasks were lost, nothing would report it: none of them may run.
      launching.forEach(
          (node, started) -> {
            pass.log.sent.dropped.addAll(node.allocatedTasks());
            for (RunningExecution execution : started) {
              execution.currentTask().ifPresent(task -> execution.taskNotLaunched(task.id()));
            }
            owed.addAll(node.allocatedOffers());
          });
      return;
    }
    List<Task> refused = new ArrayList<>();
    List<RunningExecution> toRequeue = new ArrayList<>();
    launching.forEach((node, started) -> send(pass, node, started, refused, toRequeue));
    if (!refused.isEmpty()) {
      pass.log.triesToTell(REGISTRY, "refused", () -> ports.tasks().refused(refused, pass.when));
    }
    if (!toRequeue.isEmpty()) {
      pass.log.tries(() -> requeue(pass, toRequeue));
    }
  }

  private void send(
      Pass pass,
      SchedulingNode node,
      List<RunningExecution> started,
      List<Task> refused,
      List<RunningExecution> toRequeue) {
    List<ResourceOffer> offers = node.allocatedOffers();
    List<Task> tasks = List.copyOf(node.allocatedTasks());
    List<Refusal> refusals = new ArrayList<>();
    boolean arrived =
        pass.log.tries(
            () ->
                refusals.addAll(
                    Guard.list(
                        CLIENT, "launch", () -> pass.client.launch(node.name(), offers, tasks))));
    if (!arrived) {
      // Whether the call arrived is not known. If it did, declining its offers later does nothing.
      owed.addAll(offers);
    }
    List<Refusal> known = takeBack(pass, started, tasks, refusals, refused, toRequeue);
    pass.log.sent.launches.add(
        new SchedulingReport.Launch(node.name(), node.agent(), offers, tasks, known, !arrived));
  }

  /** Takes refused tasks back at once; answers those refusals that are of tasks of the launch. */
  private List<Refusal> takeBack(
      Pass pass,
      List<RunningExecution> started,
      List<Task> tasks,
      List<Refusal> refusals,
      List<Task> refused,
      List<RunningExecution> toRequeue) {
    Map<String, Refusal> byTask = new LinkedHashMap<>();
    refusals.forEach(refusal -> byTask.putIfAbsent(refusal.task(), refusal));
    List<Refusal> known = new ArrayList<>();
    Map<String, RunningExecution> byId = new HashMap<>();
    started.forEach(execution -> byId.put(execution.id(), execution));
    for (Task task : tasks) {
      Refusal refusal = byTask.remove(task.id());
      RunningExecution execution = byId.get(task.execution());
      if (refusal != null) {
        known.add(refusal);
        refused.add(task);
        if (execution != null
            && execution.taskNotLaunched(task.id())
            && avoidance.refused(execution.id())) {
          toRequeue.add(execution);
        }
      } else if (execution != null) {
        avoidance.launched(execution.id());
      }
    }
    byTask
        .keySet()
        .forEach(
            id ->
                pass.log.failures.add(
                    new PortException(
                        CLIENT, "launch", "refused '" + id + "', which is not of it", null)));
    return known;
  }

  /** Puts executions back that their node has refused too often. */
  private void requeue(Pass pass, List<RunningExecution> toRequeue) {
    List<RunningExecution> back =
        Guard.list("ExecutionStore", "requeue", () -> ports.store().requeue(toRequeue, pass.when));
    for (RunningExecution execution : back) {
      pass.log.sent.requeued.add(avoidance.avoid(execution.id(), execution.node(), pass.when));
    }
    if (!back.isEmpty()) {
      Guard.tell("RunningExecutions", "finished", () -> ports.running().finished(back, pass.when));
    }
  }
}
