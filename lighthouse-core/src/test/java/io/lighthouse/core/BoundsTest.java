package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Bounds;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Bounds of nodes for what fits beside each other on a node. */
class BoundsTest {
  private static final Workload FOUR = Workload.of("four", Resources.of("cpu", 4));

  private static Distributor fleet(int nodes, int cpu) {
    List<Node> all = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      all.add(Node.of("n" + i, Resources.of("cpu", cpu)));
    }
    return Distributors.of(LivingFleet.roundRobin()).nodes(all).build();
  }

  private static int fewest(Distributor fleet, List<Workload> batch) {
    return fleet.advisor().bounds(batch).fewestNodes();
  }

  @Test
  void twoOfFourFitANodeOfTen() {
    assertThat(fewest(fleet(20, 10), FOUR.replicas(10))).isEqualTo(5);
  }

  @Test
  void placedWorkloadsCount() {
    Distributor fleet = fleet(20, 10);
    fleet.assign(Workload.of("placed", Resources.of("cpu", 4)).replicas(2));
    assertThat(fewest(fleet, FOUR.replicas(9))).isEqualTo(6);
  }

  @Test
  void anImmuneWorkloadNeedsNothing() {
    List<Workload> immune = FOUR.withImmunities("cpu").replicas(10);
    assertThat(fewest(fleet(20, 10), immune)).isEqualTo(1);
  }

  @Test
  void whatAWorkloadGivesMakesRoom() {
    List<Workload> batch = new ArrayList<>(FOUR.replicas(4));
    batch.add(Workload.of("gift", Resources.of("cpu", -9)));
    assertThat(fewest(fleet(20, 10), batch)).isEqualTo(1);
  }

  @Test
  void anOverdrawnNodeHoldsMoreThanItsCapacity() {
    Distributor fleet = fleet(1, 10);
    fleet.assign(FOUR.replicas(2));
    fleet.addNode(Node.of("other", Resources.of("cpu", 5)));
    fleet.resize("n0", Resources.of("cpu", 5));
    assertThat(fewest(fleet, List.of())).isEqualTo(1);
  }

  @Test
  void aNodeThatOwesHoldsWhatWasPlacedBefore() {
    Distributor fleet = fleet(1, 10);
    fleet.assign(FOUR.replicas(2));
    fleet.addNode(Node.of("other", Resources.of("cpu", 5)));
    fleet.resize("n0", Resources.of("cpu", -1));
    assertThat(fewest(fleet, List.of())).isEqualTo(1);
  }

  @Test
  void anImmuneWorkloadThatOverdrawsItsNodeLeavesTheBound() {
    Distributor fleet = fleet(20, 10);
    fleet.assign(Workload.of("large", Resources.of("cpu", 30)).withImmunities("cpu"));
    List<Workload> batch = FOUR.replicas(60);

    assertThat(fewest(fleet, FOUR.replicas(10))).isEqualTo(5);
    assertThat(fleet.advisor().bounds(batch).mostPlaced()).isEqualTo(50);
  }

  @Test
  void aNodeOverdrawnByOthersBesideAnImmuneOneHoldsMoreThanItsCapacity() {
    Distributor fleet = fleet(1, 10);
    fleet.assign(FOUR.replicas(2));
    fleet.assign(Workload.of("large", Resources.of("cpu", 30)).withImmunities("cpu"));
    fleet.addNode(Node.of("other", Resources.of("cpu", 5)));
    fleet.resize("n0", Resources.of("cpu", 5));

    assertThat(fewest(fleet, List.of())).isEqualTo(1);
  }

  @Test
  void theLongPartReadsNothingOfTheFleet() {
    Distributor fleet = fleet(20, 10);
    BaseDistributor engine = (BaseDistributor) fleet;
    List<Workload> batch = FOUR.replicas(10);
    Bounds before = fleet.advisor().bounds(batch);

    Supplier<Bounds> rest = engine.run(() -> engine.operations.bounds(batch));
    fleet.assign(Workload.of("other", Resources.of("cpu", 9)).replicas(9));
    fleet.removeNode("n19");

    assertThat(rest.get()).isEqualTo(before).isNotEqualTo(fleet.advisor().bounds(batch));
  }

  @Test
  void theWardOfANodeLeavesTheBound() {
    Distributor fleet = fleet(20, 10);
    fleet.addNode(
        Node.of("warded", Resources.of("cpu", 10).with("ward", Quantity.NEGATIVE_INFINITY)));
    assertThat(fewest(fleet, FOUR.replicas(10))).isEqualTo(5);
  }
}
