package io.lighthouse.scheduler.manager;

import static io.lighthouse.scheduler.Fixtures.NOW;
import static io.lighthouse.scheduler.Fixtures.vector;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.scheduler.Fixtures.TestClient;
import io.lighthouse.scheduler.NotPlaced;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.memory.FullVisibilityBook;
import io.lighthouse.scheduler.memory.InMemoryPorts;
import io.lighthouse.scheduler.memory.Maintenance;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Offers belong to a session, and are launched, declined or void. */
class SessionsAndOffersTest {
  private final Cluster cluster = new Cluster();

  @Test
  void offersOfAnOldSessionAreNeitherLaunchedNorDeclined() {
    cluster.node("n");
    cluster.offers("agent_n", vector(8, 0));
    cluster.book.refresh("session", List.of(), NOW);
    cluster.client.session = "new";
    cluster.queue("e", 1, vector(1, 0));
    assertThat(cluster.pass().launchedTasks()).isZero();
    assertThat(cluster.client.accepted).isEmpty();
    assertThat(cluster.client.declined).isEmpty();
    cluster.offers("agent_n", vector(8, 0));
    cluster.pass();
    assertThat(cluster.client.accepted).extracting(ResourceOffer::session).containsExactly("new");
  }

  @Test
  void lateOffersOfAnOldSessionAreVoid() {
    cluster.node("n");
    cluster.pass();
    cluster.client.session = "new";
    cluster.pass();
    cluster.client.session = "session";
    cluster.offers("agent_n", vector(8, 0));
    cluster.client.session = "new";
    SchedulingReport report = cluster.pass();
    assertThat(report.sent().declined()).isEmpty();
    assertThat(cluster.book.clearOffers()).isZero();
  }

  @Test
  void offersThatComeBeforeThePassKnowsTheirSessionWaitForTheNext() {
    cluster.node("n");
    cluster.queue("e", 1, vector(1, 0));
    cluster.client.session = "next";
    cluster.offers("agent_n", vector(8, 0));
    cluster.client.session = "session";
    assertThat(cluster.pass().launchedTasks()).isZero();
    cluster.client.session = "next";
    assertThat(cluster.pass().launchedTasks()).isEqualTo(1);
  }

  @Test
  void aBookThatStillLendsOffersOfAnOldSessionIsNotFollowed() {
    cluster.node("n");
    cluster.offers("agent_n", vector(8, 0));
    cluster.queue("e", 1, vector(1, 0));
    SchedulingPorts all = cluster.ports;
    cluster.client.session = "new";
    cluster.ports = all.withBook(new StaleBook(all.book()));
    assertThat(cluster.pass().launchedTasks()).isZero();
    assertThat(cluster.client.launchCalls).isZero();
    assertThat(cluster.client.declined).isEmpty();
  }

  /** A book that takes every session for the first one. */
  private record StaleBook(io.lighthouse.scheduler.port.CapacityBook book)
      implements io.lighthouse.scheduler.port.CapacityBook {
    @Override
    public io.lighthouse.api.Resources clusterTotal() {
      return book.clusterTotal();
    }

    @Override
    public Map<String, io.lighthouse.scheduler.model.NodeCapacity> refresh(
        String session, java.util.Collection<Task> current, java.time.Instant when) {
      return book.refresh("new".equals(session) ? "new" : session, current, when);
    }

    @Override
    public io.lighthouse.api.Resources largestPerResource() {
      return book.largestPerResource();
    }

    @Override
    public Map<String, List<ResourceOffer>> allocate(
        Map<String, io.lighthouse.api.Resources> wanted, java.time.Instant when) {
      return Map.of(
          "agent_n", List.of(new ResourceOffer("x", "agent_n", "session", vector(8, 0), when)));
    }

    @Override
    public List<ResourceOffer> takeUnallocated() {
      return List.of(new ResourceOffer("y", "agent_n", "session", vector(8, 0), NOW));
    }
  }

  @Test
  void aRescindedOfferIsNoLongerOffered() {
    cluster.offers("agent_n", vector(4, 0));
    cluster.offers("agent_n", vector(4, 0));
    cluster.book.refresh("session", List.of(), NOW);
    cluster.book.rescind(List.of("o0"));
    // Six are wanted and four are there: as the original, it gives none of them.
    assertThat(cluster.book.allocate(Map.of("agent_n", vector(6, 0)), NOW)).isEmpty();
    assertThat(cluster.book.takeUnallocated()).extracting(ResourceOffer::id).containsExactly("o1");
  }

  @Nested
  class AnEngineWithoutOffers {
    private final FullVisibilityBook book = new FullVisibilityBook();
    private final InMemoryPorts memory = new InMemoryPorts(book, Maintenance.NONE, Step::main);
    private final SchedulingManager manager = new SchedulingManager(memory.ports());
    private final TestClient client = new TestClient();

    private void oneNode() {
      memory.catalogue().put(JobType.of("type", vector(1, 0)));
      memory.agentConnected("n", "agent", NOW);
      book.allocatable("agent", vector(8, 0));
    }

    private void queue(String id, Object cpus) {
      memory.queue().add(PendingExecution.of(id, "type", 1, NOW, vector(cpus)));
    }

    @Test
    void isNeverToldToDecline() {
      oneNode();
      queue("e", 1);
      client.failLaunch = true;
      manager.runPass(client, NOW);
      client.failLaunch = false;
      client.failDecline = true;
      SchedulingReport report = manager.runPass(client, NOW);
      assertThat(report.sent().declined()).isEmpty();
      assertThat(report.failures()).isEmpty();
    }

    @Test
    void launchesUnderEverySession() {
      oneNode();
      queue("e", 1);
      assertThat(manager.performScheduling(client, NOW)).isEqualTo(1);
      client.session = "another leader";
      queue("f", 1);
      assertThat(manager.performScheduling(client, NOW)).isEqualTo(1);
    }

    @Test
    void isNotGivenWhatOthersUse() {
      oneNode();
      book.foreignUse("agent", vector(3));
      queue("large", 6);
      queue("fits", 5);
      SchedulingReport report = manager.runPass(client, NOW);
      assertThat(report.queue().whyNot("large").orElseThrow().why())
          .isEqualTo(NotPlaced.Why.RESOURCE_TOO_LARGE);
      assertThat(client.launched).extracting(Task::execution).containsExactly("fits");
      book.foreignUse("agent", vector(9));
      assertThat(book.largestPerResource()).isEqualTo(vector(0, 0));
      memory.agentLost("agent", NOW);
      book.allocatable("agent", vector(8, 0));
      assertThat(book.largestPerResource()).isEqualTo(vector(8, 0));
    }
  }
}
