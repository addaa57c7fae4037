package io.lighthouse.scheduler.manager;

import static io.lighthouse.scheduler.Fixtures.NOW;
import static io.lighthouse.scheduler.Fixtures.gpus;
import static io.lighthouse.scheduler.Fixtures.vector;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.scheduler.Fixtures;
import io.lighthouse.scheduler.Fixtures.TestNode;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.memory.TaskListener.End;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.RunningExecution.Progress;
import io.lighthouse.scheduler.model.RunningExecution.Status;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.TaskRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What runs, what was lost, what is to be killed, and what a restart finds. */
class RunningWorkTest {
  private final Cluster cluster = new Cluster();

  private static List<String> ids(List<Task> tasks) {
    return tasks.stream().map(Task::id).toList();
  }

  @Nested
  class Kills {
    @Test
    void areALevelThatHoldsUntilTheTaskHasEnded() {
      TestNode node = cluster.node("n");
      RunningExecution execution = cluster.runs("r", 1, node, vector(1, 0));
      Task task = execution.currentTask().orElseThrow();
      cluster.memory.cancel("r", NOW);
      for (int pass = 0; pass < 3; pass++) {
        assertThat(cluster.pass().running().toKill()).containsExactly(task);
        assertThat(cluster.memory.toKill()).containsExactly(task);
      }
      cluster.memory.taskEnded(task.id(), End.KILLED, NOW);
      assertThat(cluster.memory.toKill()).isEmpty();
      assertThat(cluster.pass().running().toKill()).isEmpty();
    }

    @Test
    void nameWhatWasCancelledBetweenItsRecordingAndItsLaunch() {
      TestNode node = cluster.node("n");
      cluster.committed("r", 1, node, vector(1, 0));
      cluster.offers(node.agent, vector(1, 0));
      SchedulingReport report =
          cluster
              .manager()
              .runPass(
                  new Fixtures.TestClient() {
                    @Override
                    public List<Refusal> launch(
                        String name,
                        List<io.lighthouse.scheduler.model.ResourceOffer> offers,
                        List<Task> tasks) {
                      cluster.memory.cancel("r", NOW);
                      return super.launch(name, offers, tasks);
                    }
                  },
                  NOW);
      assertThat(ids(report.running().toKill())).containsExactly("r/main/0");
    }

    @Test
    void ofALostNodeAreToldOnceAndDoNotGrow() {
      TestNode node = cluster.node("n");
      cluster.runs("r", 1, node, vector(1, 0));
      node.agent = "another";
      int lost = 0;
      for (int pass = 0; pass < 1004; pass++) {
        SchedulingReport report = cluster.pass();
        lost += report.running().lost().size();
        assertThat(report.running().toKill()).hasSize(1);
      }
      assertThat(lost).isEqualTo(1);
      assertThat(cluster.memory.toKill()).hasSize(1);
      assertThat(cluster.pass().counts()).containsEntry("lost_executions", 0L);
    }

    @Test
    void endWithTheAgent() {
      TestNode node = cluster.node("n");
      cluster.memory.nodes().add("n").online(node.agent);
      cluster.runs("r", 1, node, vector(1, 0));
      assertThat(cluster.memory.agentLost(node.agent, NOW)).isEqualTo(1);
      node.nextTasks = false;
      assertThat(cluster.pass().running().lost()).containsExactly("r");
      assertThat(cluster.memory.toKill()).isEmpty();
      assertThat(cluster.memory.executions().ended("r").orElseThrow().cause())
          .isEqualTo("node-lost");
    }

    @Test
    void comeFromTasksThatRunForTooLong() {
      TestNode node = cluster.node("n");
      Task task = cluster.runs("r", 1, node, vector(1, 0)).currentTask().orElseThrow();
      cluster.memory.taskRunning(task.id(), NOW);
      cluster.memory.checkLimits(NOW.plusSeconds(3600));
      assertThat(cluster.memory.toKill()).isEmpty();
      cluster.memory.checkLimits(NOW.plusSeconds(3601));
      assertThat(cluster.memory.toKill()).containsExactly(task);
      cluster.memory.taskEnded(task.id(), End.KILLED, NOW);
      assertThat(cluster.memory.executions().ended("r").orElseThrow().cause())
          .isEqualTo("task-timeout");
    }
  }

  @Test
  void areInTheOrderOfPriorityThenName() {
    List<String> ids =
        List.of("", "-", "a", "aa", "abcdefgh", "abcdefghi", "abcdefghj", "abcdefg\u00e9").stream()
            .map(id -> "x" + id)
            .collect(java.util.stream.Collectors.toCollection(java.util.ArrayList::new));
    ids.addAll(List.of("\u00e9", "\u00e9a", "\u00e8z", "\ud83d\udd26", "\uff5e", "z"));
    List<RunningExecution> executions = new java.util.ArrayList<>();
    for (String id : ids) {
      PendingExecution origin = Fixtures.pending(id, id.length() % 2, vector(1, 0));
      executions.add(new RunningExecution(new Placement(origin, "n", "a"), NOW, Step.main(origin)));
    }
    for (RunningExecution a : executions) {
      for (RunningExecution b : executions) {
        int expected = Integer.compare(a.priority(), b.priority());
        if (expected == 0) {
          expected = io.lighthouse.api.Names.compare(a.id(), b.id());
        }
        assertThat(Integer.signum(RunningExecution.MOST_IMPORTANT_FIRST.compare(a, b)))
            .as("%s, %s", a, b)
            .isEqualTo(Integer.signum(expected));
      }
    }
  }

  @Nested
  class TheLimitOfAType {
    @Test
    void isNotHeldByTasksOfALostNode() {
      cluster.memory.catalogue().put(new JobType("type", vector(1, 0), 1, false));
      TestNode gone = cluster.node("gone");
      cluster.runs("r", 1, gone, vector(1, 0));
      gone.agent = "another";
      cluster.node("n");
      cluster.queue("e", 1, vector(1, 0));
      cluster.offers("agent_n", vector(1, 0));
      assertThat(cluster.pass().queue().placements()).hasSize(1);
      Task task = cluster.client.launched.get(0);
      cluster.memory.taskEnded(task.id(), End.FINISHED, NOW);
      cluster.queue("f", 1, vector(1, 0));
      cluster.offers("agent_n", vector(1, 0));
      assertThat(cluster.pass().queue().placements()).as("and in later passes").hasSize(1);
    }

    @Test
    void isHeldByATaskThatIsStillToBeKilled() {
      cluster.memory.catalogue().put(new JobType("type", vector(1, 0), 1, false));
      TestNode node = cluster.node("n");
      cluster.runs("r", 1, node, vector(1, 0));
      cluster.memory.cancel("r", NOW);
      cluster.queue("e", 1, vector(1, 0));
      cluster.offers(node.agent, vector(1, 0));
      assertThat(cluster.pass().queue().excluded()).containsKey("type");
    }
  }

  @Nested
  class Grace {
    private final TestNode node = cluster.node("n");

    private SchedulingReport passAfter(int seconds) {
      return cluster.pass(NOW.plusSeconds(seconds));
    }

    @Test
    void mayLastForever() {
      cluster.policy = SchedulingPolicy.DEFAULT.withNodeGrace(ChronoUnit.FOREVER.getDuration());
      TestNode node = cluster.node("n");
      RunningExecution execution = cluster.runs("r", 1, node, vector(1, 0));
      cluster.nodes.clear();
      assertThat(cluster.pass(NOW).running().away()).containsExactly("r");
      assertThat(cluster.pass(NOW.plusSeconds(1L << 40)).running().away()).containsExactly("r");
      assertThat(execution.status()).isEqualTo(RunningExecution.Status.RUNNING);
    }

    @Test
    void letsANodeBeAwayForAMoment() {
      cluster.policy = SchedulingPolicy.DEFAULT.withNodeGrace(Duration.ofSeconds(30));
      RunningExecution execution = cluster.runs("r", 1, node, vector(1, 0));
      node.nextTasks = false;
      assertThat(passAfter(0).running().away()).containsExactly("r");
      assertThat(passAfter(29).running().away()).containsExactly("r");
      node.nextTasks = true;
      assertThat(passAfter(31).running().away()).isEmpty();
      assertThat(execution.status()).isEqualTo(Status.RUNNING);
      cluster.nodes.clear();
      assertThat(passAfter(40).running().lost()).as("it begins anew").isEmpty();
      assertThat(passAfter(69).running().lost()).isEmpty();
      assertThat(passAfter(70).running().lost()).containsExactly("r");
    }

    @Test
    void isNotGivenToAnotherAgent() {
      cluster.policy = SchedulingPolicy.DEFAULT.withNodeGrace(Duration.ofSeconds(30));
      cluster.runs("r", 1, node, vector(1, 0));
      node.agent = "another";
      assertThat(passAfter(0).running().lost()).containsExactly("r");
    }

    @Test
    void isNoneUnlessAskedFor() {
      cluster.runs("r", 1, node, vector(1, 0));
      node.nextTasks = false;
      assertThat(passAfter(0).running().lost()).containsExactly("r");
      assertThatThrownBy(() -> SchedulingPolicy.DEFAULT.withNodeGrace(Duration.ofSeconds(-1)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("nodeGrace");
    }
  }

  @Nested
  class WhatIsToBeKilled {
    @Test
    void namesANewExecutionThatIsCancelledWhileItsLaunchIsRecorded() {
      TestNode node = cluster.node("n");
      cluster.offers(node.agent, vector(8, 0));
      cluster.queue("e", 1, vector(1, 0));
      TaskRegistry sound = cluster.memory.tasks();
      SchedulingPorts all = cluster.ports;
      cluster.ports =
          all.withTasks(
              new TaskRegistry() {
                @Override
                public List<Task> current() {
                  return sound.current();
                }

                @Override
                public void launched(List<Task> tasks, Instant when) {
                  sound.launched(tasks, when);
                  cluster.memory.cancel("e", when);
                }

                @Override
                public void refused(List<Task> tasks, Instant when) {
                  sound.refused(tasks, when);
                }
              });
      SchedulingReport report = cluster.pass();
      assertThat(cluster.client.launched).hasSize(1);
      assertThat(report.running().toKill()).isEqualTo(cluster.client.launched);
    }
  }

  @Nested
  class Devices {
    private void fourDevicesOfWhichTwoAreUsed() {
      TestNode node = cluster.node("n");
      cluster.runs("r", 1, node, gpus(1, 0, 2));
      cluster.offers(node.agent, gpus(7, 0, 2));
      cluster.queue("e", 1, gpus(1, 0, 1));
    }

    @Test
    void thatAreFreeAreFoundBesideRestoredOnes() {
      fourDevicesOfWhichTwoAreUsed();
      cluster.ports.devices().restore("n", "r", List.of(0, 1));
      cluster.pass();
      assertThat(cluster.ports.devices().of("n", "e")).containsExactly(2);
      assertThat(cluster.ports.devices().of("n", "r")).containsExactly(0, 1);
    }

    @Test
    void thatAreFreeAreFoundBesideThoseThatNobodyRestored() {
      fourDevicesOfWhichTwoAreUsed();
      cluster.pass();
      assertThat(cluster.ports.devices().of("n", "r")).containsExactly(0, 1);
      assertThat(cluster.ports.devices().of("n", "e")).containsExactly(2);
    }

    @Test
    void ofAReplacedNodeAreFreeAlthoughTheOldTaskWasNeverHeardOfAgain() {
      TestNode node = cluster.node("n");
      cluster.offers(node.agent, gpus(8, 0, 1));
      cluster.queue("first", 1, gpus(1, 0, 1));
      cluster.pass();
      node.agent = "another";
      cluster.pass();
      cluster.offers("another", gpus(8, 0, 1));
      cluster.queue("second", 1, gpus(1, 0, 1));
      assertThat(cluster.pass().queue().placements()).hasSize(1);
    }

    @Test
    void ofWhatWasNotCommittedAreGivenBackAtOnce() {
      cluster.node("n");
      cluster.offers("agent_n", gpus(8, 0, 2));
      cluster.queue("a", 1, gpus(1, 0, 1));
      cluster.queue("b", 1, gpus(1, 0, 1));
      SchedulingPorts all = cluster.ports;
      cluster.ports =
          all.withStore(
              (placed, cancelled, when) -> {
                cluster.memory.cancel("a", when);
                return all.store().commit(placed, cancelled, when);
              });
      cluster.pass();
      assertThat(cluster.ports.devices().of("n", "a")).isEmpty();
      assertThat(cluster.ports.devices().of("n", "b")).containsExactly(1);
    }
  }

  @Nested
  class ARestart {
    private final PendingExecution origin = Fixtures.pending("r", 1, vector(2, 0));
    private final Placement placement = new Placement(origin, "n", "agent_n");

    private RunningExecution resume(Progress progress) {
      return RunningExecution.resume(placement, NOW, Step.pullPreMainPost(origin), progress);
    }

    @Test
    void goesOnInTheMiddleOfAnExecution() {
      RunningExecution before = new RunningExecution(placement, NOW, Step.pullPreMainPost(origin));
      before.taskFinished(before.startNextTask().orElseThrow().id(), NOW);
      before.taskLost(before.startNextTask().orElseThrow().id(), NOW);
      Task current = before.startNextTask().orElseThrow();
      assertThat(current.id()).isEqualTo("r/pre/2");

      RunningExecution after = resume(before.progress());
      assertThat(after.progress()).isEqualTo(before.progress());
      assertThat(after.currentTask()).contains(current);
      after.taskFinished(current.id(), NOW);
      assertThat(after.startNextTask().orElseThrow().id()).isEqualTo("r/main/3");
    }

    @Test
    void keepsTheTimeForWhichAnExecutionHasWaited() {
      RunningExecution after =
          resume(new Progress(Status.RUNNING, "", 1, 1, Optional.empty(), NOW));
      assertThat(after.isStarved(NOW.plusSeconds(601), Duration.ofMinutes(10))).isTrue();
      assertThat(after.isStarved(NOW.plusSeconds(600), Duration.ofMinutes(10))).isFalse();
    }

    @Test
    void knowsWhatIsStillToBeKilled() {
      cluster.node("n");
      RunningExecution after =
          resume(new Progress(Status.CANCELED, "", 0, 1, Optional.of("r/pull/0"), NOW));
      cluster.memory.restore(List.of(after), NOW);
      assertThat(ids(cluster.pass().running().toKill())).containsExactly("r/pull/0");
      assertThat(cluster.memory.tasks().current()).hasSize(1);
      cluster.memory.taskEnded("r/pull/0", End.KILLED, NOW);
      assertThat(cluster.memory.executions().ended("r").orElseThrow().status())
          .isEqualTo(Status.CANCELED);
    }

    @Test
    void refusesAProgressThatCannotBe() {
      Instant now = NOW;
      assertThatThrownBy(
              () -> resume(new Progress(Status.COMPLETED, "", 5, 0, Optional.empty(), now)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("progress.step is 5; allowed: 0 to 4");
      assertThatThrownBy(
              () -> resume(new Progress(Status.RUNNING, "", 4, 0, Optional.empty(), now)))
          .hasMessageContaining("progress.step is 4; allowed: 0 to 3");
      assertThatThrownBy(
              () -> resume(new Progress(Status.RUNNING, "", 4, 0, Optional.of("t"), now)))
          .hasMessageContaining("progress.step is 4; allowed: 0 to 3");
      assertThatThrownBy(
              () -> resume(new Progress(Status.RUNNING, "", 0, -1, Optional.empty(), now)))
          .hasMessageContaining("progress.attempts");
    }
  }
}
