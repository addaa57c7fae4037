package io.lighthouse.scheduler.manager;

import static io.lighthouse.scheduler.Fixtures.NOW;
import static io.lighthouse.scheduler.Fixtures.pending;
import static io.lighthouse.scheduler.Fixtures.type;
import static io.lighthouse.scheduler.Fixtures.vector;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.scheduler.Fixtures.TestClient;
import io.lighthouse.scheduler.Fixtures.TestNode;
import io.lighthouse.scheduler.NodeChoice;
import io.lighthouse.scheduler.NotPlaced;
import io.lighthouse.scheduler.NotPlaced.Why;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.SchedulingReport.Requeued;
import io.lighthouse.scheduler.memory.FullVisibilityBook;
import io.lighthouse.scheduler.memory.InMemoryPorts;
import io.lighthouse.scheduler.memory.Maintenance;
import io.lighthouse.scheduler.memory.TaskListener;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.PortException;
import io.lighthouse.scheduler.port.RunningExecutions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * A cluster manager that starts some tasks of a launch and refuses others; and filters of nodes.
 */
class RefusedLaunchTest {
  private final Cluster cluster = new Cluster();
  private final Picky client = new Picky();

  /** Refuses the tasks of some executions on some nodes. */
  private static final class Picky extends TestClient {
    final Set<String> refused = new HashSet<>();
    final List<Refusal> more = new ArrayList<>();

    @Override
    public List<Refusal> launch(String node, List<ResourceOffer> offers, List<Task> tasks) {
      List<Refusal> refusals = new ArrayList<>(more);
      List<Task> others = new ArrayList<>();
      for (Task task : tasks) {
        if (refused.contains(task.execution() + task.name() + "@" + node)) {
          refusals.add(new Refusal(task.id(), "no such image"));
        } else {
          others.add(task);
        }
      }
      super.launch(node, offers, others);
      return refusals;
    }
  }

  private SchedulingReport pass(int second) {
    for (TestNode node : cluster.nodes) {
      cluster.offers(node.agent, vector(8, 0));
    }
    return cluster.manager().runPass(client, NOW.plusSeconds(second));
  }

  @Test
  void whatIsRefusedIsTakenBackAtOnceAndTheRestRuns() {
    cluster.node("n");
    cluster.queue("a", 1, vector(1, 0));
    cluster.queue("b", 1, vector(1, 0));
    client.refused.add("amain@n");
    SchedulingReport report = pass(0);
    assertThat(report.launchedTasks()).isEqualTo(1);
    assertThat(report.counts()).containsEntry("refused_tasks", 1L);
    assertThat(report.sent().launches().get(0).refused().get(0).reason())
        .isEqualTo("no such image");
    assertThat(cluster.memory.tasks().current()).extracting(Task::execution).containsExactly("b");
    assertThat(cluster.memory.executions().get("a").orElseThrow().isNextTaskReady()).isTrue();
    client.refused.clear();
    assertThat(pass(1).launchedTasks()).isEqualTo(1);
  }

  @Test
  void afterThreeRefusalsItGoesBackToTheQueueAndAvoidsTheNode() {
    cluster.node("a");
    cluster.queue("e", 1, vector(1, 0));
    client.refused.add("emain@a");
    pass(0);
    assertThat(pass(1).sent().requeued()).isEmpty();
    SchedulingReport third = pass(2);
    assertThat(third.sent().requeued())
        .containsExactly(new Requeued("e", "a", 3, NOW.plusSeconds(2 + 600)));
    assertThat(cluster.memory.queue().get("e")).isPresent();
    assertThat(cluster.memory.executions().get("e")).isEmpty();
    assertThat(cluster.memory.executions().ended("e")).isEmpty();
    assertThat(third.text())
        .contains("refused e/main/2: no such image\n")
        .contains("back to the queue e, refused 3 times, avoids a until ");

    client.refused.clear();
    SchedulingReport alone = pass(3);
    assertThat(alone.queue().whyNot("e").orElseThrow().why()).isEqualTo(Why.NOT_ALLOWED);
    cluster.node("b");
    assertThat(pass(4).queue().placements().get(0).node()).isEqualTo("b");
    assertThat(client.launched).extracting(Task::id).containsExactly("e/main/3");
  }

  @Test
  void aStepThatRanBeforeItRunsAgainUnderANewId() {
    FullVisibilityBook book = new FullVisibilityBook();
    InMemoryPorts memory =
        new InMemoryPorts(
            book,
            Maintenance.NONE,
            entry -> List.of(new Step("pull", entry.request()), new Step("main", entry.request())));
    memory.catalogue().put(type("type"));
    for (String node : List.of("a", "b")) {
      memory.agentConnected(node, "agent_" + node, NOW);
      book.allocatable("agent_" + node, vector(8, 0));
    }
    SchedulingManager manager = new SchedulingManager(memory.ports());
    memory.queue().add(pending("e", 1, vector(1, 0)));
    client.refused.add("emain@a");
    manager.runPass(client, NOW);
    memory.taskEnded("e/pull/0", TaskListener.End.FINISHED, NOW);
    for (int second = 1; second < 5; second++) {
      manager.runPass(client, NOW.plusSeconds(second));
    }
    assertThat(client.launched).extracting(Task::id).containsExactly("e/pull/0", "e/pull/4");
    assertThat(memory.taskEnded("e/pull/0", TaskListener.End.FINISHED, NOW)).isFalse();
    assertThat(memory.tasks().current()).extracting(Task::id).containsExactly("e/pull/4");
  }

  @Test
  void theNodeIsAvoidedOnlyForAWhile() {
    cluster.policy =
        SchedulingPolicy.DEFAULT.withRefusals(
            new SchedulingPolicy.Refusals(1, Duration.ofSeconds(10)));
    cluster.node("a");
    cluster.queue("e", 1, vector(1, 0));
    client.refused.add("emain@a");
    assertThat(pass(0).sent().requeued()).hasSize(1);
    client.refused.clear();
    assertThat(pass(9).queue().placements()).isEmpty();
    assertThat(pass(10).launchedTasks()).isEqualTo(1);
  }

  @Test
  void theNodeIsAvoidedWhereTheExecutionsThatRunForgetItLate() {
    RunningExecutions known = cluster.ports.running();
    List<RunningExecution> late = new ArrayList<>();
    cluster.ports =
        cluster.ports.withRunning(
            new RunningExecutions() {
              @Override
              public List<RunningExecution> snapshot() {
                List<RunningExecution> all = new ArrayList<>(known.snapshot());
                all.addAll(late);
                return all;
              }

              @Override
              public void add(List<RunningExecution> executions) {
                known.add(executions);
              }

              @Override
              public void fail(
                  Collection<RunningExecution> executions, String cause, Instant when) {
                known.fail(executions, cause, when);
              }

              @Override
              public void finished(Collection<RunningExecution> executions, Instant when) {
                if (late.isEmpty()) {
                  late.addAll(executions);
                  throw new IllegalStateException("down");
                }
                late.clear();
              }
            });
    cluster.policy =
        SchedulingPolicy.DEFAULT.withRefusals(
            new SchedulingPolicy.Refusals(1, Duration.ofMinutes(10)));
    cluster.node("a");
    cluster.queue("e", 1, vector(1, 0));
    client.refused.add("emain@a");
    assertThat(pass(0).failures()).hasSize(1);
    client.refused.clear();
    assertThat(pass(1).queue().whyNot("e").orElseThrow().why()).isEqualTo(Why.RUNS);
    assertThat(pass(2).queue().whyNot("e").map(NotPlaced::why)).contains(Why.NOT_ALLOWED);
  }

  @Test
  void theNodeMayBeAvoidedForever() {
    cluster.policy =
        SchedulingPolicy.DEFAULT.withRefusals(
            new SchedulingPolicy.Refusals(1, ChronoUnit.FOREVER.getDuration()));
    cluster.node("a");
    cluster.queue("e", 1, vector(1, 0));
    client.refused.add("emain@a");
    assertThat(pass(0).sent().requeued()).containsExactly(new Requeued("e", "a", 1, Instant.MAX));
    client.refused.clear();
    assertThat(pass(1 << 30).queue().whyNot("e").orElseThrow().why()).isEqualTo(Why.NOT_ALLOWED);
  }

  @Test
  void aLaunchInBetweenBeginsTheCountAnew() {
    cluster.node("a");
    cluster.queue("e", 1, vector(1, 0));
    client.refused.add("emain@a");
    pass(0);
    pass(1);
    client.refused.clear();
    pass(2);
    Task task = client.launched.get(0);
    cluster.memory.taskEnded(task.id(), TaskListener.End.LOST, NOW.plusSeconds(2));
    client.refused.add("emain@a");
    pass(3);
    assertThat(pass(4).sent().requeued()).isEmpty();
    assertThat(pass(5).sent().requeued()).hasSize(1);
  }

  @Test
  void nodeAndSystemTasksAreProposedAgain() {
    TestNode node = cluster.node("n");
    node.due.add(Task.node("check", "check", node.agent, vector(1, 0)));
    cluster.memory.systemTasks().runOnce("update", vector(1, 0));
    client.refused.add("check@n");
    client.refused.add("update@n");
    assertThat(pass(0).launchedTasks()).isZero();
    assertThat(cluster.memory.systemTasks().due(NOW)).hasSize(1);
    assertThat(cluster.memory.tasks().current()).isEmpty();
    client.refused.clear();
    assertThat(pass(1).launchedTasks()).isEqualTo(2);
  }

  @Test
  void aRefusalOfSomethingElseIsAFaultOfTheClient() {
    cluster.node("n");
    cluster.queue("e", 1, vector(1, 0));
    client.more.add(new io.lighthouse.scheduler.port.ClusterClient.Refusal("stranger", "why not"));
    SchedulingReport report = pass(0);
    assertThat(report.launchedTasks()).isEqualTo(1);
    assertThat(report.failures().get(0))
        .isInstanceOf(PortException.class)
        .hasMessageContaining("refused 'stranger'");
  }

  @Test
  void aStoreThatPutsNothingBackTriesAgainOnTheSameNode() {
    SchedulingPorts all = cluster.ports;
    cluster.ports = all.withStore(all.store()::commit);
    cluster.node("a");
    cluster.queue("e", 1, vector(1, 0));
    client.refused.add("emain@a");
    for (int second = 0; second < 5; second++) {
      assertThat(pass(second).sent().requeued()).isEmpty();
    }
    client.refused.clear();
    assertThat(pass(5).launchedTasks()).isEqualTo(1);
  }

  @Nested
  class AFilter {
    @Test
    void isAskedWhereANodeIsChosen() {
      cluster.ports = cluster.ports.withFilter((execution, node) -> !node.name().equals("a"));
      cluster.node("a");
      cluster.node("b");
      cluster.queue("e", 1, vector(1, 0));
      assertThat(pass(0).queue().placements().get(0).node()).isEqualTo("b");
    }

    @Test
    void seesTheNodeAsTheDirectoryNamedIt() {
      List<Object> seen = new ArrayList<>();
      cluster.ports =
          cluster.ports.withFilter(
              (execution, node) -> {
                seen.add(node);
                return true;
              });
      TestNode node = cluster.node("a");
      cluster.queue("e", 1, vector(1, 0));
      pass(0);
      assertThat(seen).isNotEmpty().allMatch(each -> each == node);
    }

    @Test
    void isAskedWhereANodeIsKeptFree() {
      TestNode a = cluster.node("a");
      TestNode b = cluster.node("b");
      cluster.runs("ra", 50, a, vector(2, 0));
      cluster.runs("rb", 50, b, vector(2, 0));
      cluster.ports = cluster.ports.withFilter((execution, node) -> node.name().equals("b"));
      cluster.queue("large", 1, vector(9, 0));
      SchedulingReport report = pass(0);
      assertThat(report.queue().reservations())
          .extracting(SchedulingReport.Reservation::node)
          .containsExactly("b");
    }

    @Test
    void boundsThePlacementStrategiesToo() {
      cluster.policy =
          SchedulingPolicy.DEFAULT.withNodeChoice(
              NodeChoice.installed("round-robin", java.util.Map.of(), java.util.Optional.empty()));
      cluster.ports = cluster.ports.withFilter((execution, node) -> node.name().equals("b"));
      cluster.node("a");
      cluster.node("b");
      cluster.queue("e", 1, vector(1, 0));
      cluster.queue("f", 1, vector(1, 0));
      assertThat(pass(0).queue().placements())
          .extracting(io.lighthouse.scheduler.model.Placement::node)
          .containsExactly("b", "b");
    }

    @Test
    void thatAllowsNoNodeIsTheReason() {
      cluster.ports = cluster.ports.withFilter((execution, node) -> false);
      cluster.node("a");
      cluster.queue("e", 1, vector(1, 0));
      assertThat(pass(0).queue().whyNot("e").orElseThrow().why()).isEqualTo(Why.NOT_ALLOWED);
    }
  }
}
