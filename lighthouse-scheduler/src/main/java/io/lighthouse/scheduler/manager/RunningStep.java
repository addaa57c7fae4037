package io.lighthouse.scheduler.manager;

import io.lighthouse.scheduler.SchedulingNode;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.model.ResourceVectors;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The step of a pass for what runs: the nodes' own tasks, the next tasks of executions, and the
 * executions that are lost or starved. Between passes it remembers how long tasks have waited, and
 * since when nodes are away.
 */
final class RunningStep {
  private final SchedulingPorts ports;
  private final SchedulingPolicy policy;

  /** In how many passes in a row a task has waited; by its id. */
  private Map<String, Integer> passesWaited = new HashMap<>();

  /** Since when a node with running executions has been away; by its name. */
  private Map<String, Instant> awaySince = new HashMap<>();

  RunningStep(SchedulingPorts ports, SchedulingPolicy policy) {
    this.ports = ports;
    this.policy = policy;
  }

  void place(Pass pass) {
    for (SchedulingNode node : pass.nodes.values()) {
      boolean waits = node.acceptNodeTasks(pass.when, pass.waiting);
      if (node.isReadyForNextJobTask() && !waits) {
        pass.fulfilled.add(node);
      }
    }
    List<RunningExecution> lost = new ArrayList<>();
    List<RunningExecution> starved = new ArrayList<>();
    List<RunningExecution> over = new ArrayList<>();
    Map<String, Instant> away = new HashMap<>();
    for (RunningExecution execution : pass.running) {
      SchedulingNode node = pass.nodeOf(execution);
      if (execution.status() != RunningExecution.Status.RUNNING) {
        // Where it has a task, that is to be killed, and it is over when that has ended.
        if (execution.isFinished()) {
          over.add(execution);
        }
      } else if (Pass.isReplaced(execution, node)) {
        lost.add(execution);
      } else if (Pass.isAway(node)) {
        if (graceIsOver(execution.node(), away, pass.when)) {
          lost.add(execution);
        } else {
          pass.log.running.away.add(execution.id());
        }
      } else if (waits(execution, node, pass)
          && execution.isStarved(pass.when, policy.starvation())) {
        starved.add(execution);
      }
    }
    awaySince = away;
    if (!over.isEmpty()) {
      Guard.tell("RunningExecutions", "finished", () -> ports.running().finished(over, pass.when));
    }
    fail(starved, "resource-starvation", pass, pass.log.running.starved);
    fail(lost, "node-lost", pass, pass.log.running.lost);
  }

  /** Whether a next task is due and finds no room. */
  private static boolean waits(RunningExecution execution, SchedulingNode node, Pass pass) {
    if (execution.isNextTaskReady() && node.acceptJobExeNextTask(execution, pass.waiting)) {
      pass.fulfilled.remove(node);
      return true;
    }
    return false;
  }

  private boolean graceIsOver(String node, Map<String, Instant> away, Instant when) {
    Instant since = awaySince.getOrDefault(node, when);
    away.put(node, since);
    return Duration.between(since, when).compareTo(policy.nodeGrace()) >= 0;
  }

  private void fail(
      List<RunningExecution> executions, String cause, Pass pass, List<String> report) {
    if (!executions.isEmpty()) {
      Guard.tell(
          "RunningExecutions", "fail", () -> ports.running().fail(executions, cause, pass.when));
      executions.forEach(execution -> report.add(execution.id()));
    }
  }

  /** Counts the passes in which tasks have waited; one pass without waiting begins anew. */
  void countWaiting(Pass pass) {
    Map<String, Integer> counts = new HashMap<>();
    for (Task task : pass.waiting) {
      int count = passesWaited.getOrDefault(task.id(), 0) + 1;
      counts.put(task.id(), count);
      pass.log.running.waiting.add(new SchedulingReport.Waiting(task, count));
      if (count >= policy.shortagePasses() && !task.agent().isEmpty()) {
        pass.log.running.shortages.merge(task.agent(), task.resources(), ResourceVectors::plus);
      }
    }
    passesWaited = counts;
  }

  /** Names the tasks that are to be killed, those that were launched in this pass too. */
  void nameKills(Pass pass) {
    Stream.of(pass.running, pass.committed)
        .flatMap(List::stream)
        .filter(execution -> execution.status() != RunningExecution.Status.RUNNING)
        .forEach(over -> over.currentTask().ifPresent(pass.log.running.toKill::add));
  }
}
