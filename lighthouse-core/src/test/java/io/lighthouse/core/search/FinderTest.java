package io.lighthouse.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Questions to an index that is there from the start, where a wrong row or a stale one tells. */
class FinderTest {
  private final Twin twin = new Twin(0);
  private Demand demand;
  private int made;

  private static Node node(String name, Object... resources) {
    return Node.of(name, Resources.of(resources));
  }

  private Workload workload(Object... requirements) {
    return Workload.of("w" + made++, Resources.of(requirements));
  }

  private void fleet(int count, Object... resources) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(node("n" + (100 + i), resources));
    }
    twin.add(nodes);
  }

  /** The first that fits, from a node on; the oracle agrees. */
  private int first(Workload workload, int from) {
    Batch batch = Batch.open(twin.ledger, List.of(workload));
    twin.finder.expect(batch);
    demand = batch.demand(0);
    int found = twin.first(workload, demand, from);
    batch.close();
    return found;
  }

  private int lowest(Workload workload, Rubric rubric) {
    Batch batch = Batch.open(twin.ledger, List.of(workload));
    twin.finder.expect(batch);
    demand = batch.demand(0);
    int found = twin.first(workload, demand, rubric, false);
    batch.close();
    return found;
  }

  @Test
  void theFirstAverseNodeServesWhereEveryNodeHoldsARival() {
    fleet(100, "cpu", 9);
    for (int node = 0; node < 100; node++) {
      twin.place(workload("cpu", node == 0 ? 9 : 1).withAversionGroups("g"), node);
    }
    assertThat(first(workload("cpu", 1).withAversionGroups("g"), 0)).isEqualTo(1);
    assertThat(first(workload("cpu", 1).withAversionGroups("g"), 70)).isEqualTo(70);
    assertThat(first(workload("cpu", 1).withAversionGroups("g", "h"), 100)).isEqualTo(1);
    assertThat(first(workload("cpu", 9).withAversionGroups("g"), 0)).isEqualTo(NodeTable.NONE);
    assertThat(first(workload("cpu", 8), 0)).isEqualTo(1);
  }

  @Test
  void anExplanationKnowsWhetherAFriendlyNodeFits() {
    fleet(3, "cpu", 9);
    Explainer explainer = new Explainer(twin.finder);
    twin.place(workload("cpu", 1).withAversionGroups("g"), 0);
    twin.place(workload("cpu", 1).withAversionGroups("g"), 2);
    first(workload("cpu", 1).withAversionGroups("g"), 0);
    assertThat(explainer.friendlyFits(twin.finder.bind(demand))).as("node 1 is").isTrue();
    twin.cordon(1, true);
    first(workload("cpu", 1).withAversionGroups("g"), 0);
    assertThat(explainer.friendlyFits(twin.finder.bind(demand)))
        .as("averse ones are none")
        .isFalse();
    first(workload("cpu", 1), 0);
    assertThat(explainer.friendlyFits(twin.finder.bind(demand))).isTrue();
    first(workload("cpu", 9), 0);
    assertThat(explainer.friendlyFits(twin.finder.bind(demand))).isFalse();
  }

  @Test
  void aFriendlyNodeGoesBeforeEveryAverseOneWhereverItStands() {
    for (int friend : new int[] {0, 1, 63, 64, 65, 99}) {
      Twin fresh = new Twin(0);
      List<Node> nodes = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        nodes.add(node("n" + i, "cpu", 9));
      }
      fresh.add(nodes);
      for (int i = 0; i < 100; i++) {
        if (i != friend) {
          fresh.place(workload("cpu", 1).withAversionGroups("g"), i);
        }
      }
      Workload wanted = workload("cpu", 2).withAversionGroups("g");
      Batch batch = Batch.open(fresh.ledger, List.of(wanted));
      demand = batch.demand(0);
      for (int from = 0; from <= 100; from++) {
        assertThat(fresh.first(wanted, demand, from)).isEqualTo(friend);
      }
      fresh.all(wanted, demand, true);
      fresh.all(wanted, demand, false);
      assertThat(fresh.first(wanted, demand, Rubric.of("cpu", 1), false)).isEqualTo(friend);
      batch.close();
    }
  }

  @Test
  void ofFewNodesWithARareNameTheFirstAverseOneServesOrNone() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      nodes.add(
          i % 75 == 3 ? node("n" + i, "cpu", 9, "mem", i, "zone", 0) : node("n" + i, "cpu", 9));
    }
    twin.add(nodes);
    for (int node = 3; node < 300; node += 75) {
      twin.place(workload("cpu", 1, "zone", 0).withAversionGroups("g"), node);
    }
    for (int from : new int[] {0, 3, 4, 78, 100, 228, 229, 300}) {
      int next = from <= 3 || from > 228 ? 3 : from <= 78 ? 78 : from <= 153 ? 153 : 228;
      Workload averse = workload("cpu", 1, "zone", 0).withAversionGroups("g");
      assertThat(first(averse, from)).isEqualTo(next);
      assertThat(first(workload("cpu", 9, "zone", 0), from)).isEqualTo(NodeTable.NONE);
      assertThat(first(workload("zone", 0, "mem", 100), from)).isIn(153, 228);
    }
    Rubric rubric = Rubric.of("mem", 1);
    assertThat(lowest(workload("zone", 0).withAversionGroups("g"), rubric)).isEqualTo(3);
    assertThat(lowest(workload("zone", 0, "cpu", 9), rubric)).isEqualTo(NodeTable.NONE);
    twin.place(workload("zone", 0).withAversionGroups("h"), 3);
    assertThat(lowest(workload("zone", 0).withAversionGroups("h"), rubric)).isEqualTo(78);
  }

  @Test
  void anImmunityCountsFromTheMomentThatSomethingIsBelowZero() {
    fleet(70, "cpu", 5, "mem", 5);
    Workload plain = workload("cpu", 1);
    Workload immune = workload("cpu", 1).withImmunities("mem");
    assertThat(first(immune, 0)).isZero();
    twin.place(workload("cpu", 5), 0);
    for (int node = 0; node < 69; node++) {
      twin.place(workload("mem", 6).withImmunities("mem"), node);
    }
    assertThat(first(plain, 0)).isEqualTo(69);
    assertThat(first(immune, 0)).isEqualTo(1);
    twin.place(workload("cpu", 5), 69);
    assertThat(first(plain, 0)).isEqualTo(NodeTable.NONE);
    assertThat(first(immune, 69)).isEqualTo(1);
    twin.cordon(1, true);
    assertThat(first(immune, 0)).isEqualTo(2);
    release(0);
    release(5);
    assertThat(first(plain, 69)).isZero();
    assertThat(first(plain, 1)).isEqualTo(5);
    assertThat(first(immune, 69)).isZero();
    assertThat(first(immune, 1)).isEqualTo(2);
  }

  /** All that a node holds. */
  private void release(int node) {
    twin.release(twin.ledger.placements().workloads(node).stream().map(Workload::name).toList());
  }

  @Test
  void anOrderIsOfTheAmountsAtTheScaleOfTheDay() {
    Rubric rubric = Rubric.of("cpu", 1, "mem", 1);
    twin.add(List.of(node("a", "cpu", 5, "mem", 1), node("b", "cpu", 1, "mem", 6)));
    assertThat(lowest(workload(), rubric)).isZero();
    twin.place(workload("cpu", "0.5"), 1);
    assertThat(lowest(workload(), rubric)).as("6 before 6.5").isZero();
    twin.place(workload("mem", "0.75"), 1);
    assertThat(lowest(workload(), rubric)).as("5.75 before 6").isEqualTo(1);
    twin.add(List.of(node("c", "cpu", "2.125", "mem", 3)));
    assertThat(lowest(workload(), rubric)).isEqualTo(2);
    twin.resize(2, Resources.of("cpu", 9, "disk", 1));
    assertThat(lowest(workload(), rubric)).isEqualTo(1);
    twin.remove(2);
    assertThat(lowest(workload("cpu", 1), rubric)).isZero();
  }

  @Test
  void aShapeThatFoundNothingFindsWhatIsGivenBackOpenedOrAdded() {
    Rubric rubric = Rubric.of("cpu", 1);
    fleet(100, "cpu", 3);
    for (int node = 0; node < 100; node++) {
      twin.place(workload("cpu", 2), node);
    }
    twin.cordon(40, true);
    for (int round = 0; round < 2; round++) {
      assertThat(first(workload("cpu", 3), 0)).isEqualTo(NodeTable.NONE);
      assertThat(lowest(workload("cpu", 3), rubric)).isEqualTo(NodeTable.NONE);
    }
    release(40);
    assertThat(first(workload("cpu", 3), 0)).as("cordoned").isEqualTo(NodeTable.NONE);
    assertThat(lowest(workload("cpu", 3), rubric)).isEqualTo(NodeTable.NONE);
    twin.cordon(40, false);
    assertThat(first(workload("cpu", 3), 0)).isEqualTo(40);
    assertThat(lowest(workload("cpu", 3), rubric)).isEqualTo(40);
    twin.place(workload("cpu", 1), 40);
    assertThat(lowest(workload("cpu", 3), rubric)).isEqualTo(NodeTable.NONE);
    twin.place(workload("cpu", -2), 7);
    assertThat(first(workload("cpu", 3), 0)).as("given by a workload").isEqualTo(7);
    assertThat(lowest(workload("cpu", 3), rubric)).isEqualTo(7);
    twin.place(workload("cpu", 2), 7);
    assertThat(first(workload("cpu", 3), 0)).isEqualTo(NodeTable.NONE);
    assertThat(lowest(workload("cpu", 3), rubric)).isEqualTo(NodeTable.NONE);
    twin.cordon(90, true);
    release(80);
    assertThat(first(workload("cpu", 3), 0)).as("after two changes").isEqualTo(80);
    assertThat(lowest(workload("cpu", 3), rubric)).isEqualTo(80);
    twin.place(workload("cpu", 1), 80);
    twin.add(List.of(node("z", "cpu", 3)));
    assertThat(first(workload("cpu", 3), 0)).isEqualTo(100);
    assertThat(lowest(workload("cpu", 3), rubric)).isEqualTo(100);
  }

  @Test
  void anImmuneOrAGivingWorkloadFitsNodesOfALowerScoreThanItsOwn() {
    Rubric rubric = Rubric.of("cpu", 1, "mem", 1);
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      nodes.add(node("n" + i, "cpu", 1 + (i * 7) % 100, "mem", 5, "debt", i == 60 ? -3 : 0));
    }
    twin.add(nodes);
    assertThat(lowest(workload("cpu", 50), rubric)).isEqualTo(7);
    assertThat(lowest(workload("cpu", 50).withImmunities("cpu"), rubric)).isZero();
    assertThat(lowest(workload("cpu", 50).withImmunities("cpu", "debt"), rubric)).isZero();
    assertThat(lowest(workload("cpu", 21, "debt", -3), rubric)).isEqualTo(60);
    assertThat(lowest(workload("cpu", 1, "mem", -9), rubric)).isZero();
  }
}
