package io.lighthouse.scheduler;

import static io.lighthouse.scheduler.Fixtures.vector;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.lighthouse.scheduler.SchedulingReport.Outcome;
import io.lighthouse.scheduler.model.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

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
      assertBroken("not offered");
    }

    @Test
    void thatPlacesNothingOfABatchStopsNewWorkOnly() {
      use((BatchPlacer) session -> {});
      assertBroken("declined");
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
