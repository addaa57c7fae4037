package io.lighthouse.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.index.Levels;
import io.lighthouse.core.index.NeedSample;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.order.NameOrder;
import io.lighthouse.core.order.ScoreOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/**
 * When a kept order is built, and how many nodes that do not fit its searches look at. A block of
 * an order has 64 nodes at most, so a search that begins and ends in one checks no more.
 */
class ScoreOrderTest {
  private static final int BLOCK = 64;

  private final Twin twin = new Twin(0);
  private Demand demand;
  private int made;

  private void fleet(int count, IntFunction<Resources> resources) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(Node.of("n" + (1_000 + i), resources.apply(i)));
    }
    twin.add(nodes);
    // Levels of cpu at 0 and 100: whatever there is between them has to be checked.
    Batch batch =
        Batch.open(
            twin.ledger,
            List.of(
                Workload.of("none", Resources.of("cpu", 0)),
                Workload.of("much", Resources.of("cpu", 100))));
    twin.finder.expect(batch);
    batch.close();
  }

  private Workload load(int cpu) {
    Workload workload = Workload.of("w" + made++, Resources.of("cpu", cpu));
    Batch batch = Batch.open(twin.ledger, List.of(workload));
    demand = batch.demand(0);
    batch.close();
    return workload;
  }

  /** The number of nodes that a search checked and that do not fit. */
  private long missed(Rubric rubric, int cpu, boolean descending) {
    Workload workload = load(cpu);
    twin.first(load(0), demand, rubric, false); // So that there are blocks.
    load(cpu);
    long before = Twin.levels(twin.finder).misses();
    twin.first(workload, demand, rubric, descending);
    return Twin.levels(twin.finder).misses() - before;
  }

  /** The order has scores then, but no blocks: the fleet is too young for an index. */
  @Test
  void countsAResourceThatComesWithANode() {
    Twin young = new Twin(1_000);
    Rubric rubric = Rubric.of("cpu", 1);
    young.add(List.of(Node.of("a", Resources.of("disk", 1))));
    assertThat(lowest(young, rubric, "disk")).isEqualTo(0);
    young.add(List.of(Node.of("b", Resources.of("cpu", 5))));
    young.add(List.of(Node.of("c", Resources.of("cpu", 3))));
    assertThat(lowest(young, rubric, "cpu")).isEqualTo(2);
  }

  private int lowest(Twin of, Rubric rubric, String required) {
    Workload workload = Workload.of("w", Resources.of(required, 1));
    Batch batch = Batch.open(of.ledger, List.of(workload));
    demand = batch.demand(0);
    int found = of.first(workload, demand, rubric, false);
    batch.close();
    return found;
  }

  @Test
  void isReadyOnceAsManyNodesWereLookedAtAsItCosts() {
    fleet(100, i -> Resources.of("cpu", i));
    ScoreOrder order =
        new ScoreOrder(Rubric.of("cpu", 1), twin.ledger, twin.finder.keeper.orders::keep, 3, true);
    Levels levels = new Levels(twin.ledger, new NeedSample(twin.ledger));
    assertThat(
            List.of(
                order.ready(levels, () -> new NameOrder(twin.ledger), 0),
                order.ready(levels, () -> new NameOrder(twin.ledger), 2)))
        .containsOnly(false);
    assertThat(order.ready(levels, () -> new NameOrder(twin.ledger), 0)).isTrue();
    order.relevelled();
    assertThat(order.ready(levels, () -> new NameOrder(twin.ledger), 0))
        .as("all is earned anew")
        .isFalse();
    assertThat(order.ready(levels, () -> new NameOrder(twin.ledger), 3))
        .as("three searches would read as much")
        .isTrue();
  }

  @Test
  void isReadyHoweverFineTheScoresAre() {
    fleet(100, i -> Resources.of("cpu", i, "mem", i));
    ScoreOrder order =
        new ScoreOrder(
            Rubric.of("cpu", "1e30", "mem", "1e-30"),
            twin.ledger,
            twin.finder.keeper.orders::keep,
            0,
            true);
    Levels levels = new Levels(twin.ledger, new NeedSample(twin.ledger));
    assertThat(order.ready(levels, () -> new NameOrder(twin.ledger), 0)).isTrue();
  }

  @Test
  void comparesByScoreThenNameWhetherThereAreBlocksOrNot() {
    fleet(100, i -> Resources.of("cpu", i / 2));
    for (int questions = 0; questions < 2; questions++) {
      ScoreOrder order = twin.finder.orderBy(Rubric.of("cpu", 1));
      assertThat(order.compare(10, 20, false)).isNegative();
      assertThat(order.compare(10, 20, true)).isPositive();
      assertThat(order.compare(10, 11, false)).isNegative();
      assertThat(order.compare(10, 11, true)).as("names always ascend").isNegative();
      assertThat(order.compare(10, 10, true)).isZero();
      missed(Rubric.of("cpu", 1), 5, false);
    }
  }

  @Test
  void aSearchBeginsAtTheScoreOfTheWorkload() {
    fleet(640, i -> Resources.of("cpu", i < 600 ? 10 : 60));
    assertThat(missed(Rubric.of("cpu", 1), 50, false)).isLessThanOrEqualTo(BLOCK);
    assertThat(missed(Rubric.of("cpu", "0.001"), 50, false)).isLessThanOrEqualTo(BLOCK);
  }

  @Test
  void aSearchFromTheTopEndsAtTheBlockOfWhatItFinds() {
    fleet(640, i -> Resources.of("cpu", i < 600 ? 10 : 60 + i));
    assertThat(missed(Rubric.of("cpu", 1), 50, true)).isLessThanOrEqualTo(BLOCK);
  }

  @Test
  void theNextSearchOfAShapeGoesOnWhereTheLastOneEnded() {
    // Those with much memory stand higher, whether they have enough cpu or not.
    fleet(640, i -> Resources.of("cpu", i < 600 ? 10 : 60, "mem", 1_000 + i));
    Rubric rubric = Rubric.of("cpu", 1, "mem", 1);
    assertThat(missed(rubric, 50, false)).as("all that stand lower").isGreaterThan(560);
    for (int i = 0; i < 3; i++) {
      assertThat(missed(rubric, 50, false)).isLessThanOrEqualTo(BLOCK);
    }
    int found = twin.first(load(50), demand, rubric, false);
    assertThat(found).isEqualTo(600);
    twin.place(Workload.of("taker", Resources.of("cpu", 50)), found);
    assertThat(missed(rubric, 50, false)).as("after a placement").isLessThanOrEqualTo(BLOCK);
    twin.release(List.of("taker"));
    assertThat(missed(rubric, 50, false)).as("something was given back").isGreaterThan(560);
  }

  @Test
  void whatNoNodeHasIsNotLookedForAgain() {
    fleet(640, i -> Resources.of("cpu", 10 + i % 50));
    assertThat(missed(Rubric.of("cpu", 1), 70, true)).isEqualTo(640);
    assertThat(missed(Rubric.of("cpu", 1), 70, true)).isZero();
    assertThat(missed(Rubric.of("cpu", 1), 80, true)).as("more of it").isZero();
    assertThat(missed(Rubric.of("cpu", -1), 80, false)).as("in any order").isZero();
  }
}
