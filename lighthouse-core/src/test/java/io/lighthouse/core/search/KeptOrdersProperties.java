package io.lighthouse.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * An order whose nodes move in waves: all to one end, into a narrow band, back again. So its blocks
 * fill, split, empty and are removed. Checked against an oracle that compares all nodes.
 */
class KeptOrdersProperties {
  /** 2^52, so that 4096 times it is in the upper 64 bits of a score and in nothing else. */
  private static final String HUGE = "4503599627370496";

  private Demand demand;
  private int made;

  @Property(tries = 5, shrinking = ShrinkingMode.OFF)
  void smallScoresAreInOrder(@ForAll long seed) {
    live(new SplittableRandom(seed), "1", 1, 1_000);
  }

  @Property(tries = 5, shrinking = ShrinkingMode.OFF)
  void scoresOfMoreThan64BitsAreInOrder(@ForAll long seed) {
    live(new SplittableRandom(seed), HUGE, 4096, 1_000);
  }

  @Property(tries = 5, shrinking = ShrinkingMode.OFF)
  void manyNodesOfFewScoresAreInTheOrderOfTheirNames(@ForAll long seed) {
    live(new SplittableRandom(seed), "1", 1, 3);
  }

  @Example
  void theLowestRiseToTheTopOneAfterAnother() {
    march(true);
  }

  @Example
  void theHighestFallToTheBottomOneAfterAnother() {
    march(false);
  }

  /** Every node in turn goes from one end of the order to beyond the other, twice round. */
  private void march(boolean up) {
    Twin twin = new Twin(0);
    Rubric rubric = Rubric.of("cpu", 1);
    int count = 600;
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(Node.of("n" + i, Resources.of("cpu", 1_000_000)));
    }
    twin.add(nodes);
    for (int i = 0; i < count; i++) {
      move(twin, i, 5_000 + i);
    }
    ask(twin, rubric, 5_300);
    for (int step = 0; step < 2 * count; step++) {
      int node = (up ? step : 2 * count - 1 - step) % count;
      move(twin, node, up ? 6_000 + step : 4_999 - step);
      if (step % 9 == 0) {
        int middle = left(twin, (node + count / 2) % count);
        ask(twin, rubric, middle);
        ask(twin, rubric, middle + 1);
        ask(twin, rubric, left(twin, (node + 1) % count));
      }
    }
    twin.checkState();
  }

  private void live(SplittableRandom random, String weight, int unit, int spread) {
    Twin twin = new Twin(0);
    Rubric rubric = Rubric.of("cpu", weight);
    int count = 100 + random.nextInt(250);
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int cpu = (4_000 + random.nextInt(spread)) * unit;
      nodes.add(Node.of("n" + random.nextInt(10) + "-" + i, Resources.of("cpu", cpu)));
    }
    twin.add(nodes);
    expectAnyNeed(twin, unit);
    for (int wave = 0; wave < 4; wave++) {
      int band = random.nextInt(3_000);
      boolean most = random.nextBoolean();
      for (int node = 0; node < count; node++) {
        if (most ? random.nextInt(8) > 0 : random.nextInt(3) == 0) {
          move(twin, node, (band + random.nextInt(spread)) * unit);
        }
        if (random.nextInt(10) == 0) {
          ask(twin, rubric, left(twin, random.nextInt(count)));
        }
      }
      for (int i = 0; i < 12; i++) {
        ask(twin, rubric, left(twin, random.nextInt(count)) + random.nextInt(2));
      }
      ask(twin, rubric, 0);
    }
    assertThat(twin.found).isPositive();
    twin.checkState();
  }

  /** Spreads the levels over all needs that will be queried. */
  private void expectAnyNeed(Twin twin, int unit) {
    List<Workload> any = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      any.add(workload(i * 320 * unit));
    }
    Batch batch = Batch.open(twin.ledger, any);
    twin.finder.expect(batch);
    batch.close();
  }

  private static int left(Twin twin, int node) {
    return (int) twin.ledger.accounts().left(node, 0);
  }

  /** Leaves the given amount on a node, by releasing all that is there and placing one workload. */
  private void move(Twin twin, int node, int left) {
    twin.release(twin.ledger.placements().workloads(node).stream().map(Workload::name).toList());
    twin.place(workload(left(twin, node) - left), node);
  }

  private Workload workload(int cpu) {
    return Workload.of("w" + made++, Resources.of("cpu", cpu));
  }

  private void ask(Twin twin, Rubric rubric, int cpu) {
    Workload workload = workload(cpu);
    Batch batch = Batch.open(twin.ledger, List.of(workload));
    twin.finder.expect(batch);
    demand = batch.demand(0);
    twin.first(workload, demand, rubric, false);
    twin.first(workload, demand, rubric, true);
    batch.close();
  }
}
