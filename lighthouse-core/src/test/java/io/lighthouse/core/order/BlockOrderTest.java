package io.lighthouse.core.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.constraint.Constraints;
import io.lighthouse.core.constraint.NamedRules;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.constraint.Within;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.demand.BatchOfOne;
import io.lighthouse.core.index.Levels;
import io.lighthouse.core.index.NeedSample;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.oracle.NaiveFleet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Nodes in blocks that fill, split to either side, run out of room and are laid out anew; checked
 * against a comparison of all nodes. Demands need a level only, so that no row lets a node pass
 * that does not fit.
 */
class BlockOrderTest {
  private static final int[] NEEDS = {
    0, 1, 500, 700, 899, 1_000, 1_050, 1_200, 1_390, 5_000, 10_000, 10_200, 12_000, 14_000, 16_000
  };

  private final Ledger ledger = new Ledger();
  private Demand demand;
  private Levels levels;
  private BlockOrder order;
  private Constraints rules;
  private int made;

  /** Nodes whose names stand the other way round than their indexes. */
  private void fleet(int count, IntUnaryOperator cpu) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(Node.of("n" + (9_999 - i), Resources.of("cpu", cpu.applyAsInt(i))));
    }
    ledger.nodeChanges().add(nodes);
    List<Workload> wanted = new ArrayList<>();
    for (int need : NEEDS) {
      wanted.add(workload(need));
    }
    Batch batch = Batch.open(ledger, wanted);
    NeedSample sample = new NeedSample(ledger);
    sample.take(batch);
    batch.close();
    levels = new Levels(ledger, sample);
    rules = new Constraints(ledger, NamedRules.NONE, true);
    rules.resourceRows.index(levels);
    order =
        new BlockOrder(
            ledger, levels, new Scores(Rubric.of("cpu", 1), ledger), new NameOrder(ledger));
    ledger.listenToPlacements(
        (node, demand, sign) -> {
          rules.resourceRows.charged(node, demand, sign);
          order.settled(node);
        });
  }

  private Workload workload(long cpu) {
    return Workload.of("w" + made++, Resources.of("cpu", cpu));
  }

  private long left(int node) {
    return ledger.accounts().left(node, 0);
  }

  /** Places a workload that leaves the given amount on a node, or gives it. */
  private void move(int node, long left) {
    BatchOfOne.place(ledger, workload(left(node) - left), node);
  }

  private int blockOf(int node) {
    return order.find(order.keys(), node);
  }

  private int blocks() {
    ScoreKeys beyond = new ScoreKeys(1, 2);
    beyond.highest(0);
    return 1 + order.find(beyond, 0);
  }

  /** How many nodes each block has that has any. */
  private Map<Integer, Integer> sizes() {
    Map<Integer, Integer> sizes = new TreeMap<>();
    for (int node = 0; node < ledger.nodes().nodeCount(); node++) {
      sizes.merge(blockOf(node), 1, Integer::sum);
    }
    return sizes;
  }

  private List<Integer> sorted(boolean descending) {
    List<Integer> nodes = new ArrayList<>();
    for (int node = 0; node < ledger.nodes().nodeCount(); node++) {
      nodes.add(node);
    }
    Comparator<Integer> byLeft = Comparator.comparing(this::left);
    nodes.sort(
        (descending ? byLeft.reversed() : byLeft)
            .thenComparing(ledger.nodes()::nodeName, NaiveFleet::compareNames));
    return nodes;
  }

  /** Blocks are in order, and every search finds the node that stands first of those that fit. */
  private void check() {
    List<Integer> ascending = sorted(false);
    assertThat(ascending).extracting(this::blockOf).isSorted();
    List<Integer> descending = sorted(true);
    for (int need : NEEDS) {
      int lowest = firstWith(need, ascending);
      int start = lowest < 0 ? 0 : blockOf(lowest);
      demand = BatchOfOne.demand(ledger, workload(need));
      assertThat(first(0, false)).isEqualTo(lowest);
      assertThat(first(start, false)).isEqualTo(lowest);
      assertThat(first(0, true)).isEqualTo(firstWith(need, descending));
    }
    assertThat(levels.misses()).as("nodes looked at in vain").isZero();
  }

  private int first(int start, boolean descending) {
    try (Query query = rules.bind(demand, Query.Mode.HARD, Within.FLEET)) {
      query.addRows(new RowScan(), true);
      return order.first(query, start, false, descending);
    }
  }

  private int firstWith(int need, List<Integer> nodes) {
    return nodes.stream().filter(node -> left(node) >= need).findFirst().orElse(NodeTable.NONE);
  }

  @Test
  void nodesAreSpreadEvenlyAtFirstWithRoomInEachBlockAndAmongThem() {
    fleet(1_200, i -> 1_000 + i * 7 % 1_200);
    assertThat(sizes()).hasSize(30);
    assertThat(sizes().values()).containsOnly(40);
    assertThat(sizes().keySet()).as("every fourth is empty").noneMatch(block -> block % 4 == 3);
    assertThat(blocks()).as("no more than half as many again").isBetween(40, 45);
    check();
  }

  @Test
  void keysAreTheScoreAndThePlaceAmongTheNames() {
    fleet(90, i -> 1_000 + i / 3 * 5 % 7);
    List<Integer> ascending = sorted(false);
    for (int i = 0; i < 90; i++) {
      int node = ascending.get(i);
      assertThat(order.keys().low(node)).isEqualTo(left(node));
      assertThat(order.keys().high(node)).isZero();
      assertThat(node == 0 || order.keys().label(node) < order.keys().label(node - 1))
          .as("names stand the other way round")
          .isTrue();
      for (int k = 0; k < 90; k++) {
        int other = ascending.get(k);
        assertThat(order.before(node, other, false)).isEqualTo(i < k);
        assertThat(order.below(node, order.keys(), other)).isEqualTo(i < k);
      }
    }
    move(0, -5);
    assertThat(order.keys().high(0)).as("below zero").isEqualTo(-1);
    assertThat(order.keys().low(0)).isEqualTo(-5);
  }

  @Test
  void whereNoBlockIsEmptyAllAreLaidOutAnewAndNodesGoOnRising() {
    leaveOneOfEachBlock(10_000, 1);
  }

  @Test
  void whereNoBlockIsEmptyAllAreLaidOutAnewAndNodesGoOnFalling() {
    leaveOneOfEachBlock(899, -1);
  }

  /** All but one node of each block go beyond one end of the order, one after the other. */
  private void leaveOneOfEachBlock(int next, int step) {
    fleet(400, i -> 1_000 + i);
    Map<Integer, Integer> kept = new TreeMap<>();
    for (int node = 0; node < 400; node++) {
      kept.putIfAbsent(blockOf(node), node);
    }
    assertThat(sizes()).as("some blocks are empty").hasSizeLessThan(blocks());
    boolean full = false;
    boolean anew = false;
    int left = next;
    for (int i = 0; i < 400; i++) {
      int node = i * 7 % 400;
      if (kept.containsValue(node)) {
        continue;
      }
      move(node, left);
      left += step;
      int used = sizes().size();
      anew |= full && used <= 11;
      full |= used == blocks();
      if (i % 10 == 0) {
        check();
      }
    }
    assertThat(full).as("at some time no block was empty").isTrue();
    assertThat(anew).as("then all were laid out anew").isTrue();
    check();
  }

  @Test
  void afterMuchMovingOfBlocksAllAreLaidOutAnew() {
    fleet(400, i -> 9_000 + i);
    int anew = 0;
    boolean even = true;
    for (int step = 0; step < 6_000; step++) {
      move(step % 400, 10_000 + step);
      boolean was = even;
      even = even();
      if (even && !was) {
        anew++;
        check();
      }
      if (step % 97 == 0) {
        check();
      }
    }
    assertThat(anew).isBetween(2, 30);
  }

  /** Whether the nodes are spread as at first, but for the one that has just been moved. */
  private boolean even() {
    Map<Integer, Integer> sizes = sizes();
    return sizes.size() <= 11
        && sizes.values().stream().filter(size -> size >= 39 && size <= 41).count() == 10;
  }

  @Test
  void nodesThatMoveAnywhereAreFoundByEveryLevel() {
    SplittableRandom random = new SplittableRandom(4);
    fleet(300, i -> 1_000 + i);
    for (int wave = 0; wave < 12; wave++) {
      int lowest = NEEDS[random.nextInt(NEEDS.length)];
      int spread = wave % 3 == 0 ? 4 : 3_000;
      for (int i = 0; i < 200; i++) {
        move(random.nextInt(300), lowest - 1 + random.nextInt(spread));
        if (i % 25 == 0) {
          check();
        }
      }
    }
    check();
  }

  @Test
  void aFleetWithoutNodesHasOneEmptyBlock() {
    levels = new Levels(ledger, new NeedSample(ledger));
    rules = new Constraints(ledger, NamedRules.NONE, true);
    rules.resourceRows.index(levels);
    order =
        new BlockOrder(
            ledger, levels, new Scores(Rubric.of("cpu", 1), ledger), new NameOrder(ledger));
    assertThat(blocks()).isEqualTo(1);
    demand = BatchOfOne.demand(ledger, Workload.of("w", Resources.none()));
    assertThat(first(0, false)).isEqualTo(NodeTable.NONE);
    assertThat(first(0, true)).isEqualTo(NodeTable.NONE);
  }
}
