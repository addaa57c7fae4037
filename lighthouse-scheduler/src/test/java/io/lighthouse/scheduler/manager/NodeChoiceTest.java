package io.lighthouse.scheduler.manager;

import static io.lighthouse.scheduler.Fixtures.gpus;
import static io.lighthouse.scheduler.Fixtures.vector;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.scheduler.Fixtures;
import io.lighthouse.scheduler.NodeChoice;
import io.lighthouse.scheduler.NotPlaced;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.SchedulingReport.Outcome;
import io.lighthouse.scheduler.model.NodeCapacity;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.PortException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeChoiceTest {
  private final Cluster cluster = new Cluster();

  private void nodes(int... cpus) {
    for (int i = 0; i < cpus.length; i++) {
      cluster.node("n" + i);
      cluster.offers("agent_n" + i, vector(cpus[i], 100));
    }
  }

  private void offerAgain(int... cpus) {
    for (int i = 0; i < cpus.length; i++) {
      cluster.offers("agent_n" + i, vector(cpus[i], 100));
    }
  }

  private void queue(int... cpus) {
    for (int i = 0; i < cpus.length; i++) {
      cluster.queue("e" + i, 1, vector(cpus[i], 1));
    }
  }

  private List<String> placedOn() {
    return cluster.pass().queue().placements().stream().map(placement -> placement.node()).toList();
  }

  private void use(NodeChoice choice) {
    cluster.policy = SchedulingPolicy.DEFAULT.withNodeChoice(choice);
  }

  private void use(Placer placer) {
    use(fleet -> placer, false);
  }

  private void use(Function<Fleet, Placer> placer, boolean mayDecline) {
    use(
        NodeChoice.of(
            new PlacementStrategy() {
              @Override
              public String name() {
                return "test";
              }

              @Override
              public boolean mayDecline() {
                return mayDecline;
              }

              @Override
              public Placer newPlacer(Fleet fleet, Settings settings) {
                return placer.apply(fleet);
              }
            },
            Map.of(),
            Optional.empty()));
  }

  @Nested
  class Installed {
    @Test
    void prioritizedTakesTheFirst() {
      use(NodeChoice.installed("prioritized", Map.of(), Optional.empty()));
      nodes(4, 1, 4);
      queue(1, 1, 3);
      assertThat(placedOn()).containsExactly("n0", "n0", "n2");
    }

    @Test
    void roundRobinGoesOnFromPassToPass() {
      use(NodeChoice.installed("round-robin", Map.of(), Optional.empty()));
      nodes(4, 4, 4);
      queue(1, 1);
      assertThat(placedOn()).containsExactly("n0", "n1");
      cluster.queue("later", 1, vector(1, 1));
      offerAgain(4, 4, 4);
      assertThat(placedOn()).containsExactly("n2");
    }

    @Test
    void roundRobinIsRestoredByARollBack() {
      use(NodeChoice.installed("round-robin", Map.of(), Optional.empty()));
      nodes(4, 4, 4);
      queue(1);
      boolean[] fails = {true};
      SchedulingPorts all = cluster.ports;
      cluster.ports =
          all.withStore(
              (placed, cancelled, when) -> {
                if (fails[0]) {
                  throw new IllegalStateException("not now");
                }
                return all.store().commit(placed, cancelled, when);
              });
      assertThat(placedOn()).isEmpty();
      fails[0] = false;
      offerAgain(4, 4, 4);
      assertThat(placedOn()).containsExactly("n0");
    }

    @Test
    void binPackTakesTheTightest() {
      use(NodeChoice.installed("bin-pack", Map.of(), Optional.of(Rubric.of("cpus", 1))));
      nodes(9, 3, 5);
      queue(2, 2, 2, 2);
      assertThat(placedOn()).containsExactly("n1", "n2", "n2", "n0");
    }

    @Test
    void ofNoSuchNameIsRefused() {
      assertThatThrownBy(() -> NodeChoice.installed("bin-pak", Map.of(), Optional.empty()))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("bin-pak");
    }

    @Test
    void withASettingThatItDoesNotHaveIsRefused() {
      assertThatThrownBy(
              () -> NodeChoice.installed("prioritized", Map.of("x", "1"), Optional.empty()))
          .isInstanceOf(InvalidInputException.class);
    }
  }

  @Nested
  class TheFleet {
    @Test
    void showsEveryNodeAndOffersThoseThatFit() {
      List<String> seen = new ArrayList<>();
      use(
          fleet ->
              (workload, candidates) -> {
                for (int i = 0; i < fleet.size(); i++) {
                  FleetNode node = fleet.node(i);
                  seen.add(
                      node.index()
                          + node.name()
                          + node.left("cpus").orElse(Quantity.ZERO)
                          + "/"
                          + node.capacity("cpus").orElse(Quantity.ZERO)
                          + "#"
                          + node.placedCount()
                          + node.workloads().stream().map(Workload::name).toList());
                }
                for (FleetNode node : candidates) {
                  seen.add("fits " + node.name());
                }
                return candidates.firstAfter(0);
              },
          false);
      nodes(4, 1, 5);
      cluster.runs("r", 1, cluster.nodes.get(2), vector(1, 1));
      cluster.nodes.get(1).newJobs = false;
      queue(1);
      assertThat(placedOn()).containsExactly("n2");
      assertThat(seen)
          .containsExactly("0n04/4#0[]", "1n11/1#0[]", "2n25/6#1[r]", "fits n0", "fits n2");
    }

    @Test
    void keepsTheObjectOfANodeFromPassToPass() {
      List<FleetNode> seen = new ArrayList<>();
      use(
          fleet ->
              (workload, candidates) -> {
                seen.add(fleet.node(0));
                return candidates.first();
              },
          false);
      nodes(4);
      queue(1);
      cluster.pass();
      offerAgain(4);
      cluster.queue("later", 1, vector(1, 1));
      cluster.pass();
      assertThat(seen).hasSize(2);
      assertThat(seen.get(0)).isSameAs(seen.get(1));
    }

    @Test
    void keepsOrdersUpToDateInBothDirections() {
      use(
          fleet -> {
            NodeOrder emptiest = fleet.orderBy("cpus").descending();
            return (workload, candidates) -> candidates.first(emptiest);
          },
          false);
      nodes(4, 6, 5);
      queue(1, 1, 1, 1);
      assertThat(placedOn()).containsExactly("n1", "n1", "n2", "n0");
    }

    @Test
    void showsWhatElseIsInUseAsOneMoreWorkload() {
      List<String> seen = new ArrayList<>();
      use(
          fleet ->
              (workload, candidates) -> {
                FleetNode node = fleet.node(0);
                seen.add(
                    node.left("cpus").orElseThrow() + "/" + node.capacity("cpus").orElseThrow());
                node.workloads().forEach(each -> seen.add(each.name() + each.requirements()));
                return candidates.first();
              },
          false);
      nodes(9);
      cluster.runs("r", 1, cluster.nodes.get(0), vector(2, 0));
      cluster.nodes.get(0).due.add(Task.node("check", "check", "agent_n0", vector(3, 0)));
      queue(1);
      assertThat(placedOn()).containsExactly("n0");
      assertThat(seen).containsExactly("6/11", "other use of node 'n0'{cpus: 3}", "r{cpus: 2}");
    }

    @Test
    void leavesOutANodeWithMoreThanItsAccountsHold() {
      use(NodeChoice.installed("prioritized", Map.of(), Optional.empty()));
      nodes(4, 4);
      cluster.offers("agent_n0", Resources.of("disk", "1e30"));
      queue(1);
      SchedulingReport report = cluster.pass();
      assertThat(report.queue().placements()).extracting(at -> at.node()).containsExactly("n1");
      assertThat(report.failures().get(0)).hasMessageContaining("resize node 'n0'");
    }

    @Test
    void skipsAnEntryWithMoreThanItsAccountsHold() {
      use(NodeChoice.installed("prioritized", Map.of(), Optional.empty()));
      cluster.node("n");
      cluster.offers("agent_n", Resources.of("cpus", 9, "bytes", "4000000000"));
      cluster.queue("fine", 1, Resources.of("cpus", 1, "bytes", "0.000000001"));
      cluster.queue("large", 2, Resources.of("cpus", 1, "bytes", "1000000000"));
      cluster.queue("next", 3, vector(1));
      SchedulingReport report = cluster.pass();
      assertThat(report.queue().placements())
          .extracting(at -> at.execution().id())
          .containsExactly("fine", "next");
      assertThat(report.queue().reservations()).isEmpty();
      assertThat(report.queue().whyNot("large").orElseThrow().why())
          .isEqualTo(NotPlaced.Why.INVALID);
      assertThat(report.failures().get(0)).hasMessageContaining("'large'");
    }

    @Test
    void followsNodesThatJoinAndLeave() {
      use(NodeChoice.installed("prioritized", Map.of(), Optional.empty()));
      nodes(4, 4);
      queue(1);
      assertThat(placedOn()).containsExactly("n0");
      cluster.node("a");
      cluster.offers("agent_a", vector(4, 100));
      cluster.queue("more", 1, vector(1, 1));
      assertThat(placedOn()).containsExactly("a");
      cluster.nodes.removeIf(node -> !node.name.equals("n1"));
      offerAgain(4, 4);
      cluster.queue("last", 1, vector(1, 1));
      assertThat(placedOn()).containsExactly("n1");
    }

    @Test
    void offersOnlyNodesThatAreAllowedForTheExecution() {
      use(NodeChoice.installed("prioritized", Map.of(), Optional.empty()));
      cluster.ports =
          cluster.ports.withFilter(
              (execution, node) -> execution.id().equals("e0") == node.name().equals("n1"));
      nodes(4, 4, 4);
      queue(1, 1);
      assertThat(placedOn()).containsExactly("n1", "n0");
    }

    @Test
    void namesTheFilterThatFails() {
      use(NodeChoice.installed("prioritized", Map.of(), Optional.empty()));
      cluster.ports =
          cluster.ports.withFilter(
              (execution, node) -> {
                throw new IllegalStateException("no");
              });
      nodes(4);
      queue(1);
      SchedulingReport report = cluster.pass();
      assertThat(report.outcome()).isEqualTo(Outcome.NEW_WORK_ROLLED_BACK);
      assertThat(report.failures().get(0))
          .isInstanceOf(PortException.class)
          .hasMessageContaining("PlacementFilter");
    }

    @Test
    void keepsItsPositionWhereANodeRefusesDevices() {
      use(NodeChoice.installed("round-robin", Map.of(), Optional.empty()));
      for (int i = 0; i < 3; i++) {
        cluster.node("n" + i);
        cluster.offers("agent_n" + i, gpus(4, 4, 1));
      }
      cluster
          .ports
          .devices()
          .learn("n1", new NodeCapacity(gpus(4, 4, 1), gpus(0, 0, 0), gpus(4, 4, 1)));
      cluster.ports.devices().restore("n1", "another", List.of(0));
      cluster.committed("another", 1, cluster.nodes.get(1), gpus(1, 1, 0));
      cluster.queue("a", 1, gpus(1, 1, 0));
      cluster.queue("b", 1, gpus(1, 1, 1));
      cluster.queue("c", 1, gpus(1, 1, 0));
      SchedulingReport report = cluster.pass();
      assertThat(report.queue().whyNot("b").orElseThrow().why())
          .isEqualTo(NotPlaced.Why.DEVICE_REFUSED);
      assertThat(report.queue().placements())
          .extracting(at -> at.node())
          .containsExactly("n0", "n1");
    }

    @Test
    void isUsedOnAnInterruptedThread() {
      use(NodeChoice.installed("prioritized", Map.of(), Optional.empty()));
      nodes(4);
      queue(1);
      Thread.currentThread().interrupt();
      List<String> placed = placedOn();
      assertThat(Thread.interrupted()).isTrue();
      assertThat(placed).containsExactly("n0");
    }

    @Test
    void letsABatchPlacerPlaceABatchOfOne() {
      use(
          (BatchPlacer)
              session -> {
                int mark = session.savepoint();
                session.assign(0, session.candidates(0).first().index());
                session.rollBack(mark);
                for (int node = 0; node < 3; node++) {
                  if (session.nodeOf(0) < 0 && session.fits(0, node)) {
                    session.assign(0, node);
                  }
                }
              });
      nodes(1, 4, 4);
      queue(2);
      assertThat(placedOn()).containsExactly("n1");
    }
  }

  @Nested
  class ANodeThatHasShrunk {
    @ParameterizedTest
    @ValueSource(strings = {"prioritized", "round-robin", "bin-pack", "fewest types left"})
    void takesWhatItHasRoomFor(String strategy) {
      if (!strategy.startsWith("fewest")) {
        use(NodeChoice.installed(strategy, Map.of(), Optional.of(Rubric.of("cpus", 1))));
      }
      cluster.node("n1");
      cluster.book.total("agent_n1", vector(4, 10));
      cluster.offers("agent_n1", vector(4, 10));
      cluster.queue("large", 1, vector(1, 7));
      assertThat(placedOn()).containsExactly("n1");
      cluster.book.total("agent_n1", vector(4, 5));
      cluster.offers("agent_n1", vector(3, 1));
      cluster.queue("small", 1, vector(1));
      cluster.queue("zero", 2, vector(1, 0));
      SchedulingReport report = cluster.pass();
      assertThat(report.failures()).isEmpty();
      assertThat(report.queue().placements())
          .extracting(at -> at.execution().id())
          .containsExactly("small");
      assertThat(report.queue().whyNot("zero").orElseThrow().why())
          .isEqualTo(NotPlaced.Why.NO_ROOM);

      // Another node comes: the fleet is made anew, and the position is put back to the first.
      cluster.memory.cancel("zero", Fixtures.NOW);
      cluster.node("n2");
      cluster.offers("agent_n1", vector(2, 1));
      cluster.queue("more", 1, vector(2));
      SchedulingReport next = cluster.pass();
      assertThat(next.failures()).isEmpty();
      assertThat(next.queue().placements()).extracting(at -> at.node()).containsExactly("n1");
    }
  }

  @Test
  void thePositionOfRoundRobinMayBeOnANodeThatHoldsMoreThanItHas() {
    use(NodeChoice.installed("round-robin", Map.of(), Optional.empty()));
    nodes(4, 4);
    cluster.book.total("agent_n0", vector(4, 10));
    cluster.queue("large", 1, vector(1, 7));
    assertThat(placedOn()).containsExactly("n0");
    cluster.book.total("agent_n0", vector(4, 5));
    offerAgain(3, 4);
    cluster.queue("a", 1, vector(1));
    cluster.queue("b", 1, vector(1));
    assertThat(placedOn()).containsExactly("n1", "n0");

    // It shrinks again, by more than its accounts hold, and another node moves the position.
    cluster.book.total("agent_n0", vector(4, 4, "1e30"));
    cluster.offers("agent_n0", vector(2, 1, "1e30"));
    cluster.nodes.get(1).due.add(Task.node("check", "check", "agent_n1", vector(1)));
    cluster.offers("agent_n1", vector(3, 100));
    cluster.queue("c", 1, vector(1));
    SchedulingReport report = cluster.pass();
    assertThat(report.failures())
        .hasSize(1)
        .allSatisfy(failure -> assertThat(failure).hasMessageContaining("resize node 'n0'"));
    assertThat(report.queue().placements()).extracting(at -> at.node()).containsExactly("n1");
  }

  @Nested
  class NamesAndSettings {
    @Test
    void anExecutionMayHaveTheNameOfAnyWorkloadOfTheFleet() {
      use(NodeChoice.installed("round-robin", Map.of(), Optional.empty()));
      nodes(9, 9);
      cluster.nodes.get(0).due.add(Task.node("check", "check", "agent_n0", vector(1, 0)));
      List<String> names =
          List.of(
              "probe",
              "other use of node 'n0'",
              "'other use of node 'n0'",
              "''other use of node 'n0'",
              "other use of no node");
      for (String name : names) {
        cluster.queue(name, 1, vector(1, 1));
      }
      SchedulingReport report = cluster.pass();
      assertThat(report.failures()).isEmpty();
      assertThat(report.queue().placements())
          .extracting(at -> at.execution().id())
          .containsExactlyInAnyOrderElementsOf(names);
      // They run, and another node makes the fleet anew.
      cluster.node("n2");
      offerAgain(3, 3, 3);
      cluster.queue("more", 2, vector(1, 1));
      SchedulingReport next = cluster.pass();
      assertThat(next.failures()).isEmpty();
      assertThat(next.queue().placements()).extracting(at -> at.node()).containsExactly("n1");
    }

    @Test
    void aNodeThatComesLaterCostsAsMuchAsTheDearest() {
      use(
          NodeChoice.installed(
              "pack", Map.of("goal", "least-cost", "prices", "n0=1,n1=3"), Optional.empty()));
      nodes(4);
      queue(1);
      assertThat(placedOn()).containsExactly("n0");
      cluster.node("a");
      cluster.offers("agent_a", vector(4, 100));
      offerAgain(3);
      cluster.queue("more", 1, vector(1, 1));
      assertThat(placedOn()).containsExactly("n0");
    }

    @Test
    void aStrategyThatNoLongerTakesItsSettingsStopsNewWorkOnly() {
      boolean[] refuses = {false};
      use(
          fleet -> {
            if (refuses[0]) {
              throw new InvalidInputException("settings", "x", "1", "another one");
            }
            return (workload, candidates) -> candidates.first();
          },
          false);
      nodes(4);
      cluster.committed("r", 1, cluster.nodes.get(0), vector(1, 0));
      queue(1);
      cluster.manager();
      refuses[0] = true;
      SchedulingReport report = cluster.pass();
      assertThat(report.outcome()).isEqualTo(Outcome.NEW_WORK_ROLLED_BACK);
      assertThat(report.failures().get(0))
          .isInstanceOf(StrategyException.class)
          .hasMessageContaining("'test'")
          .hasMessageContaining("settings: x is 1");
      assertThat(cluster.client.launched).extracting(Task::execution).containsExactly("r");
    }
  }

  @Nested
  class ABrokenStrategy {
    private void assertBroken(String fault) {
      nodes(4);
      queue(1);
      SchedulingReport report = cluster.pass();
      assertThat(report.outcome()).isEqualTo(Outcome.NEW_WORK_ROLLED_BACK);
      assertThat(report.queue().placements()).isEmpty();
      assertThat(report.failures().get(0))
          .isInstanceOf(StrategyException.class)
          .hasMessageContaining("'test'")
          .hasMessageContaining(fault);
      assertThat(cluster.memory.queue().size()).isEqualTo(1);
    }

    @Test
    void whoseErrorIsPassedOnUndoesNewWorkFirst() {
      nodes(4);
      queue(1);
      StackOverflowError error = new StackOverflowError();
      use(
          (Placer)
              (workload, candidates) -> {
                throw error;
              });
      cluster.committed("r", 1, cluster.nodes.get(0), vector(1, 0));
      assertThatThrownBy(cluster::pass).isSameAs(error);
      assertThat(cluster.memory.queue().ids()).containsExactly("e0");
      assertThat(cluster.client.launched).extracting(Task::execution).containsExactly("r");
    }

    @Test
    void thatThrowsStopsNewWorkOnly() {
      use(
          (Placer)
              (workload, candidates) -> {
                throw new IllegalStateException("no idea");
              });
      assertBroken("threw");
    }

    @Test
    void thatDeclinesUndeclaredStopsNewWorkOnly() {
      use((Placer) (workload, candidates) -> candidates.decline());
      assertBroken("declined");
    }

    @Test
    void thatAnswersNothingStopsNewWorkOnly() {
      use((Placer) (workload, candidates) -> null);
      assertBroken("answered null for workload 'e0'");
    }

    @Test
    void thatPlacesNothingOfABatchStopsNewWorkOnly() {
      use((BatchPlacer) session -> {});
      assertBroken("refused workload 'e0', which fits node 'n0'");
    }
  }

  @Test
  void aStrategyThatMayDeclineIsHeard() {
    use(fleet -> (workload, candidates) -> candidates.decline(), true);
    nodes(4);
    queue(1);
    SchedulingReport report = cluster.pass();
    assertThat(report.queue().whyNot("e0").orElseThrow().why()).isEqualTo(NotPlaced.Why.DECLINED);
    assertThat(report.outcome()).isEqualTo(Outcome.DONE);
  }
}
