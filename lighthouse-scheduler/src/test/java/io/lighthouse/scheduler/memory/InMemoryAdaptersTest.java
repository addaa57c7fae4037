package io.lighthouse.scheduler.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.scheduler.memory.TaskListener.End;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.QueueOrder;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.model.Warning;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class InMemoryAdaptersTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final Resources ONE = Resources.of("cpus", 1);

  private final InMemoryPorts memory =
      new InMemoryPorts(new OfferBook(), Maintenance.SCALE, Step::pullPreMainPost);

  private static Instant after(int seconds) {
    return NOW.plusSeconds(seconds);
  }

  private static PendingExecution pending(String id, int priority, int second) {
    return PendingExecution.of(id, "type", priority, after(second), ONE);
  }

  private RunningExecution run(String id) {
    PendingExecution entry = pending(id, 1, 0);
    memory.queue().add(entry);
    List<RunningExecution> committed =
        memory.executions().commit(List.of(new Placement(entry, "n", "a")), List.of(), NOW);
    memory.executions().add(committed);
    return committed.get(0);
  }

  private Task launchNext(RunningExecution execution, Instant when) {
    Task task = execution.startNextTask().orElseThrow();
    memory.tasks().launched(List.of(task), when);
    return task;
  }

  @Nested
  class Queue {
    @Test
    void keepsItsOrderFirstInFirstOutOrLastInFirstOut() {
      memory.queue().add(pending("late", 1, 2));
      memory.queue().add(pending("early", 1, 1));
      memory.queue().add(pending("important", 0, 3));
      assertThat(memory.queue().head(QueueOrder.FIFO, Set.of(), 9))
          .extracting(PendingExecution::id)
          .containsExactly("important", "early", "late");
      assertThat(memory.queue().head(QueueOrder.LIFO, Set.of(), 2))
          .extracting(PendingExecution::id)
          .containsExactly("important", "late");
      assertThat(memory.queue().head(QueueOrder.FIFO, Set.of("type"), 9)).isEmpty();
    }

    @Test
    void isBoundedAndKnowsItsEntries() {
      InMemoryQueue queue = new InMemoryQueue(1);
      assertThat(queue.add(pending("a", 1, 0))).isTrue();
      assertThat(queue.add(pending("b", 1, 0))).isFalse();
      assertThatThrownBy(() -> queue.add(pending("a", 1, 0)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'a'");
      assertThat(queue.cancel("a")).isTrue();
      assertThat(queue.cancel("a")).isFalse();
      assertThat(queue.cancelled(9)).extracting(PendingExecution::id).containsExactly("a");
      assertThat(queue.head(QueueOrder.FIFO, Set.of(), 9)).isEmpty();
      assertThat(queue.get("a").orElseThrow().cancelled()).isTrue();
      assertThat(queue.remove("a")).isPresent();
      assertThat(queue.size()).isZero();
    }
  }

  @Nested
  class Executions {
    @Test
    void goThroughTheirStepsToTheirEnd() {
      RunningExecution execution = run("e");
      for (String step : List.of("pull", "pre", "main", "post")) {
        Task task = launchNext(execution, NOW);
        assertThat(task.name()).isEqualTo(step);
        assertThat(execution.startNextTask()).isEmpty();
        memory.tasks().running(task.id(), NOW);
        assertThat(memory.tasks().ended(task.id(), End.FINISHED, NOW)).isTrue();
        assertThat(memory.tasks().ended(task.id(), End.FINISHED, NOW)).isFalse();
      }
      assertThat(execution.status()).isEqualTo(RunningExecution.Status.COMPLETED);
      assertThat(memory.executions().snapshot()).isEmpty();
      assertThat(memory.executions().ended("e").orElseThrow().node()).isEqualTo("n");
    }

    @Test
    void runAgainWhatWasLostUnderANewId() {
      RunningExecution execution = run("e");
      Task lost = launchNext(execution, NOW);
      memory.tasks().ended(lost.id(), End.LOST, NOW);
      Task again = execution.nextTask().orElseThrow();
      assertThat(again.name()).isEqualTo("pull");
      assertThat(again.id()).isNotEqualTo(lost.id());
    }

    @Test
    void failWithTheirTask() {
      RunningExecution execution = run("e");
      memory.tasks().ended(launchNext(execution, NOW).id(), End.FAILED, NOW);
      assertThat(execution.status()).isEqualTo(RunningExecution.Status.FAILED);
      assertThat(execution.isFinished()).isTrue();
      assertThat(memory.executions().ended("e").orElseThrow().cause()).isEqualTo("task-failed");
    }

    @Test
    void areOverAfterACancelOnlyWhenTheirTaskHasEnded() {
      RunningExecution execution = run("e");
      Task task = launchNext(execution, NOW);
      assertThat(memory.executions().cancel("e", NOW)).isTrue();
      assertThat(memory.executions().cancel("e", NOW)).isFalse();
      assertThat(memory.toKill()).containsExactly(task);
      assertThat(memory.toKill()).as("until it has ended").containsExactly(task);
      assertThat(memory.executions().ended("e")).isEmpty();
      memory.tasks().ended(task.id(), End.KILLED, NOW);
      assertThat(memory.toKill()).isEmpty();
      assertThat(memory.executions().ended("e").orElseThrow().status())
          .isEqualTo(RunningExecution.Status.CANCELED);
    }

    @Test
    void areNotCommittedTwice() {
      RunningExecution execution = run("e");
      assertThat(
              memory
                  .executions()
                  .commit(List.of(new Placement(execution.origin(), "m", "b")), List.of(), NOW))
          .isEmpty();
    }

    @Test
    void mayRunAgainUnderTheSameIdWithNewTasks() {
      Task first = launchNext(run("e"), NOW);
      memory.tasks().ended(first.id(), End.FAILED, NOW);
      RunningExecution again = run("e");
      assertThat(memory.executions().snapshot()).containsExactly(again);
      assertThat(memory.executions().ended("e")).isEmpty();
      assertThat(launchNext(again, NOW).id()).isEqualTo("e/pull/1");
      assertThat(memory.taskEnded(first.id(), End.FINISHED, NOW)).isFalse();
    }

    @Test
    void runAfterTheyWereCancelledInTheQueueAndQueuedAgain() {
      memory.queue().add(pending("e", 1, 0));
      memory.cancel("e", NOW);
      memory.executions().commit(List.of(), memory.queue().cancelled(9), NOW);
      assertThat(memory.executions().ended("e")).isPresent();
      assertThat(memory.executions().snapshot()).isEmpty();
      RunningExecution execution = run("e");
      assertThat(memory.executions().snapshot()).containsExactly(execution);
      assertThat(execution.nextTask().orElseThrow().id()).isEqualTo("e/pull/0");
    }

    @Test
    void areCommittedWhollyWhereTheListenerThrows() {
      PendingExecution first = pending("e1", 1, 0);
      PendingExecution second = pending("e2", 1, 1);
      memory.queue().add(first);
      memory.queue().add(second);
      memory.executions().listen(over -> fail("boom"));
      memory.cancel("e2", NOW);
      List<RunningExecution> committed =
          memory
              .executions()
              .commit(
                  List.of(new Placement(first, "n", "a"), new Placement(second, "n", "a")),
                  List.of(),
                  NOW);
      assertThat(committed).extracting(RunningExecution::id).containsExactly("e1");
      assertThat(memory.queue().size()).isZero();
      assertThat(memory.executions().nextMessage().orElseThrow().id()).isEqualTo("e2");
      assertThat(memory.executions().nextMessage()).isEmpty();
    }

    @Test
    void waitInTheQueueWhileTheirIdRuns() {
      RunningExecution first = run("e");
      PendingExecution second = pending("e", 1, 5);
      memory.queue().add(second);
      Placement placement = new Placement(second, "n", "a");
      assertThat(memory.executions().commit(List.of(placement), List.of(), NOW)).isEmpty();
      assertThat(memory.executions().requeue(List.of(first), NOW)).isEmpty();
      assertThat(memory.executions().get("e")).containsSame(first);
      memory.cancel("e", NOW);
      assertThat(memory.executions().commit(List.of(placement), List.of(), NOW)).hasSize(1);
    }

    @Test
    void areTakenInAgainAfterARestart() {
      PendingExecution entry = pending("e", 1, 0);
      memory.queue().add(entry);
      memory.executions().commit(List.of(new Placement(entry, "n", "a")), List.of(), NOW);
      assertThat(memory.executions().snapshot()).isEmpty();
      assertThat(memory.executions().recover()).isEqualTo(1);
      assertThat(memory.executions().snapshot()).hasSize(1);
    }

    @Test
    void askForNoMoreInAStepThanInAll() {
      Placement placement = new Placement(pending("e", 1, 0), "n", "a");
      assertThatThrownBy(
              () ->
                  new RunningExecution(
                      placement, NOW, List.of(new Step("main", Resources.of("cpus", 2)))))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("steps.main");
      assertThatThrownBy(() -> new RunningExecution(placement, NOW, List.of()))
          .isInstanceOf(InvalidInputException.class);
    }
  }

  @Nested
  class Tasks {
    @Test
    void areLateWhenTheyDoNotStartOrDoNotEnd() {
      Task task = launchNext(run("e"), NOW);
      assertThat(memory.tasks().neverStarted(after(120))).isEmpty();
      assertThat(memory.tasks().neverStarted(after(121))).containsExactly(task);
      memory.tasks().running(task.id(), after(121));
      assertThat(memory.tasks().neverStarted(after(9999))).isEmpty();
      assertThat(memory.tasks().overdue(after(121 + 3600))).isEmpty();
      assertThat(memory.tasks().overdue(after(122 + 3600))).containsExactly(task);
      assertThat(memory.tasks().running("unknown", NOW)).isFalse();
    }
  }

  /** One is seen to run while others that never started are reported as lost. */
  @Test
  void aTaskThatStartsWhileTheLimitsAreCheckedIsNotLost() {
    Task lost = launchNext(run("a"), NOW);
    Task late = launchNext(run("b"), NOW);
    memory.cancel("a", NOW); // So that its end is reported.
    memory.executions().listen(over -> memory.taskRunning(late.id(), after(121)));
    memory.checkLimits(after(121));
    assertThat(memory.tasks().get(lost.id())).isEmpty();
    assertThat(memory.tasks().get(late.id())).contains(late);
    assertThat(memory.executions().get("b").orElseThrow().currentTask()).contains(late);
  }

  /** The engine may start a task after its limit, when its step runs again elsewhere. */
  @Nested
  class TasksThatNeverStarted {
    private Task lost(String execution) {
      Task task = launchNext(run(execution), NOW);
      memory.checkLimits(after(121));
      assertThat(memory.tasks().get(task.id())).isEmpty();
      return task;
    }

    @Test
    void areToBeKilledUntilTheirEndIsReported() {
      Task task = lost("e");
      Task again = memory.executions().get("e").orElseThrow().nextTask().orElseThrow();
      assertThat(again.id()).isNotEqualTo(task.id());
      assertThat(memory.toKill()).containsExactly(task);
      assertThat(memory.taskRunning(task.id(), after(122))).as("it started after all").isFalse();
      memory.checkLimits(after(123));
      assertThat(memory.toKill()).as("a kill that got lost").containsExactly(task);
      assertThat(memory.taskEnded(task.id(), End.KILLED, after(124))).isFalse();
      assertThat(memory.toKill()).isEmpty();
      assertThat(memory.executions().get("e").orElseThrow().nextTask()).contains(again);
    }

    @Test
    void areForgottenWithTheirAgent() {
      Task task = lost("e");
      memory.agentLost("other", after(122));
      assertThat(memory.toKill()).containsExactly(task);
      memory.agentLost("a", after(122));
      assertThat(memory.toKill()).isEmpty();
    }

    /** An engine that does not know a task may report nothing about it. */
    @Test
    void areForgottenAfterAnHour() {
      Task task = lost("e");
      memory.checkLimits(after(121 + 3600));
      assertThat(memory.toKill()).containsExactly(task);
      memory.checkLimits(after(122 + 3600));
      assertThat(memory.toKill()).isEmpty();
    }
  }

  @Nested
  class TasksThatRunForTooLong {
    private void launchAndRun(Task task) {
      memory.tasks().launched(List.of(task), NOW);
      memory.taskRunning(task.id(), NOW);
    }

    @Test
    void areToBeKilledOnNodesAndOfSystemJobs() {
      memory.agentConnected("n", "a", NOW);
      Task cleanup = memory.nodes().get("n").orElseThrow().nodeTasks(NOW).get(0);
      launchAndRun(cleanup);
      memory.systemTasks().runOnce("pull", InMemorySystemTasks.USUAL);
      Task job = memory.systemTasks().due(NOW).get(0).on("a");
      launchAndRun(job);
      Task step = launchNext(run("e"), NOW);
      memory.taskRunning(step.id(), NOW);
      assertThat(step.name()).isEqualTo(job.name());
      memory.checkLimits(after(3600));
      assertThat(memory.toKill()).isEmpty();
      memory.checkLimits(after(3601));
      assertThat(memory.toKill()).containsExactly(step, cleanup, job);
      memory.taskEnded(cleanup.id(), End.KILLED, after(3602));
      memory.taskEnded(step.id(), End.KILLED, after(3602));
      assertThat(memory.toKill()).as("until it has ended").containsExactly(job);
      memory.taskEnded(job.id(), End.KILLED, after(3603));
      assertThat(memory.toKill()).isEmpty();
    }

    @Test
    void haveTheLimitThatIsSet() {
      memory
          .tasks()
          .limitRunning(
              task ->
                  memory
                      .executions()
                      .get(task.execution())
                      .map(execution -> Duration.ofSeconds(execution.priority())));
      launchAndRun(run("e").startNextTask().orElseThrow());
      Task unlimited = Task.job("x/main/0", "main", "a", "x", ONE);
      launchAndRun(unlimited);
      memory.checkLimits(after(1));
      assertThat(memory.toKill()).isEmpty();
      memory.checkLimits(after(2));
      assertThat(memory.toKill()).extracting(Task::execution).containsExactly("e");
      assertThat(memory.tasks().overdue(after(9999))).doesNotContain(unlimited);
    }

    /** A task ends while the limits are checked, and the execution goes on to its next task. */
    @Test
    void failNoExecutionThatHasGoneOn() {
      RunningExecution execution = run("e");
      Task first = launchNext(execution, NOW);
      memory.taskRunning(first.id(), NOW);
      memory
          .tasks()
          .limitRunning(
              task -> {
                memory.taskEnded(task.id(), End.FINISHED, after(5));
                return Optional.of(Duration.ofSeconds(1));
              });
      memory.checkLimits(after(5));
      assertThat(execution.failure()).isEmpty();
      assertThat(execution.nextTask()).isPresent();
      assertThat(memory.toKill()).isEmpty();
    }

    @Test
    void goOnWhereTheyAreOfAService() {
      memory.systemTasks().service("log", InMemorySystemTasks.USUAL, 1);
      launchAndRun(memory.systemTasks().due(NOW).get(0).on("a"));
      memory.checkLimits(after(9999));
      assertThat(memory.toKill()).isEmpty();
    }
  }

  @Nested
  class Nodes {
    private final InMemoryNode node = memory.nodes().add("n");

    private List<String> due(Instant when) {
      return node.nodeTasks(when).stream().map(Task::name).toList();
    }

    private void finish(String name, End end, Instant when) {
      Task task =
          node.nodeTasks(when).stream()
              .filter(each -> each.name().equals(name))
              .findFirst()
              .orElseThrow();
      memory.tasks().launched(List.of(task), when);
      memory.tasks().ended(task.id(), end, when);
    }

    private void makeReady() {
      node.online("a");
      finish("cleanup", End.FINISHED, NOW);
      finish("health-check", End.FINISHED, NOW);
      finish("image-pull", End.FINISHED, NOW);
      assertThat(node.state()).isEqualTo(NodeStatus.READY);
    }

    @Test
    void comeUpByCleaningAndPulling() {
      assertThat(node.state()).isEqualTo(NodeStatus.OFFLINE);
      assertThat(due(NOW)).isEmpty();
      node.online("a");
      assertThat(node.state()).isEqualTo(NodeStatus.INITIAL_CLEANUP);
      assertThat(due(NOW)).containsExactly("cleanup", "health-check");
      assertThat(node.isReadyForNextJobTask()).isFalse();
      finish("cleanup", End.FINISHED, NOW);
      assertThat(node.state()).isEqualTo(NodeStatus.IMAGE_PULL);
      assertThat(due(NOW)).containsExactly("health-check", "image-pull");
      assertThat(node.isReadyForNextJobTask()).isFalse();
      finish("image-pull", End.FINISHED, NOW);
      assertThat(node.state()).isEqualTo(NodeStatus.READY);
      assertThat(node.isReadyForNewJob() && node.isReadyForSystemTask()).isTrue();
    }

    @Test
    void goOnWithWhatRunsWhilePausedStoppedOrDegraded() {
      makeReady();
      node.pause(true);
      assertThat(node.state()).isEqualTo(NodeStatus.PAUSED);
      assertGoesOnOnly();
      node.pause(false);
      memory.nodes().pauseScheduler(true);
      assertThat(node.state()).isEqualTo(NodeStatus.SCHEDULER_STOPPED);
      assertGoesOnOnly();
      memory.nodes().pauseScheduler(false);
      node.error("daemon", NOW);
      assertThat(node.state()).isEqualTo(NodeStatus.DEGRADED);
      assertGoesOnOnly();
      node.clearError("daemon");
      assertThat(node.isReadyForNewJob()).isTrue();
      node.activate(false);
      assertThat(node.state()).isEqualTo(NodeStatus.DEPRECATED);
      assertThat(node.isReadyForNextJobTask()).isFalse();
    }

    private void assertGoesOnOnly() {
      assertThat(node.isReadyForNextJobTask()).isTrue();
      assertThat(node.isReadyForNewJob()).isFalse();
      assertThat(node.isReadyForSystemTask()).isFalse();
    }

    @Test
    void startAnewAfterTheyWereOffline() {
      makeReady();
      node.offline();
      assertThat(node.state()).isEqualTo(NodeStatus.OFFLINE);
      node.online("b");
      assertThat(node.state()).isEqualTo(NodeStatus.INITIAL_CLEANUP);
      assertThat(node.nodeTasks(NOW)).extracting(Task::agent).containsOnly("b");
    }

    @Test
    void checkTheirHealthEveryFiveMinutesOrTwoAfterABadOne() {
      makeReady();
      assertThat(due(after(300))).isEmpty();
      assertThat(due(after(301))).containsExactly("health-check");
      finish("health-check", End.FAILED, after(301));
      assertThat(node.state()).isEqualTo(NodeStatus.DEGRADED);
      assertThat(node.errors()).containsExactly("health-check");
      assertThat(due(after(301 + 120))).isEmpty();
      assertThat(due(after(301 + 121))).containsExactly("health-check");
      finish("health-check", End.FINISHED, after(301 + 121));
      assertThat(node.state()).isEqualTo(NodeStatus.READY);
    }

    @Test
    void leaveWhatFailedAloneForAWhile() {
      node.online("a");
      finish("cleanup", End.FAILED, NOW);
      finish("health-check", End.FINISHED, NOW);
      assertThat(node.state()).isEqualTo(NodeStatus.DEGRADED);
      assertThat(due(after(120))).isEmpty();
      assertThat(due(after(121))).containsExactly("cleanup");
      node.error("daemon", after(121));
      assertThat(due(after(122))).isEmpty();
      node.clearError("daemon");
      finish("cleanup", End.FINISHED, after(122));
      finish("image-pull", End.FAILED, after(122));
      assertThat(due(after(122 + 290))).containsExactly("health-check");
      assertThat(due(after(122 + 301))).containsExactly("health-check", "image-pull");
    }

    @Test
    void cleanUpAfterExecutionsTwentyFiveAtATime() {
      makeReady();
      for (int i = 0; i < 26; i++) {
        run("e" + i);
        memory.executions().cancel("e" + i, NOW);
      }
      assertThat(due(NOW)).containsExactly("cleanup");
      finish("cleanup", End.FINISHED, NOW);
      assertThat(due(NOW)).containsExactly("cleanup");
      finish("cleanup", End.FINISHED, NOW);
      assertThat(due(NOW)).isEmpty();
    }

    @Test
    void proposeTheSameTaskUntilItIsLaunched() {
      node.online("a");
      Task first = node.nodeTasks(NOW).get(0);
      assertThat(node.nodeTasks(after(1)).get(0)).isSameAs(first);
      memory.tasks().launched(List.of(first), NOW);
      assertThat(due(NOW)).containsExactly("health-check");
      memory.tasks().ended(first.id(), End.LOST, NOW);
      assertThat(due(NOW)).containsExactly("cleanup", "health-check");
    }

    @Test
    void doNotLaunchASecondTimeWhatRunsWhileTheyAreAway() {
      memory.agentConnected("n", "a", NOW);
      List<Task> running = node.nodeTasks(NOW);
      memory.tasks().launched(running, NOW);
      memory.agentAway("a");
      memory.agentConnected("n", "a", NOW);
      assertThat(due(NOW)).isEmpty();
      memory.taskEnded(running.get(0).id(), End.FINISHED, NOW);
      assertThat(node.state()).isEqualTo(NodeStatus.IMAGE_PULL);
      assertThat(due(NOW)).containsExactly("image-pull");
    }

    @Test
    void startAnewAlsoWhereACleanupEndsWhileTheyAreAway() {
      memory.agentConnected("n", "a", NOW);
      List<Task> running = node.nodeTasks(NOW);
      memory.tasks().launched(running, NOW);
      memory.agentAway("a");
      memory.taskEnded(running.get(0).id(), End.FINISHED, NOW);
      memory.agentConnected("n", "a", NOW);
      assertThat(due(NOW)).containsExactly("cleanup");
    }

    @Test
    void loseNothingWhereTheyConnectUnderNoAgent() {
      memory.agentConnected("n", "a", NOW);
      Task task = launchNext(run("e"), NOW);
      assertThatThrownBy(() -> memory.agentConnected("n", "", NOW))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("node 'n': agent");
      assertThat(memory.tasks().current()).containsExactly(task);
      assertThat(node.state()).isEqualTo(NodeStatus.INITIAL_CLEANUP);
      assertThatThrownBy(() -> memory.agentConnected("m", "", NOW))
          .isInstanceOf(InvalidInputException.class);
      assertThat(memory.nodes().get("m")).isEmpty();
    }

    @Test
    void haveAgentsOfTheirOwn() {
      memory.agentConnected("n", "a", NOW);
      assertThatThrownBy(() -> memory.agentConnected("m", "a", NOW))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("node 'm': agent is 'a', that of node 'n'");
      assertThat(memory.nodes().get("m")).isEmpty();
      InMemoryNode other = memory.nodes().add("m");
      assertThatThrownBy(() -> other.online("a")).isInstanceOf(InvalidInputException.class);
      assertThat(other.state()).isEqualTo(NodeStatus.OFFLINE);
      memory.agentConnected("n", "b", NOW);
      memory.agentConnected("m", "a", NOW);
      assertThat(memory.nodes().byAgent("a")).containsSame(other);
    }

    @Test
    void haveNamesOfTheirOwn() {
      assertThatThrownBy(() -> memory.nodes().add("n")).isInstanceOf(InvalidInputException.class);
      assertThat(memory.nodes().remove("n")).isTrue();
      assertThat(memory.nodes().remove("n")).isFalse();
    }
  }

  @Nested
  class SystemTasks {
    private final InMemorySystemTasks system = memory.systemTasks();

    @Test
    void proposeJobsUntilDoneAndServicesWhereTheyAreMissing() {
      system.service("handler", ONE, 2);
      system.runOnce("update", ONE);
      List<Task> due = system.due(NOW);
      assertThat(due).extracting(Task::name).containsExactly("update", "handler", "handler");
      assertThat(system.due(NOW)).isEqualTo(due);
      memory.tasks().launched(due, NOW);
      assertThat(system.due(NOW)).isEmpty();
      memory.tasks().ended(due.get(0).id(), End.FINISHED, NOW);
      memory.tasks().ended(due.get(1).id(), End.LOST, NOW);
      assertThat(system.openJobs()).isEmpty();
      assertThat(system.due(NOW)).extracting(Task::name).containsExactly("handler");
      system.service("handler", ONE, 0);
      assertThat(system.due(NOW)).isEmpty();
    }

    @Test
    void areDueAgainWhereTheirAgentIsLostWhileTheyAreLaunched() {
      InMemorySystemTasks once = new InMemorySystemTasks();
      InMemoryTasks[] all = new InMemoryTasks[1];
      TaskListener losesTheAgent =
          new TaskListener() {
            @Override
            public void launched(Task task, Instant when) {
              all[0].agentLost(task.agent(), when);
            }
          };
      all[0] = new InMemoryTasks(List.of(losesTheAgent, once));
      once.runOnce("update", ONE);
      all[0].launched(List.of(once.due(NOW).get(0).on("agent")), NOW);
      all[0]
          .neverStarted(after(121))
          .forEach(task -> all[0].ended(task.id(), End.LOST, after(121)));
      assertThat(once.due(after(121))).extracting(Task::name).containsExactly("update");
    }

    @Test
    void areDueAgainWhereAListenerThrowsWhileTheyAreLaunched() {
      InMemorySystemTasks once = new InMemorySystemTasks();
      TaskListener throwing =
          new TaskListener() {
            @Override
            public void launched(Task task, Instant when) {
              throw new IllegalStateException("full");
            }

            @Override
            public void ended(Task task, End end, Instant when) {
              throw new AssertionError("the launch of this task was not taken in");
            }
          };
      TaskListener throwingAtTheEnd =
          new TaskListener() {
            @Override
            public void ended(Task task, End end, Instant when) {
              throw new IllegalStateException(end.name());
            }
          };
      InMemoryTasks all = new InMemoryTasks(List.of(throwingAtTheEnd, once, throwing));
      once.runOnce("update", ONE);
      List<Task> launched = List.of(once.due(NOW).get(0).on("agent"));
      assertThatThrownBy(() -> all.launched(launched, NOW))
          .hasMessage("full")
          .satisfies(
              thrown ->
                  assertThat(thrown.getSuppressed())
                      .singleElement()
                      .isInstanceOfSatisfying(
                          IllegalStateException.class,
                          more -> assertThat(more).hasMessage("REFUSED")));
      assertThat(all.current()).isEmpty();
      assertThat(once.due(after(121))).extracting(Task::name).containsExactly("update");
    }

    @Test
    void leaveAJobThatFailedAloneForTwoMinutes() {
      system.runOnce("update", ONE);
      List<Task> due = system.due(NOW);
      memory.tasks().launched(due, NOW);
      memory.tasks().ended(due.get(0).id(), End.FAILED, NOW);
      assertThat(system.due(after(120))).isEmpty();
      assertThat(system.due(after(121))).hasSize(1);
    }

    @Test
    void askForNothingLessThanNothing() {
      Resources less = Resources.of("cpus", -1);
      assertThatThrownBy(() -> system.runOnce("update", less))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("system job 'update': request.cpus is -1");
      system.service("handler", ONE, 1);
      assertThatThrownBy(() -> system.service("handler", less, 2))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("service 'handler': request.cpus is -1");
      assertThat(system.due(NOW)).extracting(Task::resources).containsExactly(ONE);
      assertThatThrownBy(() -> new Maintenance(true, true, true, less))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("maintenance: request.cpus is -1");
    }

    @Test
    void haveNamesOfTheirOwn() {
      system.runOnce("update", ONE);
      assertThatThrownBy(() -> system.runOnce("update", ONE))
          .isInstanceOf(InvalidInputException.class);
      assertThatThrownBy(() -> system.service("update", ONE, 1))
          .isInstanceOf(InvalidInputException.class);
      assertThatThrownBy(() -> system.service("handler", ONE, -1))
          .isInstanceOf(InvalidInputException.class);
    }
  }

  @Nested
  class Events {
    @Test
    void forgetAWarningAnHourAfterItWasLastRaised() {
      Warning warning = new Warning(Warning.Kind.TOO_LARGE, "type", List.of("cpus"));
      memory.events().raise(warning, NOW);
      memory.events().raise(warning, after(60));
      assertThat(memory.events().active(after(3660))).containsExactly(warning);
      assertThat(memory.events().active(after(3661))).isEmpty();
      memory.events().clear("type");
      assertThat(memory.events().active(NOW)).isEmpty();
    }
  }
}
