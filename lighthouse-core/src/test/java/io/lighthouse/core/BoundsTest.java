package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Bounds;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Bounds of nodes for what fits beside each other on a node. */
class BoundsTest {
  private static final Workload FOUR = Workload.of("four", Resources.of("cpu", 4));

  private static final Workload GIFT = Workload.of("gift", Resources.of("cpu", -1));
  private static final PlanLimits GIFT_STAYS = PlanLimits.NONE.withPinned(Set.of("gift"));

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

  private static int bestOfAPlan(Distributor fleet, PlanGoal goal, PlanLimits limits) {
    return fleet.advisor().plan(goal, limits).bound().best().toBigDecimal().intValueExact();
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
  void nodesThatWereRemovedDoNotCount() {
    Distributor fleet = fleet(3, 10);
    fleet.removeNode("n1");
    List<Workload> tooMany = FOUR.replicas(10);
    assertThat(fewest(fleet, tooMany)).isEqualTo(3).isEqualTo(fewest(fleet.copy(), tooMany));
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
  void aWardHoldsWhatItsNodeHasBroughtAlong() {
    Resources ward = Resources.of("cpu", Quantity.NEGATIVE_INFINITY);
    Distributor fleet = fleet(1, 3);
    fleet.addNode(Node.of("warded", ward).withWorkloads(FOUR));
    assertThat(fewest(fleet, List.of())).isEqualTo(1);
    assertThat(bestOfAPlan(fleet, new PlanGoal.Consolidate(), PlanLimits.NONE)).isZero();
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

  /** The gift makes room on n0, and then on n1; what it leaves on n0 stays there. */
  @Test
  void whatMayMoveGivesMoreThanOnceInAPlan() {
    Distributor fleet = fleet(2, 1);
    Workload two = Workload.of("two", Resources.of("cpu", 2));
    fleet.apply(new Change.Assign(GIFT, "n0"), new Change.Assign(two, "n0"));
    List<Workload> batch = Workload.of("new", Resources.of("cpu", 2)).replicas(1);
    PlanGoal goal = new PlanGoal.Place(batch);

    assertThat(bestOfAPlan(fleet, goal, PlanLimits.NONE)).isEqualTo(1);
    assertThat(bestOfAPlan(fleet, goal, PlanLimits.NONE.withMoves(0))).isZero();
    assertThat(bestOfAPlan(fleet, goal, GIFT_STAYS)).isZero();
    assertThat(fleet.advisor().bounds(batch).mostPlaced()).isZero();
    fleet.apply(new Change.Move("gift", "n0", "n1"), new Change.Assign(batch.get(0), "n1"));
    assertThat(fleet.snapshot().placedCount()).isEqualTo(3);
  }

  /** A newcomer may be moved on like any other workload. */
  @Test
  void whatANewcomerGivesMayMoveToo() {
    Distributor fleet = fleet(2, 1);
    List<Workload> batch = new ArrayList<>(Workload.of("new", Resources.of("cpu", 2)).replicas(2));
    batch.add(GIFT);

    assertThat(bestOfAPlan(fleet, new PlanGoal.Place(batch), PlanLimits.NONE)).isEqualTo(3);
    fleet.apply(
        new Change.Assign(GIFT, "n0"),
        new Change.Assign(batch.get(0), "n0"),
        new Change.Move("gift", "n0", "n1"),
        new Change.Assign(batch.get(1), "n1"));
    assertThat(fleet.snapshot().placedCount()).isEqualTo(3);
  }

  /** The gift makes room on n0 for what is on n1, and then on n2 for what is on n3. */
  @Test
  void whatMayMoveFreesMoreThanOneNode() {
    Distributor fleet = fleet(4, 1);
    List<Workload> ones = Workload.of("one", Resources.of("cpu", 1)).replicas(4);
    for (int i = 0; i < 4; i++) {
      fleet.apply(new Change.Assign(ones.get(i), "n" + i));
    }
    fleet.apply(new Change.Assign(GIFT, "n0"));
    PlanGoal goal = new PlanGoal.Consolidate();

    assertThat(bestOfAPlan(fleet, goal, PlanLimits.NONE)).isLessThanOrEqualTo(2);
    assertThat(bestOfAPlan(fleet, goal, GIFT_STAYS)).isEqualTo(3);
    fleet.apply(
        new Change.Move(ones.get(1).name(), "n1", "n0"),
        new Change.Move("gift", "n0", "n2"),
        new Change.Move(ones.get(3).name(), "n3", "n2"));
    assertThat(fewest(fleet, List.of())).isEqualTo(2);
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
