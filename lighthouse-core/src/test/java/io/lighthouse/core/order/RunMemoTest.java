package io.lighthouse.core.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.demand.BatchOfOne;
import io.lighthouse.core.index.Levels;
import io.lighthouse.core.index.NeedSample;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the last search of a shape tells the next one, of which shape, and for how long. */
class RunMemoTest {
  private static final int NODES = 300;

  private final Ledger ledger = new Ledger();
  private final RunMemo memo = new RunMemo(ledger.clock(), 2);
  private final BlockOrder blocks;
  private int made;

  RunMemoTest() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      nodes.add(Node.of("n" + i, Resources.of("cpu", 1_000 + i)));
    }
    ledger.nodeChanges().add(nodes);
    Levels levels = new Levels(ledger, new NeedSample(ledger));
    blocks =
        new BlockOrder(
            ledger, levels, new Scores(Rubric.of("cpu", 1), ledger), new NameOrder(ledger));
  }

  private Demand demand(int cpu) {
    Batch batch = Batch.open(ledger, List.of(Workload.of("w", Resources.of("cpu", cpu))));
    Demand demand;
    demand = batch.demand(0);
    batch.close();
    return demand;
  }

  private void learn(Demand demand, int node) {
    memo.learn(memo.place(demand), demand, node, blocks);
  }

  private boolean knows(Demand demand) {
    return memo.knows(memo.place(demand), demand);
  }

  /** Makes the given number of changes, none of which gives anything back. */
  private void change(int times) {
    Demand demand;
    for (int i = 0; i < times; i++) {
      BatchOfOne.place(ledger, Workload.of("p" + made++, Resources.of("cpu", 1)), made % NODES);
    }
  }

  @Test
  void knowsEveryShapeThatItLearnedAndNoOther() {
    for (int cpu = 0; cpu < 500; cpu++) {
      Demand shape = demand(cpu);
      assertThat(knows(shape)).isFalse();
      learn(shape, 7);
      assertThat(knows(shape)).as("at place " + memo.place(shape)).isTrue();
      memo.clear();
      assertThat(knows(shape)).as("cleared").isFalse();
    }
    learn(demand(1), 7);
    for (int cpu = 2; cpu < 500; cpu++) {
      assertThat(knows(demand(cpu))).isFalse();
    }
    assertThat(knows(demand(1))).isTrue();
  }

  @Test
  void keepsAFewShapesSideBySide() {
    int kept = 0;
    for (int cpu = 1; cpu <= 16; cpu++) {
      learn(demand(cpu), cpu);
    }
    for (int cpu = 1; cpu <= 16; cpu++) {
      kept += knows(demand(cpu)) ? 1 : 0;
    }
    assertThat(kept).as("of 16; some may meet in one place").isGreaterThan(8);
  }

  @Test
  void goesOnAtTheBlockWhereTheLastSearchEnded() {
    Demand shape = demand(1_200);
    for (int node : new int[] {0, 63, 150, NODES - 1}) {
      learn(shape, node);
      int block = blocks.find(blocks.keys(), node);
      assertThat(memo.start(memo.place(shape), blocks)).isEqualTo(block);
      assertThat(block > 0).as("not all stand in the first").isEqualTo(node >= 63);
      assertThat(memo.foundNone(memo.place(shape))).isFalse();
    }
  }

  @Test
  void holdsForSixtyFourChangesWhereSomethingWasFound() {
    change(200);
    Demand shape = demand(5);
    learn(shape, 9);
    assertThat(knows(shape)).as("whatever was before").isTrue();
    change(64);
    assertThat(knows(shape)).isTrue();
    change(1);
    assertThat(knows(shape)).as("more are not remembered").isFalse();
  }

  @Test
  void holdsForAnyNumberOfChangesWhereNothingWasFound() {
    Demand shape = demand(5_000);
    learn(shape, NodeTable.NONE);
    change(200);
    assertThat(knows(shape)).isTrue();
    assertThat(memo.foundNone(memo.place(shape))).isTrue();
  }

  @Test
  void holdsUntilSomethingIsGivenBackOrANodeIsOpened() {
    change(1);
    Demand shape = demand(5);
    learn(shape, NodeTable.NONE);
    ledger.release(new int[] {ledger.placements().entryOf("p0")});
    assertThat(knows(shape)).isFalse();
    learn(shape, 9);
    ledger.nodeChanges().cordon(3, true);
    ledger.nodeChanges().cordon(3, false);
    assertThat(knows(shape)).isFalse();
  }
}
