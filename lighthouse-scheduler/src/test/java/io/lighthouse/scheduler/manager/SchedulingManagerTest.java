package io.lighthouse.scheduler.manager;

import static io.lighthouse.scheduler.Fixtures.NOW;
import static io.lighthouse.scheduler.Fixtures.assertSame;
import static io.lighthouse.scheduler.Fixtures.type;
import static io.lighthouse.scheduler.Fixtures.vector;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.Fixtures.TestClient;
import io.lighthouse.scheduler.NotPlaced;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.SchedulingReport.Outcome;
import io.lighthouse.scheduler.memory.ClusterDemand;
import io.lighthouse.scheduler.memory.InMemoryNode;
import io.lighthouse.scheduler.memory.InMemoryPorts;
import io.lighthouse.scheduler.memory.InMemorySystemTasks;
import io.lighthouse.scheduler.memory.Maintenance;
import io.lighthouse.scheduler.memory.OfferBook;
import io.lighthouse.scheduler.memory.TaskListener;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The original's own situations for the manager: two nodes, and a queue of A, B and L. */
class SchedulingManagerTest {
  private final OfferBook book = new OfferBook();
  private final InMemoryPorts memory = new InMemoryPorts(book, Maintenance.SCALE, Step::main);
  private final SchedulingManager manager = new SchedulingManager(memory.ports());
  private final TestClient client = new TestClient();
  private int offers;

  @BeforeEach
  void twoReadyNodesAndAQueue() {
    connect("host_1", "agent_1");
    connect("host_2", "agent_2");
    for (String name : List.of("A", "B", "L")) {
      memory.catalogue().put(type(name));
    }
    memory.catalogue().addWorkspace("known");
    queue("A", vector(4, 1024, 300), "known");
    queue("B", vector(8, 512, 445), "known");
    queue("L", vector(125, 12048, 12048), "known");
  }

  /** A node past its first clean-up, image pull and health check. */
  private void connect(String name, String agent) {
    InMemoryNode node = memory.nodes().get(name).orElseGet(() -> memory.nodes().add(name));
    node.online(agent);
    for (int step = 0; step < 2; step++) {
      List<Task> due = node.nodeTasks(NOW);
      memory.tasks().launched(due, NOW);
      due.forEach(task -> memory.tasks().ended(task.id(), TaskListener.End.FINISHED, NOW));
    }
    assertThat(node.isReadyForNewJob()).isTrue();
    assertThat(node.nodeTasks(NOW)).isEmpty();
  }

  private void queue(String id, Resources request, String workspace) {
    memory.queue().add(new PendingExecution(id, id, 1, NOW, request, Set.of(workspace), false));
  }

  private void offer(String agent, Resources resources) {
    book.offer(List.of(new ResourceOffer("o" + offers++, agent, "session", resources, NOW)));
  }

  private void smallOffers() {
    offer("agent_1", vector(2, 1024, 1024));
    offer("agent_2", vector(25, 2048, 2048));
  }

  private int perform() {
    return manager.performScheduling(client, NOW);
  }

  private void assertQueued(String... ids) {
    assertThat(memory.queue().ids()).containsExactly(ids);
  }

  @Nested
  class Scheduling {
    @Test
    void needsATime() {
      assertThatNullPointerException()
          .isThrownBy(() -> manager.runPass(client, null))
          .withMessage("when");
    }

    @Test
    void startsWhatFits() {
      smallOffers();
      assertThat(perform()).isEqualTo(2);
      assertThat(memory.executions().get("A")).isPresent();
      assertThat(memory.executions().get("B")).isPresent();
      assertThat(memory.executions().get("L")).isEmpty();
      assertQueued("L");
      assertThat(client.launched).extracting(Task::execution).containsExactly("A", "B");
    }

    @Test
    void startsAllWhereAllFits() {
      offer("agent_1", vector(2, 1024, 1024));
      offer("agent_2", vector(225, 22048, 22048));
      assertThat(perform()).isEqualTo(3);
      assertQueued();
      assertThat(memory.executions().snapshot()).hasSize(3);
    }

    @Test
    void runsOnlyTheNodesOwnTasksOnANodeThatHasReconnected() {
      memory.nodes().get("host_2").orElseThrow().offline();
      memory.nodes().get("host_2").orElseThrow().online("agent_3");
      offer("agent_3", vector(25, 2048, 2048));
      assertThat(perform()).isEqualTo(2);
      assertThat(client.launchCalls).isEqualTo(1);
      assertThat(client.launched).extracting(Task::name).containsExactly("cleanup", "health-check");
      assertThat(client.launched).extracting(Task::agent).containsOnly("agent_3");
      assertQueued("A", "B", "L");
    }

    @Test
    void startsNothingNewWhileTheSchedulerIsPaused() {
      smallOffers();
      memory.nodes().pauseScheduler(true);
      memory.systemTasks().runOnce("database-update", InMemorySystemTasks.USUAL);
      assertThat(perform()).isZero();
      assertThat(memory.executions().snapshot()).isEmpty();
      assertQueued("A", "B", "L");
    }

    @Test
    void skipsWorkOfTypesThatTheCatalogueDoesNotKnow() {
      smallOffers();
      List.of("A", "B", "L").forEach(memory.catalogue()::remove);
      SchedulingReport report = manager.runPass(client, NOW);
      assertThat(report.launchedTasks()).isZero();
      assertThat(report.queue().notPlaced())
          .extracting(NotPlaced::why)
          .containsOnly(NotPlaced.Why.TYPE_UNKNOWN);
      assertThat(memory.executions().snapshot()).isEmpty();
      assertQueued("A", "B", "L");
    }

    @Test
    void skipsWorkWhoseWorkspaceIsUnknown() {
      smallOffers();
      memory.catalogue().removeWorkspace("known");
      SchedulingReport report = manager.runPass(client, NOW);
      assertThat(report.launchedTasks()).isZero();
      assertThat(report.queue().whyNot("A").orElseThrow().why())
          .isEqualTo(NotPlaced.Why.WORKSPACE_UNKNOWN);
      assertThat(report.queue().whyNot("A").orElseThrow().names()).containsExactly("known");
      assertThat(memory.executions().snapshot()).isEmpty();
      assertQueued("A", "B", "L");
    }

    @Test
    void leavesOutPausedTypes() {
      smallOffers();
      memory.catalogue().put(new JobType("A", vector(1, 128), 0, true));
      SchedulingReport report = manager.runPass(client, NOW);
      assertThat(report.launchedTasks()).isEqualTo(1);
      assertThat(memory.executions().get("B")).isPresent();
      assertThat(report.queue().excluded()).containsEntry("A", NotPlaced.Why.TYPE_PAUSED);
      assertQueued("A", "L");
    }

    @Test
    void keepsToTheMostThatMayRunOfAType() {
      List.of("A", "B", "L").forEach(memory.queue()::remove);
      memory.catalogue().put(new JobType("A", vector(1, 128), 4, false));
      for (int i = 0; i < 6; i++) {
        memory.queue().add(PendingExecution.of("x" + i, "A", 1, NOW, vector(1, 512, 300)));
      }
      PendingExecution origin = PendingExecution.of("r", "A", 1, NOW, vector(1, 128, 10));
      memory
          .executions()
          .add(
              List.of(
                  new RunningExecution(
                      new Placement(origin, "host_1", "agent_1"), NOW, Step.main(origin))));
      offer("agent_1", vector(0, 1024, 1024));
      offer("agent_2", vector(25, 2048, 2048));
      assertThat(perform()).isEqualTo(3);
      assertQueued("x3", "x4", "x5");
    }

    @Test
    void takesCancelledWorkOutOfTheQueueWithoutStartingIt() {
      smallOffers();
      memory.executions().cancel("A", NOW);
      assertThat(perform()).isEqualTo(1);
      assertThat(memory.executions().get("B")).isPresent();
      assertThat(memory.executions().ended("A").orElseThrow().status())
          .isEqualTo(RunningExecution.Status.CANCELED);
      assertQueued("L");
      assertThat(memory.executions().nextMessage().orElseThrow().id()).isEqualTo("A");
      assertThat(memory.executions().nextMessage()).isEmpty();
    }

    @Test
    void startsSystemTasks() {
      smallOffers();
      List.of("A", "B", "L").forEach(memory.queue()::remove);
      memory.systemTasks().runOnce("database-update", InMemorySystemTasks.USUAL);
      memory.systemTasks().service("message-handler", InMemorySystemTasks.USUAL, 2);
      assertThat(perform()).isEqualTo(3);
      assertThat(client.launched)
          .extracting(Task::name)
          .containsOnly("database-update", "message-handler");
      assertThat(memory.systemTasks().due(NOW)).isEmpty();
    }

    @Test
    void doesNothingWithoutAConnection() {
      smallOffers();
      SchedulingReport none = manager.runPass(null, NOW);
      assertThat(none.outcome()).isEqualTo(Outcome.NOT_CONNECTED);
      client.session = "";
      assertThat(manager.runPass(client, NOW).outcome()).isEqualTo(Outcome.NOT_CONNECTED);
      client.session = "session";
      client.connected = false;
      assertThat(perform()).isZero();
      client.connected = true;
      assertThat(perform()).isEqualTo(2);
    }
  }

  @Nested
  class Sums {
    private void largeOffers() {
      offer("agent_1", vector(2, 22048, 1024));
      offer("agent_2", vector(25, 2048, 2048));
      offer("agent_2", vector(225, 1024, 22048));
    }

    @Test
    void theMostOfEachResourceIsTakenOverAllNodes() {
      largeOffers();
      book.refresh("session", List.of(), NOW);
      assertSame(book.largestPerResource(), vector(250, 22048, 24096));
    }

    @Test
    void theClusterIsTheSumOfItsNodes() {
      largeOffers();
      book.refresh("session", List.of(), NOW);
      assertSame(book.clusterTotal(), vector(252, 25120, 25120, 0));
    }

    @Test
    void nothingIsStoredOfAnEmptyCluster() {
      perform();
      assertThat(memory.events().clusterTotal()).isEmpty();
    }

    @Test
    void theSumIsStoredAPassLater() {
      largeOffers();
      perform();
      assertThat(memory.events().clusterTotal()).isEmpty();
      perform();
      assertSame(memory.events().clusterTotal().orElseThrow(), vector(252, 25120, 25120, 0));
    }

    @Test
    void theDemandIsReckonedByTheJobTypes() {
      largeOffers();
      book.refresh("session", List.of(), NOW);
      memory.events().clusterTotal(book.clusterTotal(), NOW);
      ClusterDemand demand = ClusterDemand.of(memory, Map.of());
      assertSame(demand.cluster(), vector(252, 25120, 25120, 0));
      assertDemand(demand);
    }

    @Test
    void theDemandIsKnownWithoutACluster() {
      perform();
      ClusterDemand demand = ClusterDemand.of(memory, Map.of());
      assertThat(demand.cluster()).isEqualTo(Resources.none());
      assertDemand(demand);
    }

    private void assertDemand(ClusterDemand demand) {
      assertThat(demand.counts())
          .containsEntry(ClusterDemand.Status.PENDING, 0)
          .containsEntry(ClusterDemand.Status.QUEUED, 3)
          .containsEntry(ClusterDemand.Status.RUNNING, 0);
      assertThat(demand.needs())
          .containsEntry(ClusterDemand.Status.PENDING, Resources.none())
          .containsEntry(ClusterDemand.Status.QUEUED, vector(3, 384))
          .containsEntry(ClusterDemand.Status.RUNNING, Resources.none());
    }
  }

  @Test
  void readsTheTimeOfNoClock() {
    smallOffers();
    Instant longAgo = Instant.EPOCH;
    assertThat(manager.runPass(client, longAgo).when()).isEqualTo(longAgo);
  }
}
