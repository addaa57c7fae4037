package io.lighthouse.core.feasibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.ledger.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.LedgerListener;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * A row of a level is exactly the nodes that have as much left, whatever is placed and released.
 */
class LevelsProperties {
  /** What is required of each resource, and so its levels: small numbers, and such beyond 2^15. */
  private static final long[] CPU = {0, 2, 5, 9};

  private static final long[] MEM = {1L << 20, 3L << 20, 1L << 40};

  private Ledger ledger = new Ledger();
  private final Demand demand = new Demand();
  private Levels levels;
  private int made;

  private Workload workload(long cpu, long mem) {
    return Workload.of("w" + made++, Resources.of("cpu", cpu, "mem", mem));
  }

  private void learn() {
    List<Workload> sampled = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      sampled.add(workload(CPU[i], MEM[i % 3]));
    }
    Batch batch = ledger.open(sampled);
    NeedSample sample = new NeedSample(ledger);
    sample.take(batch);
    batch.close();
    levels = new Levels(ledger, sample);
    ledger.listen(
        new LedgerListener() {
          @Override
          public void leftChanged(int node, int slot, long before, long after) {
            levels.leftChanged(node, ledger.layout(node).id(slot), after);
          }

          @Override
          public void settled(int node) {}

          @Override
          public void cordonChanged(int node) {}

          @Override
          public void reshaped() {}
        });
  }

  private void fleet(SplittableRandom random, int count) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(
          Node.of("n" + i, Resources.of("cpu", random.nextInt(15), "mem", 1L << 15 + i % 30)));
    }
    ledger.addNodes(nodes);
  }

  private Demand load(Workload workload) {
    Batch batch = ledger.open(List.of(workload));
    batch.load(0, demand);
    batch.close();
    return demand;
  }

  private void exact(String resource, long[] amounts) {
    int id = ledger.resourceId(resource);
    int dimension = levels.dimension(id);
    assertThat(levels.levels(dimension)).isEqualTo(amounts.length);
    for (int node = 0; node < ledger.nodeCount(); node++) {
      long left = ledger.left(node, ledger.layout(node).slot(id));
      int height = -1;
      for (int level = 0; level < amounts.length; level++) {
        long bit = levels.rows()[dimension][level][node >> 6] >>> node & 1;
        assertThat(bit).isEqualTo(left >= amounts[level] ? 1 : 0);
        height += (int) bit;
      }
      assertThat(levels.height(dimension, node)).isEqualTo(height);
    }
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void rowsAreExactAtEveryMoment(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ledger = new Ledger();
    fleet(random, 60 + random.nextInt(80));
    learn();
    List<String> placed = new ArrayList<>();
    for (int step = 0; step < 60; step++) {
      if (placed.isEmpty() || random.nextInt(3) > 0) {
        Workload workload = workload(random.nextInt(12) - 3, random.nextLong(1L << 30));
        placed.add(workload.name());
        Batch batch = ledger.open(List.of(workload));
        batch.load(0, demand);
        ledger.place(batch.entry(0), random.nextInt(ledger.nodeCount()), demand);
        ledger.settle();
        batch.close();
      } else {
        String gone = placed.remove(random.nextInt(placed.size()));
        ledger.release(new int[] {ledger.entryOf(gone)});
      }
    }
    exact("cpu", CPU);
    exact("mem", MEM);
    for (int i = 0; i < 5; i++) {
      load(workload(random.nextInt(14), random.nextLong(1L << 41)));
      levels.ask(demand);
      for (int node = 0; node < ledger.nodeCount(); node++) {
        boolean enough =
            ledger.left(node, 0) >= demand.need(0) && ledger.left(node, 1) >= demand.need(1);
        assertThat(enough && !levels.covers(node)).as("a no is sure").isFalse();
      }
    }
  }

  @Example
  void aNeedAsksForTheHighestLevelThatIsNotAboveIt() {
    fleet(new SplittableRandom(1), 70);
    learn();
    int cpu = levels.dimension(ledger.resourceId("cpu"));
    int[] expected = {0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3};
    for (int need = 0; need < expected.length; need++) {
      assertThat(levels.level(cpu, need)).isEqualTo(expected[need]);
    }
    assertThat(levels.level(cpu, -1)).isEqualTo(-1);
    assertThat(levels.dimension(9)).as("a resource that came later").isEqualTo(-1);
  }

  @Example
  void aDemandAddsARowForEachResourceThatItIsNotImmuneTo() {
    fleet(new SplittableRandom(1), 70);
    learn();
    assertThat(rows(workload(5, 1L << 41)))
        .containsExactly(levels.rows()[0][2], levels.rows()[1][2]);
    assertThat(rows(workload(6, 5)))
        .as("less than the lowest")
        .containsExactly(levels.rows()[0][2]);
    assertThat(rows(workload(9, 1L << 20).withImmunities("cpu")))
        .containsExactly(levels.rows()[1][0]);
  }

  private List<long[]> rows(Workload workload) {
    levels.ask(load(workload));
    RowScan scan = new RowScan();
    levels.addRows(scan, levels.rows());
    List<long[]> rows = new ArrayList<>();
    for (int i = 0; i < scan.count(); i++) {
      rows.add(scan.row(i));
    }
    return rows;
  }

  @Example
  void aNodeWithoutEnoughIsNotCovered() {
    ledger.addNodes(
        List.of(
            Node.of("a", Resources.of("cpu", 7, "mem", 1L << 41)),
            Node.of("b", Resources.of("cpu", 6, "mem", 1L << 41)),
            Node.of("c", Resources.of("cpu", "inf", "mem", 1L << 38)),
            Node.of("d", Resources.of("cpu", "-inf", "mem", "inf"))));
    learn();
    levels.ask(load(workload(7, 1L << 40)));
    assertThat(List.of(levels.covers(0), levels.covers(1), levels.covers(2), levels.covers(3)))
        .containsExactly(true, false, false, false);
    levels.ask(load(workload(7, 1L << 40).withImmunities("cpu")));
    assertThat(List.of(levels.covers(0), levels.covers(1), levels.covers(2), levels.covers(3)))
        .containsExactly(true, true, false, true);
  }
}
