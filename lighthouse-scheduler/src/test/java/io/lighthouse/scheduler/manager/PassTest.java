package io.lighthouse.scheduler.manager;

import static io.lighthouse.scheduler.Fixtures.NOW;
import static io.lighthouse.scheduler.Fixtures.assertSame;
import static io.lighthouse.scheduler.Fixtures.gpus;
import static io.lighthouse.scheduler.Fixtures.vector;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.scheduler.Fixtures;
import io.lighthouse.scheduler.Fixtures.TestClient;
import io.lighthouse.scheduler.Fixtures.TestNode;
import io.lighthouse.scheduler.NotPlaced.Why;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.SchedulingReport.Outcome;
import io.lighthouse.scheduler.SchedulingReport.Reservation;
import io.lighthouse.scheduler.memory.TaskListener;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.model.Warning;
import io.lighthouse.scheduler.port.ExecutionStore;
import io.lighthouse.scheduler.port.PortException;
import io.lighthouse.scheduler.port.TaskRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What the original's tests leave out: reservations, failures, and what we do differently. */
class PassTest {
  private final Cluster cluster = new Cluster();

  private static List<String> placed(SchedulingReport report) {
    return report.queue().placements().stream()
        .map(placement -> placement.execution().id() + "@" + placement.node())
        .toList();
  }

  /** The same ports with another store. */
  private void useStore(ExecutionStore store) {
    SchedulingPorts all = cluster.ports;
    cluster.ports = all.withStore(store);
  }

  @Nested
  class Reservations {
    @Test
    void keepANodeFreeOfSmallerWork() {
      TestNode node = cluster.node("n");
      cluster.runs("r", 5, node, vector(2, 0));
      cluster.offers(node.agent, vector(8, 0));
      cluster.queue("large", 1, vector(9, 0));
      cluster.queue("small", 5, vector(1, 0));
      SchedulingReport report = cluster.pass();
      assertThat(report.queue().placements()).isEmpty();
      assertThat(report.queue().reservations()).containsExactly(new Reservation("n", "large", 1));
      assertThat(report.queue().whyNot("large").orElseThrow().why())
          .isEqualTo(Why.NO_ROOM_RESERVED);
      assertThat(report.queue().whyNot("large").orElseThrow().names()).containsExactly("n");
      assertThat(report.queue().whyNot("large").orElseThrow().shortOn()).containsEntry("cpus", 1);
      assertThat(report.queue().whyNot("small").orElseThrow().why()).isEqualTo(Why.NO_ROOM);
    }

    @Test
    void areNotMadeAgainstMoreImportantWork() {
      TestNode node = cluster.node("n");
      cluster.runs("r", 5, node, vector(2, 0));
      cluster.offers(node.agent, vector(8, 0));
      cluster.queue("large", 6, vector(9, 0));
      cluster.queue("small", 7, vector(1, 0));
      SchedulingReport report = cluster.pass();
      assertThat(placed(report)).containsExactly("small@n");
      assertThat(report.queue().reservations()).isEmpty();
    }

    @Test
    void takeOneNodeForEachLargeEntry() {
      for (String name : List.of("n1", "n2", "n3")) {
        TestNode node = cluster.node(name);
        cluster.runs("r" + name, 50, node, vector(6, 0));
        cluster.offers(node.agent, vector(4, 0));
      }
      cluster.queue("a8", 1, vector(8, 0));
      cluster.queue("b8", 1, vector(8, 0));
      cluster.queue("c4", 60, vector(4, 0));
      cluster.queue("d1", 60, vector(1, 0));
      SchedulingReport report = cluster.pass();
      assertThat(report.queue().reservations())
          .extracting(Reservation::node)
          .containsExactly("n1", "n2");
      assertThat(placed(report)).containsExactly("c4@n3");
      assertThat(report.queue().whyNot("d1").orElseThrow().why()).isEqualTo(Why.NO_ROOM);
    }

    @Test
    void canBeTurnedOff() {
      cluster.policy = SchedulingPolicy.DEFAULT.withReserve(false);
      TestNode node = cluster.node("n");
      cluster.runs("r", 5, node, vector(2, 0));
      cluster.offers(node.agent, vector(8, 0));
      cluster.queue("large", 1, vector(9, 0));
      cluster.queue("small", 5, vector(1, 0));
      assertThat(placed(cluster.pass())).containsExactly("small@n");
    }

    @Test
    void lastForOnePass() {
      TestNode node = cluster.node("n");
      RunningExecution running = cluster.runs("r", 5, node, vector(2, 0));
      cluster.offers(node.agent, vector(8, 0));
      cluster.queue("large", 1, vector(9, 0));
      cluster.queue("small", 5, vector(1, 0));
      cluster.pass();
      cluster.memory.executions().cancel("large", NOW);
      cluster.offers(node.agent, vector(8, 0));
      assertThat(placed(cluster.pass())).containsExactly("small@n");
      assertThat(running.status()).isEqualTo(RunningExecution.Status.RUNNING);
    }
  }

  @Nested
  class WaitingWork {
    @Test
    void thatStarvesKeepsItsNodeFromNewWork() {
      TestNode node = cluster.node("n");
      cluster.committed("r", 1, node, vector(10, 0));
      cluster.offers(node.agent, vector(8, 0));
      cluster.queue("small", 1, vector(1, 0));
      SchedulingReport report = cluster.pass();
      assertThat(report.launchedTasks()).isZero();
      assertThat(report.running().waiting()).hasSize(1);
      assertThat(report.running().waiting().get(0).task().execution()).isEqualTo("r");
    }

    @Test
    void isAShortageFromTheTenthPassOn() {
      TestNode node = cluster.node("n");
      cluster.committed("r", 1, node, vector(10, 0));
      for (int pass = 1; pass <= 11; pass++) {
        SchedulingReport report = cluster.pass();
        assertThat(report.running().waiting().get(0).passes()).isEqualTo(pass);
        if (pass < 10) {
          assertThat(report.running().shortages()).isEmpty();
        } else {
          assertThat(report.running().shortages()).containsOnlyKeys(node.agent);
          assertSame(report.running().shortages().get(node.agent), vector(10, 0));
        }
      }
    }

    @Test
    void isNoShortageWhereOnePassDidNotWait() {
      TestNode node = cluster.node("n");
      Task check = Task.node("check", "check", node.agent, vector(1, 0));
      node.due.add(check);
      for (int pass = 1; pass < 10; pass++) {
        cluster.pass();
      }
      node.due.clear();
      cluster.pass();
      node.due.add(check);
      assertThat(cluster.pass().running().waiting().get(0).passes()).isEqualTo(1);
    }

    @Test
    void starvesAfterTenMinutes() {
      TestNode node = cluster.node("n");
      PendingExecution origin = Fixtures.pending("r", 1, vector(2, 0));
      RunningExecution execution =
          new RunningExecution(
              new Placement(origin, "n", node.agent), NOW, Step.pullPreMainPost(origin));
      cluster.memory.executions().add(List.of(execution));
      cluster.offers(node.agent, vector(2, 0));
      cluster.pass();
      Task pull = execution.currentTask().orElseThrow();
      execution.taskFinished(pull.id(), NOW);
      SchedulingReport atNine = cluster.pass(NOW.plusSeconds(9 * 60));
      assertThat(atNine.running().starved()).isEmpty();
      SchedulingReport atEleven = cluster.pass(NOW.plusSeconds(11 * 60));
      assertThat(atEleven.running().starved()).containsExactly("r");
      assertThat(execution.failure()).contains("resource-starvation");
      assertThat(cluster.memory.executions().snapshot()).isEmpty();
    }

    @Test
    void isNotFailedInThePassThatHasRoomForIt() {
      TestNode node = cluster.node("n");
      PendingExecution origin = Fixtures.pending("r", 1, vector(2, 0));
      RunningExecution execution =
          new RunningExecution(
              new Placement(origin, "n", node.agent), NOW, Step.pullPreMainPost(origin));
      cluster.memory.executions().add(List.of(execution));
      execution.taskFinished(execution.startNextTask().orElseThrow().id(), NOW);
      cluster.offers(node.agent, vector(2, 0));
      SchedulingReport late = cluster.pass(NOW.plusSeconds(3600));
      assertThat(late.running().starved()).isEmpty();
      assertThat(late.launchedTasks()).isEqualTo(1);
    }

    @Test
    void starvesAlsoBeforeItsFirstTask() {
      // In the original it never does, and keeps its node from new work for good.
      TestNode node = cluster.node("n");
      cluster.committed("r", 1, node, vector(10, 0));
      assertThat(cluster.pass(NOW.plusSeconds(9 * 60)).running().starved()).isEmpty();
      assertThat(cluster.pass(NOW.plusSeconds(11 * 60)).running().starved()).containsExactly("r");
      assertThat(cluster.memory.executions().ended("r").orElseThrow().cause())
          .isEqualTo("resource-starvation");
    }

    @Test
    void isLostWithTheSessionOfItsNode() {
      TestNode node = cluster.node("n");
      RunningExecution running = cluster.runs("r", 1, node, vector(2, 0));
      cluster.committed("w", 1, node, vector(2, 0));
      node.agent = "another";
      assertThat(cluster.pass().running().lost()).containsExactly("r", "w");
      assertThat(running.failure()).contains("node-lost");
      assertThat(cluster.memory.executions().ended("w")).isPresent();
      assertThat(cluster.memory.executions().ended("r")).isEmpty();
      assertThat(cluster.memory.toKill()).extracting(Task::execution).containsExactly("r");
    }

    @Test
    void takesItsTurnByImportance() {
      TestNode node = cluster.node("n");
      cluster.committed("z", 1, node, vector(2, 0));
      cluster.committed("a", 2, node, vector(2, 0));
      cluster.offers(node.agent, vector(3, 0));
      cluster.pass();
      assertThat(cluster.client.launched).extracting(Task::execution).containsExactly("z");
    }
  }

  @Nested
  class SystemTasks {
    @Test
    void thatDoNotFitHoldAllNewWorkBack() {
      cluster.node("n");
      cluster.offers("agent_n", vector(2, 600));
      cluster.memory.systemTasks().service("handler", vector("0.5", 512), 2);
      cluster.queue("small", 1, vector(1, 10));
      SchedulingReport report = cluster.pass();
      assertThat(report.launchedTasks()).isEqualTo(1);
      assertThat(report.outcome()).isEqualTo(Outcome.NEW_WORK_HELD_BACK);
      assertThat(cluster.memory.queue().ids()).containsExactly("small");
      assertThat(cluster.memory.events().active(NOW))
          .extracting(Warning::kind)
          .containsExactly(Warning.Kind.WAITING_SYSTEM_TASKS);
    }

    @Test
    void goToANodeThatIsReadyForThem() {
      // The original asks the paused node, whose score is better, and then gives up.
      TestNode paused = cluster.node("a");
      paused.systemTasks = false;
      paused.newJobs = false;
      cluster.node("b");
      cluster.memory.catalogue().put(JobType.of("t", vector(1, 100)));
      cluster.offers("agent_a", vector("0.5", 512));
      cluster.offers("agent_b", vector(8, 16384));
      cluster.memory.systemTasks().runOnce("update", vector("0.5", 512));
      cluster.queue("small", 1, vector(1, 10));
      SchedulingReport report = cluster.pass();
      assertThat(report.launchedTasks()).isEqualTo(2);
      assertThat(cluster.client.launched).extracting(Task::agent).containsOnly("agent_b");
    }

    @Test
    void holdNothingBackWhereNoNodeIsReadyForNewWork() {
      // So it is while the scheduler is paused.
      TestNode node = cluster.node("n");
      node.newJobs = false;
      node.systemTasks = false;
      cluster.offers(node.agent, vector(8, 16384));
      cluster.memory.systemTasks().service("handler", vector("0.5", 512), 1);
      cluster.queue("small", 1, vector(1, 10));
      SchedulingReport report = cluster.pass();
      assertThat(report.outcome()).isEqualTo(Outcome.DONE);
      assertThat(report.running().waiting()).hasSize(1);
      assertThat(report.launchedTasks()).isZero();
    }

    @Test
    void thatNobodyCanNameHoldNewWorkBackButNotWhatRuns() {
      TestNode node = cluster.node("n");
      cluster.offers(node.agent, vector(4, 0));
      cluster.committed("r", 1, node, vector(1, 0));
      cluster.queue("small", 1, vector(1, 0));
      SchedulingPorts all = cluster.ports;
      cluster.ports =
          all.withSystemTasks(
              when -> {
                throw new IllegalStateException("no answer");
              });
      SchedulingReport report = cluster.pass();
      assertThat(report.outcome()).isEqualTo(Outcome.NEW_WORK_HELD_BACK);
      assertThat(report.failures()).hasSize(1);
      assertThat(cluster.client.launched).extracting(Task::execution).containsExactly("r");
    }
  }

  @Nested
  class TheQueue {
    @Test
    void isJudgedEntryByEntryNotTypeByType() {
      cluster.node("n");
      cluster.offers("agent_n", vector(8, 0));
      cluster.queue("a-oversized", 1, vector(9, 0));
      cluster.queue("b-unknown", 1, vector(1, 0).with("unobtainium", 1));
      cluster.queue("c-fine", 1, vector(1, 0));
      SchedulingReport report = cluster.pass();
      assertThat(placed(report)).containsExactly("c-fine@n");
      assertThat(report.queue().whyNot("a-oversized").orElseThrow().why())
          .isEqualTo(Why.RESOURCE_TOO_LARGE);
      assertThat(report.queue().whyNot("a-oversized").orElseThrow().names())
          .containsExactly("cpus");
      assertThat(report.queue().whyNot("b-unknown").orElseThrow().why())
          .isEqualTo(Why.RESOURCE_UNKNOWN);
      assertThat(report.queue().whyNot("b-unknown").orElseThrow().names())
          .containsExactly("unobtainium");
      assertThat(cluster.memory.events().active(NOW))
          .containsExactly(new Warning(Warning.Kind.TOO_LARGE, "type", List.of("cpus")));
    }

    @Test
    void clearsTheWarningOfATypeThatNothingKnowsAnyMore() {
      TestNode node = cluster.node("n");
      cluster.offers(node.agent, vector(8, 8192));
      cluster.memory.queue().add(PendingExecution.of("e", "stranger", 1, NOW, vector(1, 0)));
      cluster.pass();
      node.newJobs = false;
      cluster.memory.queue().remove("e");
      cluster.pass();
      assertThat(cluster.memory.events().active(NOW)).as("the queue was not read").hasSize(1);
      node.newJobs = true;
      cluster.pass();
      assertThat(cluster.memory.events().active(NOW)).isEmpty();
    }

    @Test
    void keepsTheWarningOfAnUnknownTypeWhileNotAllOfTheQueueIsLookedAt() {
      cluster.policy = SchedulingPolicy.DEFAULT.withQueueWindow(1);
      cluster.node("n");
      cluster.offers("agent_n", vector(8, 8192));
      cluster.memory.queue().add(PendingExecution.of("e", "stranger", 2, NOW, vector(1, 0)));
      cluster.pass();
      cluster.queue("first", 1, vector(8, 0));
      cluster.pass();
      assertThat(cluster.memory.events().active(NOW)).as("e waits behind first").hasSize(1);
      cluster.memory.queue().remove("e");
      cluster.memory.queue().remove("first");
      cluster.pass();
      assertThat(cluster.memory.events().active(NOW)).isEmpty();
    }

    @Test
    void clearsTheWarningOfATypeThatIsMetAgain() {
      cluster.node("n");
      cluster.offers("agent_n", vector(8, 0));
      cluster.queue("large", 1, vector(9, 0));
      cluster.pass();
      cluster.memory.executions().cancel("large", NOW);
      cluster.queue("fine", 1, vector(1, 0));
      cluster.offers("agent_n", vector(8, 0));
      cluster.pass();
      assertThat(cluster.memory.events().active(NOW)).isEmpty();
    }

    @Test
    void clearsTheWarningOfATypeWhoseWorkIsCancelled() {
      cluster.node("n");
      cluster.offers("agent_n", vector(8, 0));
      cluster.queue("large", 1, vector(9, 0));
      cluster.pass();
      cluster.memory.executions().cancel("large", NOW);
      cluster.pass();
      assertThat(cluster.memory.events().active(NOW)).isEmpty();
    }

    @Test
    void clearsTheWarningOfAnUnknownTypeThatIsPausedOnceItIsKnown() {
      TestNode node = cluster.node("n");
      cluster.offers(node.agent, vector(8, 8192));
      cluster.memory.queue().add(PendingExecution.of("e", "stranger", 1, NOW, vector(1, 0)));
      cluster.pass();
      cluster.memory.catalogue().put(new JobType("stranger", vector(1, 0), 0, true));
      cluster.pass();
      assertThat(cluster.memory.events().active(NOW)).isEmpty();
    }

    @Test
    void keepsTheWarningOfAPausedTypeWhoseWorkIsTooLarge() {
      cluster.node("n");
      cluster.offers("agent_n", vector(8, 0));
      cluster.queue("large", 1, vector(9, 0));
      cluster.pass();
      cluster.memory.catalogue().put(new JobType("type", vector(1, 0), 0, true));
      cluster.pass();
      assertThat(cluster.memory.events().active(NOW)).as("its work is not read").hasSize(1);
    }

    @Test
    void replacesTheWarningOfATypeThatIsKnownNowAndWhoseWorkIsTooLarge() {
      cluster.node("n");
      cluster.offers("agent_n", vector(8, 8192));
      cluster.memory.queue().add(PendingExecution.of("e", "stranger", 1, NOW, vector(9, 0)));
      cluster.pass();
      cluster.memory.catalogue().put(new JobType("stranger", vector(1, 0), 0, false));
      cluster.pass();
      assertThat(cluster.memory.events().active(NOW))
          .extracting(Warning::kind)
          .containsExactly(Warning.Kind.TOO_LARGE);
    }

    @Test
    void meetsARequestOfNothingOfAnUnknownResource() {
      cluster.node("n");
      cluster.offers("agent_n", vector(8, 0));
      cluster.queue("tagged", 1, vector(1, 0).with("nice-castle", 0));
      assertThat(placed(cluster.pass())).containsExactly("tagged@n");
    }

    @Test
    void losesCancelledEntriesWhateverElseIsTheMatter() {
      // The original leaves them where the type is paused or no node is ready.
      cluster.memory.catalogue().put(new JobType("type", vector(1, 0), 0, true));
      cluster.queue("gone", 1, vector(1, 0));
      cluster.memory.executions().cancel("gone", NOW);
      SchedulingReport report = cluster.pass();
      assertThat(report.queue().cancelled()).containsExactly("gone");
      assertThat(cluster.memory.queue().size()).isZero();
    }

    @Test
    void isLookedAtUpToItsWindow() {
      cluster.policy = SchedulingPolicy.DEFAULT.withQueueWindow(2).withReserve(false);
      cluster.node("n");
      cluster.offers("agent_n", vector(8, 0));
      cluster.queue("a", 1, vector(100, 0));
      cluster.queue("b", 1, vector(100, 0));
      cluster.queue("c", 1, vector(1, 0));
      assertThat(cluster.pass().queue().placements()).isEmpty();
    }

    @Test
    void goesByPriorityThenTime() {
      cluster.node("n");
      cluster.offers("agent_n", vector(2, 0));
      cluster
          .memory
          .queue()
          .add(PendingExecution.of("young", "type", 5, NOW.plusSeconds(2), vector(1, 0)));
      cluster
          .memory
          .queue()
          .add(PendingExecution.of("older", "type", 5, NOW.plusSeconds(1), vector(1, 0)));
      cluster.queue("urgent", 1, vector(1, 0));
      assertThat(placed(cluster.pass())).containsExactly("urgent@n", "older@n");
    }

    @Test
    void fillsTheTightestNodeFirst() {
      cluster.memory.catalogue().put(JobType.of("t2", vector(2, 4096)));
      cluster.memory.catalogue().put(JobType.of("t3", vector(4, 8192)));
      cluster.node("a");
      cluster.node("b");
      cluster.offers("agent_a", vector(8, 16384));
      cluster.offers("agent_b", vector(3, 6144));
      cluster.queue("e", 1, vector(2, 4096));
      assertThat(placed(cluster.pass())).containsExactly("e@b");
    }

    @Test
    void stopsAtDevicesThatTheLedgerDoesNotHave() {
      TestNode node = cluster.node("n");
      cluster.ports.devices().learn("n", Fixtures.offering(gpus(0, 0, 1)));
      RunningExecution other = cluster.runs("other", 1, node, vector(0, 0));
      cluster.ports.devices().reserve("n", other.id(), gpus(0, 0, 1));
      cluster.offers(node.agent, gpus(8, 0, 1));
      cluster.queue("e", 1, gpus(1, 0, 1));
      SchedulingReport report = cluster.pass();
      assertThat(report.queue().whyNot("e").orElseThrow().why()).isEqualTo(Why.DEVICE_REFUSED);
      assertThat(report.queue().reservations()).isEmpty();
    }

    @Test
    void givesOutNoDeviceThatTheNodeDoesNotHave() {
      TestNode node = cluster.node("n");
      cluster.offers(node.agent, gpus(8, 0, 2));
      cluster.queue("first", 1, gpus(1, 0, 2));
      cluster.pass();
      // The task has ended, and its devices are offered again before its end is reported.
      cluster.offers(node.agent, gpus(8, 0, 2));
      cluster.queue("second", 1, gpus(1, 0, 2));
      SchedulingReport early = cluster.pass();
      assertThat(early.queue().whyNot("second").orElseThrow().why()).isEqualTo(Why.DEVICE_REFUSED);
      assertThat(cluster.ports.devices().free("n")).isEmpty();

      Task task = cluster.client.launched.get(0);
      cluster.memory.tasks().ended(task.id(), TaskListener.End.FINISHED, NOW);
      cluster.offers(node.agent, gpus(8, 0, 2));
      assertThat(placed(cluster.pass())).containsExactly("second@n");
      assertThat(cluster.ports.devices().of("n", "second")).containsExactly(0, 1);
      assertThat(cluster.ports.devices().free("n")).isEmpty();
    }

    @Test
    void givesBackTheDevicesOfExecutionsThatAreOver() {
      TestNode node = cluster.node("n");
      cluster.offers(node.agent, gpus(8, 0, 1));
      cluster.queue("first", 1, gpus(1, 0, 1));
      cluster.pass();
      assertThat(cluster.ports.devices().of("n", "first")).containsExactly(0);
      Task task = cluster.client.launched.get(0);
      cluster.memory.tasks().ended(task.id(), TaskListener.End.FINISHED, NOW);
      cluster.offers(node.agent, gpus(8, 0, 1));
      cluster.queue("second", 1, gpus(1, 0, 1));
      assertThat(placed(cluster.pass())).containsExactly("second@n");
    }
  }

  @Nested
  class AFailingStore {
    @Test
    void undoesNewWorkOnEveryNodeAlsoOnReservedOnes() {
      // The original forgets a node that was reserved after it had accepted something.
      TestNode node = cluster.node("n");
      cluster.runs("r", 50, node, vector(2, 0));
      cluster.committed("w", 1, node, vector(1, 0));
      cluster.offers(node.agent, gpus(8, 0, 2));
      cluster.queue("a", 1, gpus(1, 0, 1));
      cluster.queue("b", 2, vector(8, 0));
      useStore(
          (placed, cancelled, when) -> {
            throw new IllegalStateException("the database is away");
          });
      SchedulingReport report = cluster.pass();
      assertThat(report.outcome()).isEqualTo(Outcome.NEW_WORK_ROLLED_BACK);
      assertThat(report.queue().placements()).isEmpty();
      assertThat(report.queue().whyNot("a").orElseThrow().why()).isEqualTo(Why.ROLLED_BACK);
      assertThat(report.failures().get(0))
          .isInstanceOf(PortException.class)
          .hasMessageContaining("ExecutionStore")
          .hasMessageContaining("the database is away");
      assertThat(cluster.memory.queue().ids()).containsExactly("a", "b");
      assertThat(cluster.client.launched).extracting(Task::execution).containsExactly("w");
      assertThat(cluster.ports.devices().free("n")).containsExactly(0, 1);
      assertThat(report.sent().launches().get(0).tasks()).hasSize(1);
    }

    @Test
    void thatReturnsFewerLeavesTheOthersInTheQueue() {
      cluster.node("n");
      cluster.offers("agent_n", vector(8, 0));
      cluster.queue("a", 1, vector(1, 0));
      cluster.queue("b", 1, vector(1, 0));
      ExecutionStore store = cluster.memory.executions();
      useStore(
          (placed, cancelled, when) -> {
            cluster.memory.executions().cancel("a", when);
            return store.commit(placed, cancelled, when);
          });
      SchedulingReport report = cluster.pass();
      assertThat(placed(report)).containsExactly("b@n");
      assertThat(report.queue().whyNot("a").orElseThrow().why()).isEqualTo(Why.GONE);
      assertThat(report.launchedTasks()).isEqualTo(1);
    }
  }

  @Nested
  class AFailingClient {
    @Test
    void countsWhatItCouldNotLaunchAndDeclinesItsOffersLater() {
      cluster.node("n");
      cluster.offers("agent_n", vector(8, 0));
      cluster.queue("a", 1, vector(1, 0));
      cluster.client.failLaunch = true;
      SchedulingReport report = cluster.pass();
      assertThat(report.launchedTasks()).isEqualTo(1);
      assertThat(report.sent().launches().get(0).failed()).isTrue();
      assertThat(report.counts()).containsEntry("failed_launches", 1L);
      assertThat(cluster.memory.tasks().current()).hasSize(1);
      cluster.client.failLaunch = false;
      cluster.pass();
      assertThat(cluster.client.declined).extracting(ResourceOffer::id).containsExactly("o0");
    }

    @Test
    void thatCannotDeclineLaunchesAllTheSame() {
      // The original leaves the pass before the launch, and forgets the offers.
      cluster.node("n");
      cluster.node("m");
      cluster.offers("agent_n", vector(8, 0));
      cluster.offers("agent_m", vector("0.5", 0));
      cluster.queue("a", 1, vector(1, 0));
      cluster.client.failDecline = true;
      SchedulingReport report = cluster.pass();
      assertThat(report.launchedTasks()).isEqualTo(1);
      assertThat(report.sent().declined()).isEmpty();
      assertThat(report.failures()).hasSize(1);
      cluster.client.failDecline = false;
      assertThat(cluster.pass().sent().declined())
          .extracting(ResourceOffer::id)
          .containsExactly("o1");
      assertThat(cluster.pass().sent().declined()).isEmpty();
    }

    @Test
    void thatCannotEvenBeRecordedLaunchesNothing() {
      TestNode node = cluster.node("n");
      RunningExecution execution = cluster.committed("r", 1, node, vector(1, 0));
      cluster.offers(node.agent, vector(8, 0));
      SchedulingPorts all = cluster.ports;
      cluster.ports =
          all.withTasks(
              new TaskRegistry() {
                @Override
                public List<Task> current() {
                  return List.of();
                }

                @Override
                public void launched(List<Task> tasks, Instant when) {
                  throw new IllegalStateException("no room on disk");
                }

                @Override
                public void refused(List<Task> tasks, Instant when) {}
              });
      SchedulingReport report = cluster.pass();
      assertThat(report.launchedTasks()).isZero();
      assertThat(report.sent().dropped()).hasSize(1);
      assertThat(cluster.client.launchCalls).isZero();
      assertThat(execution.isNextTaskReady()).isTrue();
      assertThat(cluster.pass().sent().declined()).hasSize(1);
    }
  }

  @Nested
  class InTheMiddleOfAPass {
    @Test
    void aRescindedOfferDropsWorkThatComesBackInTheNextPass() {
      cluster.node("n");
      cluster.offers("agent_n", vector(8, 0));
      cluster.queue("a", 1, vector(1, 0));
      ExecutionStore store = cluster.memory.executions();
      useStore(
          (placed, cancelled, when) -> {
            cluster.book.rescind(List.of("o0"));
            return store.commit(placed, cancelled, when);
          });
      SchedulingReport report = cluster.pass();
      assertThat(report.launchedTasks()).isZero();
      assertThat(placed(report)).containsExactly("a@n");
      assertThat(report.sent().dropped()).extracting(Task::execution).containsExactly("a");
      cluster.offers("agent_n", vector(8, 0));
      assertThat(cluster.pass().launchedTasks()).isEqualTo(1);
    }

    @Test
    void aNewSessionLaunchesNothingOnOldOffers() {
      cluster.node("n");
      cluster.offers("agent_n", vector(8, 0));
      cluster.queue("a", 1, vector(1, 0));
      ExecutionStore store = cluster.memory.executions();
      useStore(
          (placed, cancelled, when) -> {
            cluster.client.session = "another";
            return store.commit(placed, cancelled, when);
          });
      SchedulingReport report = cluster.pass();
      assertThat(report.outcome()).isEqualTo(Outcome.SESSION_CHANGED);
      assertThat(report.launchedTasks()).isZero();
      assertThat(placed(report)).containsExactly("a@n");
      assertThat(cluster.client.declined).isEmpty();
      assertThat(cluster.pass().launchedTasks()).as("the offers are void").isZero();
      cluster.offers("agent_n", vector(8, 0));
      assertThat(cluster.pass().launchedTasks()).isEqualTo(1);
    }

    @Test
    void aCancelledExecutionIsNotLaunchedButItsOfferIsTaken() {
      TestNode node = cluster.node("n");
      RunningExecution execution = cluster.committed("r", 1, node, vector(1, 0));
      cluster.offers(node.agent, vector(8, 0));
      TestClient client =
          new TestClient() {
            @Override
            public void decline(List<ResourceOffer> offers) {
              throw new AssertionError("there is nothing to decline");
            }
          };
      cluster.queue("a", 1, vector(1, 0));
      ExecutionStore store = cluster.memory.executions();
      useStore(
          (placed, cancelled, when) -> {
            execution.cancel();
            return store.commit(placed, cancelled, when);
          });
      SchedulingReport report = cluster.manager().runPass(client, NOW);
      assertThat(report.launchedTasks()).isEqualTo(1);
      assertThat(client.accepted).hasSize(1);
    }

    @Test
    void nobodyMayStartAnother() {
      cluster.node("n");
      cluster.offers("agent_n", vector(8, 0));
      List<Throwable> thrown = new ArrayList<>();
      TestClient client =
          new TestClient() {
            @Override
            public void decline(List<ResourceOffer> offers) {
              try {
                cluster.manager().performScheduling(this, NOW);
              } catch (IllegalStateException expected) {
                thrown.add(expected);
              }
            }
          };
      cluster.manager().performScheduling(client, NOW);
      assertThat(thrown).hasSize(1);
    }
  }

  @Test
  void twoNodesOfOneAgentStopThePassBeforeAnythingHappens() {
    cluster.node("a").agent = "same";
    cluster.node("b").agent = "same";
    assertThatThrownBy(cluster::pass)
        .isInstanceOf(PortException.class)
        .hasMessageContaining("'same'")
        .hasMessageContaining("'a'")
        .hasMessageContaining("'b'");
  }

  @Test
  void offersOfAgentsThatNoNodeHasAreDeclined() {
    cluster.offers("stranger", vector(1, 0), NOW.minusSeconds(60));
    assertThat(cluster.pass().sent().declined()).hasSize(1);
  }

  @Test
  void theReportIsFixedAndCounts() {
    cluster.node("n");
    cluster.offers("agent_n", vector(8, 0));
    cluster.queue("a", 1, vector(1, 0));
    SchedulingReport report = cluster.pass();
    assertThat(report.counts())
        .containsEntry("launched_tasks", 1L)
        .containsEntry("new_executions", 1L)
        .containsEntry("accepted_offers", 1L)
        .containsEntry("declined_offers", 0L);
    assertThatThrownBy(() -> report.queue().excluded().put("x", Why.TYPE_PAUSED))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(Set.copyOf(report.counts().keySet())).hasSize(17);
  }
}
