package io.lighthouse.core.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.bitmap.BitRow;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.demand.BatchOfOne;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/**
 * A row of a level is exactly the nodes that have as much left, whatever is placed and released.
 */
class LevelsProperties {
  /** What is required of each resource, and so its levels: small numbers, and such beyond 2^15. */
  private static final long[] CPU = {0, 2, 5, 9};

  private static final long[] MEM = {1L << 20, 3L << 20, 1L << 40};

  private Ledger ledger = new Ledger();
  private Demand demand;
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
    Batch batch = Batch.open(ledger, sampled);
    NeedSample sample = new NeedSample(ledger);
    sample.take(batch);
    batch.close();
    follow(new Levels(ledger, sample));
  }

  /** Uses these levels from now on, and notifies them of all changes. */
  private void follow(Levels learned) {
    levels = learned;
    ledger.listenToPlacements(
        (node, demand, sign) -> {
          for (int i = 0; i < demand.size(); i++) {
            levels.leftChanged(
                node,
                demand.id(i),
                ledger.accounts().left(node, ledger.accounts().layout(node).slot(demand.id(i))));
          }
        });
  }

  private void fleet(SplittableRandom random, int count) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(
          Node.of("n" + i, Resources.of("cpu", random.nextInt(15), "mem", 1L << 15 + i % 30)));
    }
    ledger.nodeChanges().add(nodes);
  }

  private Demand load(Workload workload) {
    demand = BatchOfOne.demand(ledger, workload);
    return demand;
  }

  private void place(Workload workload, int node) {
    BatchOfOne.place(ledger, workload, node);
  }

  private void exact(String resource, long[] amounts) {
    int id = ledger.resources().resourceId(resource);
    int dimension = levels.dimension(id);
    assertThat(levels.levels(dimension)).isEqualTo(amounts.length);
    for (int node = 0; node < ledger.nodes().nodeCount(); node++) {
      long left = ledger.accounts().left(node, ledger.accounts().layout(node).slot(id));
      int height = -1;
      for (int level = 0; level < amounts.length; level++) {
        long bit = levels.row(dimension, level).words[node >> 6] >>> node & 1;
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
    exact("cpu", CPU);
    exact("mem", MEM);
    List<String> placed = new ArrayList<>();
    for (int step = 0; step < 60; step++) {
      if (placed.isEmpty() || random.nextInt(3) > 0) {
        Workload workload = workload(random.nextInt(12) - 3, random.nextLong(1L << 30));
        placed.add(workload.name());
        place(workload, random.nextInt(ledger.nodes().nodeCount()));
      } else {
        String gone = placed.remove(random.nextInt(placed.size()));
        ledger.release(new int[] {ledger.placements().entryOf(gone)});
      }
    }
    exact("cpu", CPU);
    exact("mem", MEM);
    for (int i = 0; i < 5; i++) {
      load(workload(random.nextInt(14), random.nextLong(1L << 41)));
      LevelNeeds needs = needs(demand);
      for (int node = 0; node < ledger.nodes().nodeCount(); node++) {
        boolean enough =
            ledger.accounts().left(node, 0) >= demand.need(0)
                && ledger.accounts().left(node, 1) >= demand.need(1);
        assertThat(enough && !needs.covers(node)).as("a no is sure").isFalse();
      }
    }
  }

  @Example
  void aNeedAsksForTheHighestLevelThatIsNotAboveIt() {
    fleet(new SplittableRandom(1), 70);
    learn();
    int cpu = levels.dimension(ledger.resources().resourceId("cpu"));
    int[] expected = {0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3};
    for (int need = 0; need < expected.length; need++) {
      assertThat(levels.level(cpu, need)).isEqualTo(expected[need]);
    }
    assertThat(levels.level(cpu, -1)).isEqualTo(-1);
    assertThat(levels.dimension(9)).as("a resource that came later").isEqualTo(-1);
  }

  @Property
  void aNeedIsFoundAmongAnyNumberOfLevels(@ForAll @IntRange(min = 1, max = 16) int count) {
    ledger = new Ledger();
    ledger.nodeChanges().add(List.of(Node.of("a", Resources.of("cpu", 2 * count))));
    NeedSample sample = new NeedSample(ledger);
    for (int i = 1; i <= count; i++) {
      take(sample, Workload.of("w", Resources.of("cpu", 2 * i)));
    }
    levels = new Levels(ledger, sample);
    int cpu = levels.dimension(ledger.resources().resourceId("cpu"));
    assertThat(levels.levels(cpu)).isEqualTo(count);
    assertThat(levels.height(cpu, 0)).isEqualTo(count - 1);
    for (int need = -1; need < 2 * count + 4; need++) {
      assertThat(levels.level(cpu, need)).isEqualTo(Math.min(need / 2, count) - 1);
    }
  }

  @Example
  void aDemandAddsARowForEachResourceThatItIsNotImmuneTo() {
    fleet(new SplittableRandom(1), 70);
    learn();
    assertThat(rows(workload(5, 1L << 41)))
        .containsExactlyInAnyOrder(levels.row(0, 2).words, levels.row(1, 2).words);
    assertThat(rows(workload(6, 5)))
        .as("less than the lowest")
        .containsExactly(levels.row(0, 2).words);
    assertThat(rows(workload(9, 1L << 20).withImmunities("cpu")))
        .containsExactly(levels.row(1, 0).words);
  }

  private LevelNeeds needs(Demand demand) {
    LevelNeeds needs = new LevelNeeds();
    needs.take(levels, demand);
    return needs;
  }

  /** Whether each of the first four nodes may have enough. */
  private List<Boolean> covered(Workload workload) {
    LevelNeeds needs = needs(load(workload));
    return List.of(needs.covers(0), needs.covers(1), needs.covers(2), needs.covers(3));
  }

  @Example
  void needsOfTwoDemandsAnswerEachForItself() {
    alike(1, 9, 5);
    LevelNeeds few = needs(load(Workload.of("few", Resources.of("r10", 2, "r18", 2))));
    LevelNeeds many = needs(load(Workload.of("many", Resources.of("r11", 9))));
    assertThat(few.covers(0)).isTrue();
    assertThat(many.covers(0)).isFalse();
    assertThat(few.count()).isEqualTo(2);
    few.take(levels, load(Workload.of("other", Resources.of("r18", 9))));
    assertThat(few.covers(0)).as("taken again").isFalse();
    few.take(levels, load(Workload.of("none", Resources.none())));
    assertThat(few.covers(0)).as("nothing is left of the demand before").isTrue();
  }

  private List<long[]> rows(Workload workload) {
    RowScan scan = new RowScan();
    needs(load(workload)).addRows(scan);
    List<long[]> rows = new ArrayList<>();
    for (int i = 0; i < scan.count(); i++) {
      rows.add(scan.row(i));
    }
    return rows;
  }

  @Example
  void aNodeWithoutEnoughIsNotCovered() {
    ledger
        .nodeChanges()
        .add(
            List.of(
                Node.of("a", Resources.of("cpu", 7, "mem", 1L << 41)),
                Node.of("b", Resources.of("cpu", 6, "mem", 1L << 41)),
                Node.of("c", Resources.of("cpu", "inf", "mem", 1L << 38)),
                Node.of("d", Resources.of("cpu", "-inf", "mem", "inf"))));
    learn();
    assertThat(covered(workload(7, 1L << 40))).containsExactly(true, false, false, false);
    assertThat(covered(workload(7, 1L << 40).withImmunities("cpu")))
        .containsExactly(true, true, false, true);
  }

  @Example
  void aRowHasABitForEachNodeAndNoMore() {
    fleet(new SplittableRandom(1), 70);
    learn();
    for (int d = 0; d < levels.dimensions(); d++) {
      for (int level = 0; level < levels.levels(d); level++) {
        BitRow row = levels.row(d, level);
        assertThat(row.words).hasSize(2);
        assertThat(row.count())
            .isEqualTo(Long.bitCount(row.words[0]) + Long.bitCount(row.words[1]));
      }
    }
  }

  @Example
  void theyMatchASampleThatWouldGiveThemAgain() {
    fleet(new SplittableRandom(1), 70);
    NeedSample sample = new NeedSample(ledger);
    take(sample, workload(CPU[1], MEM[1]));
    Levels learned = new Levels(ledger, sample);
    assertThat(learned.matches(sample)).isTrue();
    take(sample, workload(CPU[1], MEM[1]));
    assertThat(learned.matches(sample)).isTrue();
    take(sample, workload(CPU[2], MEM[1]));
    assertThat(learned.matches(sample)).as("other amounts of cpu").isFalse();
    assertThat(new Levels(ledger, sample).matches(sample)).isTrue();
  }

  private void take(NeedSample sample, Workload workload) {
    Batch batch = Batch.open(ledger, List.of(workload));
    sample.take(batch);
    batch.close();
  }

  /** A fleet of the same resources on each node, all levels of which are 2, 5 and 9. */
  private List<String> alike(int nodes, int resources, int each) {
    Map<String, Object> all = new LinkedHashMap<>();
    for (int i = 0; i < resources; i++) {
      all.put("r" + (10 + i), each);
    }
    List<Node> fleet = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      fleet.add(Node.of("n" + i, all));
    }
    ledger.nodeChanges().add(fleet);
    NeedSample sample = new NeedSample(ledger);
    for (int level : new int[] {2, 5, 9}) {
      all.replaceAll((name, amount) -> level);
      take(sample, Workload.of("w", all));
    }
    follow(new Levels(ledger, sample));
    return List.copyOf(all.keySet());
  }

  @Example
  void aNodeThatFellIsNoLongerCoveredInWhicheverDimension() {
    List<String> names = alike(1, 9, 9);
    for (String name : names) {
      assertThat(needs(load(Workload.of("asks", Resources.of(name, 5)))).covers(0))
          .as(name)
          .isTrue();
      place(Workload.of("takes-" + name, Resources.of(name, 6)), 0);
      assertThat(needs(load(Workload.of("asks", Resources.of(name, 5)))).covers(0))
          .as("3 of " + name)
          .isFalse();
      assertThat(needs(load(Workload.of("asks", Resources.of(name, 3)))).covers(0))
          .as("3 of " + name)
          .isTrue();
    }
    ledger.release(
        names.stream().mapToInt(name -> ledger.placements().entryOf("takes-" + name)).toArray());
    for (String name : names) {
      assertThat(needs(load(Workload.of("asks", Resources.of(name, 9)))).covers(0))
          .as("all of " + name + " again")
          .isTrue();
    }
  }

  @Example
  void theyAreOfResourcesThatOneNodeIn64Has() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 128; i++) {
      nodes.add(
          i == 3
              ? Node.of("n" + i, Resources.of("cpu", 1, "gpu", 1, "fpga", 1))
              : Node.of(
                  "n" + i, i == 9 ? Resources.of("cpu", 1, "gpu", 1) : Resources.of("cpu", 1)));
    }
    ledger.nodeChanges().add(nodes);
    NeedSample sample = new NeedSample(ledger);
    take(sample, Workload.of("w", Resources.of("cpu", 1, "gpu", 1, "fpga", 1)));
    levels = new Levels(ledger, sample);
    assertThat(levels.dimension(ledger.resources().resourceId("cpu"))).isNotNegative();
    int gpu = levels.dimension(ledger.resources().resourceId("gpu"));
    assertThat(gpu).isNotNegative();
    assertThat(levels.height(gpu, 9)).isZero();
    assertThat(levels.height(gpu, 0)).as("who has none has no level").isEqualTo(-1);
    assertThat(levels.dimension(ledger.resources().resourceId("fpga"))).isEqualTo(-1);
    assertThat(levels.dimensions()).isEqualTo(2);
  }

  @Example
  void theyAreOfAnyNumberOfResourcesWithFewerLevelsOfEachWhereThereAreMany() {
    List<String> names = alike(70, 700, 9);
    assertThat(levels.dimensions()).isEqualTo(700);
    assertThat(levels.levels(0)).as("of 3 that a sample would give").isEqualTo(1);
    for (String name : names) {
      assertThat(needs(load(Workload.of("asks", Resources.of(name, 5)))).count()).isEqualTo(1);
      assertThat(needs(load(Workload.of("asks", Resources.of(name, 5)))).covers(0)).isTrue();
      assertThat(needs(load(Workload.of("asks", Resources.of(name, 10)))).covers(0))
          .as("9 of " + name)
          .isFalse();
    }
  }

  @Example
  void theyDoNotMatchASampleOfAResourceThatIsAskedForSince() {
    ledger.nodeChanges().add(List.of(Node.of("a", Resources.of("cpu", 4, "gpu", 2))));
    NeedSample sample = new NeedSample(ledger);
    take(sample, Workload.of("w", Resources.of("cpu", 1)));
    Levels learned = new Levels(ledger, sample);
    take(sample, Workload.of("w", Resources.of("cpu", 1)));
    assertThat(learned.matches(sample)).isTrue();
    take(sample, Workload.of("w", Resources.of("gpu", 1)));
    assertThat(learned.matches(sample)).isFalse();
  }

  @Example
  void roughNeedsCompareAsTheNeedsThemselvesDo() {
    alike(1, 2, 9);
    long few = lanes(Resources.of("r10", 2));
    long more = lanes(Resources.of("r10", 3, "r11", 1));
    assertThat(RoughAmounts.atMost(few, more)).isTrue();
    assertThat(RoughAmounts.atMost(more, few)).isFalse();
    assertThat(RoughAmounts.atMost(lanes(Resources.of("r11", 9)), more)).isFalse();
    assertThat(RoughAmounts.atMost(lanes(Resources.none()), few)).isTrue();
    assertThat(RoughAmounts.atMost(few, few)).isTrue();
  }

  private long lanes(Resources needs) {
    return needs(load(Workload.of("asks", needs))).firstLanes();
  }
}
