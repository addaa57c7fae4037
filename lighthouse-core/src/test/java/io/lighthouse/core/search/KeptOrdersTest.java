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
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The orders that a fleet keeps: blocks that split and go, ties, weights of all kinds, memos. */
class KeptOrdersTest {
  private Demand demand;

  private static Node node(String name, Object... resources) {
    return Node.of(name, Resources.of(resources));
  }

  private static Workload workload(String name, Object... requirements) {
    return Workload.of(name, Resources.of(requirements));
  }

  private final Twin twin = new Twin(0);
  private final Rubric rubric = Rubric.of("cpu", 1);
  private int made;

  private Workload takes(int cpu) {
    return workload("w" + made++, "cpu", cpu);
  }

  /** Asks by the order, both ways, and places on what was found. */
  private int fill(Workload workload, boolean descending) {
    Batch batch = Batch.open(twin.ledger, List.of(workload));
    twin.finder.expect(batch);
    demand = batch.demand(0);
    twin.first(workload, demand, rubric, !descending);
    int node = twin.first(workload, demand, rubric, descending);
    if (node != NodeTable.NONE) {
      twin.ledger.place(batch.entry(0), node, demand);
      twin.naive.place(workload, node);
    }
    twin.ledger.commit();
    batch.close();
    return node;
  }

  @Test
  void splitBlocksThatFillUpAndDropBlocksThatEmpty() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      nodes.add(node("n" + i, "cpu", 1000 + i));
    }
    twin.add(nodes);
    // From the top down to one narrow band: the blocks above empty, those below fill and split.
    for (int i = 0; i < 400; i++) {
      int node = twin.ledger.nodes().nodeCount() - 1 - i;
      twin.place(takes(900 + node), node);
      if (i % 7 == 0) {
        fill(takes(1), i % 2 == 0);
      }
    }
    twin.release(twin.naive.placedNames().subList(100, 300));
    for (int i = 0; i < 100; i++) {
      fill(takes(1 + i % 5), i % 2 == 0);
    }
    twin.checkState();
  }

  @Test
  void followARunOfEqualWorkloadsUpTheOrder() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      nodes.add(node("n" + i, "cpu", 3 + i % 9));
    }
    twin.add(nodes);
    int found;
    do {
      found = fill(takes(3), false);
    } while (found != NodeTable.NONE);
    assertThat(fill(takes(3), false)).as("still none").isEqualTo(NodeTable.NONE);
    twin.release(List.of(twin.naive.placedNames().get(50)));
    assertThat(fill(takes(3), false)).as("something was given back").isNotNegative();
    twin.cordon(0, true);
    twin.cordon(0, false);
    for (int i = 0; i < 50; i++) {
      fill(takes(1 + i % 3), false);
    }
    twin.checkState();
  }

  @Test
  void rememberSeveralShapesOverFewAndOverManyChanges() {
    SplittableRandom random = new SplittableRandom(11);
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      nodes.add(node("n" + i, "cpu", 22 + i % 13, "mem", 17 + i % 7));
    }
    twin.add(nodes);
    Rubric both = Rubric.of("cpu", 1, "mem", 1);
    for (int i = 0; i < 1_500; i++) {
      // Shapes of one score, mixed, with a long run of one of them now and then.
      int cpu = i / 100 % 3 == 0 ? 1 : 1 + random.nextInt(4);
      Workload workload = workload("v" + i, "cpu", cpu, "mem", 5 - cpu);
      Batch batch = Batch.open(twin.ledger, List.of(workload));
      twin.finder.expect(batch);
      demand = batch.demand(0);
      int node = twin.first(workload, demand, both, false);
      if (node != NodeTable.NONE) {
        // Mostly where it was found; else elsewhere, so that others fall in the order, too.
        int other = random.nextInt(150);
        boolean elsewhere = i % 5 == 0 && twin.naive.fits(other, workload);
        twin.ledger.place(batch.entry(0), elsewhere ? other : node, demand);
        twin.naive.place(workload, elsewhere ? other : node);
      }
      if (random.nextInt(10) == 0) {
        twin.first(workload, demand, both, false);
      }
      twin.ledger.commit();
      batch.close();
      if (random.nextInt(60) == 0) {
        twin.release(List.of(twin.naive.placedNames().get(0)));
      }
    }
    assertThat(twin.found).isGreaterThan(500);
    assertThat(twin.found).as("in the end nothing fits").isLessThan(twin.questions);
    twin.checkState();
  }

  @Test
  void findTheLowestOfManyThatTieByName() {
    List<Node> nodes = new ArrayList<>();
    String[] stems = {"b", "a", "\ud83d\ude80", "\uff5e", "A"};
    for (int i = 0; i < 300; i++) {
      nodes.add(node(stems[i % 5] + i, "cpu", 5 + i % 2));
    }
    twin.add(nodes);
    for (int i = 0; i < 120; i++) {
      fill(takes(i % 3), i % 2 == 0);
    }
    twin.checkState();
  }

  @Test
  void serveWeightsThatAreNegativeZeroOrTooFineFor128Bits() {
    List<Rubric> rubrics =
        List.of(
            Rubric.of("cpu", -1),
            Rubric.of("cpu", 0),
            Rubric.of(),
            Rubric.of("cpu", "1e30", "mem", "1e-30"),
            Rubric.of("cpu", "-0.000000001", "mem", "1"));
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      nodes.add(
          node(
              "n" + i,
              "cpu",
              i % 23 == 0 ? "inf" : String.valueOf(5 + i % 7),
              "mem",
              "" + (i * 37 % 11)));
    }
    twin.add(nodes);
    for (int i = 0; i < 100; i++) {
      Workload workload = workload("w" + i, "cpu", 1 + i % 3, "mem", i % 2);
      Batch batch = Batch.open(twin.ledger, List.of(workload));
      demand = batch.demand(0);
      int node = NodeTable.NONE;
      for (Rubric each : rubrics) {
        twin.first(workload, demand, each, true);
        node = twin.first(workload, demand, each, false);
      }
      twin.ledger.place(batch.entry(0), node, demand);
      twin.naive.place(workload, node);
      twin.ledger.commit();
      batch.close();
    }
    assertThat(twin.finder.orderBy(Rubric.of("cpu", -1)))
        .isSameAs(twin.finder.orderBy(Rubric.of("cpu", "-1.0")));
  }

  @Test
  void knowTheNodesThatFellSinceOverAnyNumberOfChanges() {
    for (int between : new int[] {0, 1, 30, 62, 63, 64, 65, 100, 130, 200}) {
      Twin fresh = new Twin(0);
      List<Node> nodes = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        nodes.add(node("n" + (1000 + i), "cpu", 100, "mem", 100));
      }
      fresh.add(nodes);
      ask(fresh, "before");
      fresh.place(workload("fell-far", "cpu", 9), 50);
      for (int i = 0; i < between; i++) {
        fresh.place(workload("fell-" + i, "cpu", 1 + i % 3), 60 + i);
      }
      assertThat(ask(fresh, "after")).as("over " + between + " others").isEqualTo(50);
    }
  }

  private int ask(Twin fresh, String name) {
    Workload shape = workload(name, "cpu", 5, "mem", 5);
    Batch batch = Batch.open(fresh.ledger, List.of(shape));
    fresh.finder.expect(batch);
    demand = batch.demand(0);
    int found = fresh.first(shape, demand, rubric, false);
    batch.close();
    return found;
  }
}
