package io.lighthouse.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.bitmap.BitRow;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.demand.BatchOfOne;
import io.lighthouse.core.index.NeedSample;
import io.lighthouse.core.index.RareNames;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Each part of the index in the case that it was made for: that it gets there, and is right there.
 */
class IndexPartsTest {
  private final Ledger ledger = new Ledger();
  private Demand demand;

  private static Node node(String name, Object... resources) {
    return Node.of(name, Resources.of(resources));
  }

  private static Workload workload(String name, Object... requirements) {
    return Workload.of(name, Resources.of(requirements));
  }

  private void fleet(int nodes, int... capacities) {
    List<Node> all = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      all.add(node("n" + i, "cpu", capacities[i % capacities.length]));
    }
    ledger.nodeChanges().add(all);
  }

  /** Loads a demand whose batch is closed again: good as long as no scale changes. */
  private Demand load(Workload workload) {
    demand = BatchOfOne.demand(ledger, workload);
    return demand;
  }

  private void place(Workload workload, int node) {
    BatchOfOne.place(ledger, workload, node);
  }

  @Nested
  class RareNamesOfManyNodes {
    @Test
    void leadToTheFewNodesThatHaveThem() {
      List<Node> nodes = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        nodes.add(
            i % 100 == 7
                ? node("n" + i, "cpu", 9, "tag-" + i, 0, "zone", 0)
                : node("n" + i, "cpu", 9, "half-" + i % 2, 0));
      }
      ledger.nodeChanges().add(nodes);
      RareNames rare = new RareNames(ledger);
      int zone = ledger.resources().resourceId("zone");
      assertThat(rare.count(zone)).isEqualTo(5);
      assertThat(rare.count(ledger.resources().resourceId("cpu"))).isZero();
      assertThat(rare.count(ledger.resources().resourceId("half-0"))).isZero();
      assertThat(new int[] {rare.node(zone, 0), rare.node(zone, 1), rare.node(zone, 4)})
          .containsExactly(7, 107, 407);
      assertThat(rare.rarest(load(workload("a", "cpu", 1)))).isEqualTo(-1);
      assertThat(rare.rarest(load(workload("b", "cpu", 1, "zone", 0)))).isEqualTo(zone);
      assertThat(rare.rarest(load(workload("c", "tag-107", 0, "zone", 0))))
          .as("the rarer of two")
          .isEqualTo(ledger.resources().resourceId("tag-107"));
      assertThat(rare.before(zone, 0)).isZero();
      assertThat(rare.before(zone, 107)).isEqualTo(1);
      assertThat(rare.before(zone, 108)).isEqualTo(2);
      assertThat(rare.before(zone, 500)).isEqualTo(5);
    }

    @Test
    void areOnFewerThanOneNodeIn64() {
      List<Node> nodes = new ArrayList<>();
      for (int i = 0; i < 128; i++) {
        nodes.add(i < 2 ? node("n" + i, "cpu", 9, "zone", 0) : node("n" + i, "cpu", 9));
      }
      ledger.nodeChanges().add(nodes);
      assertThat(new RareNames(ledger).count(ledger.resources().resourceId("zone"))).isZero();
      ledger.nodeChanges().add(List.of(node("one-more", "cpu", 9)));
      assertThat(new RareNames(ledger).count(ledger.resources().resourceId("zone"))).isEqualTo(2);
    }

    @Test
    void areTheRarestOfThoseThatAreRequiredAndOfEqualsTheFirst() {
      List<Node> nodes = new ArrayList<>();
      nodes.add(node("n", "asset", 0, "cpu", 9, "zone-a", 0));
      for (int i = 0; i < 300; i++) {
        nodes.add(i < 2 ? node("n" + i, "zone-a", 0, "zone-b", 0) : node("n" + i, "cpu", 9));
      }
      nodes.add(node("m", "zone-b", 0));
      ledger.nodeChanges().add(nodes);
      RareNames rare = new RareNames(ledger);
      assertThat(rare.rarest(load(workload("a", "asset", 0, "cpu", 1, "zone-a", 0))))
          .isEqualTo(ledger.resources().resourceId("asset"));
      assertThat(rare.rarest(load(workload("b", "zone-a", 0, "zone-b", 0))))
          .as("three nodes each")
          .isEqualTo(ledger.resources().resourceId("zone-a"));
      assertThat(rare.rarest(load(workload("c", "cpu", 1))))
          .as("what the one before required is forgotten")
          .isEqualTo(-1);
      assertThat(rare.rarest(load(workload("d", "cpu", 1, "came-later", 0)))).isEqualTo(-1);
    }

    @Test
    void areAskedFirstFromAnyPositionAndByAnyOrder() {
      Twin twin = new Twin(0);
      List<Node> nodes = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        nodes.add(
            i % 75 == 3 ? node("n" + i, "cpu", 9 - i / 75, "zone", 0) : node("n" + i, "cpu", 9));
      }
      twin.add(nodes);
      Rubric rubric = Rubric.of("cpu", 1);
      Batch batch =
          Batch.open(twin.ledger, List.of(zoned("a"), zoned("b"), zoned("c"), zoned("d")));
      for (int i = 0; i < batch.size(); i++) {
        Workload workload = batch.workload(i);
        demand = batch.demand(i);
        assertThat(new RareNames(twin.ledger).rarest(demand)).isNotNegative();
        for (int from = 0; from < 300; from++) {
          twin.first(workload, demand, from);
        }
        twin.first(workload, demand, rubric, true);
        int node = twin.first(workload, demand, rubric, false);
        twin.ledger.place(batch.entry(i), node, demand);
        twin.naive.place(workload, node);
      }
    }

    private Workload zoned(String name) {
      return workload(name, "cpu", 2, "zone", 0).withAversionGroups("g");
    }
  }

  @Nested
  class SamplesOfNeeds {
    private Batch batch(long... needs) {
      List<Workload> workloads = new ArrayList<>();
      for (int i = 0; i < needs.length; i++) {
        workloads.add(workload("w" + i, "cpu", needs[i], "nobody-has-this", 1));
      }
      return Batch.open(ledger, workloads);
    }

    private void take(NeedSample sample, long... needs) {
      Batch batch = batch(needs);
      sample.take(batch);
      batch.close();
    }

    @Test
    void giveTheNeedsThemselvesWhereTheyAreFew() {
      fleet(1, 9);
      NeedSample sample = new NeedSample(ledger);
      assertThat(sample.has(ledger.resources().resourceId("cpu"))).isFalse();
      take(sample, 5, 2, 5, 3, 2);
      assertThat(sample.has(ledger.resources().resourceId("cpu"))).isTrue();
      assertThat(sample.levels(ledger.resources().resourceId("cpu"), 16)).containsExactly(2, 3, 5);
    }

    @Test
    void giveQuantilesFromTheLowestUpWhereTheyAreMany() {
      fleet(1, 9);
      NeedSample sample = new NeedSample(ledger);
      long[] needs = new long[400];
      Arrays.setAll(needs, i -> 399 - i);
      take(sample, needs);
      long[] levels = sample.levels(ledger.resources().resourceId("cpu"), 4);
      assertThat(levels).containsExactly(0, 100, 200, 300);
    }

    @Test
    void giveEveryNeedWhereTheyAreJustAsManyAsLevels() {
      fleet(1, 9);
      NeedSample sample = new NeedSample(ledger);
      take(sample, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4);
      assertThat(sample.levels(ledger.resources().resourceId("cpu"), 4))
          .containsExactly(1, 2, 3, 4);
    }

    @Test
    void areOnlyOfWhatSomeNodeHas() {
      fleet(1, 9);
      NeedSample sample = new NeedSample(ledger);
      Batch batch = batch(5);
      sample.take(batch);
      assertThat(sample.has(batch.ids(0)[0])).isTrue();
      assertThat(sample.has(batch.ids(0)[1])).as("nobody has this").isFalse();
      batch.close();
    }

    @Test
    void areTheLast512() {
      fleet(1, 9);
      NeedSample sample = new NeedSample(ledger);
      long[] needs = new long[512];
      Arrays.fill(needs, 3);
      take(sample, needs);
      Arrays.fill(needs, 4);
      needs[0] = 5;
      take(sample, needs);
      assertThat(sample.levels(ledger.resources().resourceId("cpu"), 16)).containsExactly(4, 5);
      take(sample, 6);
      assertThat(sample.levels(ledger.resources().resourceId("cpu"), 16)).containsExactly(4, 6);
    }

    @Test
    void keepOnlyTheLastAndOnlyOfTheScaleAndNameThatTheyWereTakenAt() {
      fleet(1, 9);
      NeedSample sample = new NeedSample(ledger);
      long[] old = new long[600];
      take(sample, old);
      long[] fresh = new long[600];
      Arrays.fill(fresh, 4);
      take(sample, fresh);
      take(sample, fresh);
      assertThat(sample.levels(ledger.resources().resourceId("cpu"), 16)).containsExactly(4);
      place(workload("fine", "cpu", "0.5"), 0);
      assertThat(sample.has(ledger.resources().resourceId("cpu"))).as("at another scale").isFalse();
    }
  }

  @Nested
  class ScansOfRows {
    @Test
    void findTheNextWordThatSurvivesTheAndOfAnyNumberOfRows() {
      SplittableRandom random = new SplittableRandom(3);
      for (int round = 0; round < 400; round++) {
        int words = 1 + random.nextInt(300);
        int count = 1 + random.nextInt(12);
        RowScan scan = new RowScan();
        long[][] rows = new long[count][words];
        int zeros = random.nextInt(40);
        for (long[] row : rows) {
          for (int i = 0; i < words; i++) {
            row[i] = random.nextInt(40) < zeros ? 0 : random.nextLong() | random.nextLong();
          }
          scan.append(row);
        }
        int upTo = 1 + random.nextInt(count);
        int from = random.nextInt(words);
        int next = scan.next(from, words, upTo);
        // Rows beyond the eighth may be left out, so it may stop early, but never pass a survivor.
        for (int i = from; i < Math.min(next, words); i++) {
          assertThat(and(rows, upTo, i)).isZero();
        }
        if (next < words) {
          assertThat(scan.word(next, upTo)).isEqualTo(and(rows, upTo, next));
          assertThat(and(rows, Math.min(upTo, 8), next)).isNotZero();
        }
      }
    }

    @Test
    void answerWhereTheyBeginIfThereIsNothingToScan() {
      RowScan scan = new RowScan();
      assertThat(scan.next(3, 9, 0)).as("no rows").isEqualTo(3);
      scan.append(new long[9]);
      assertThat(scan.next(9, 9, 1)).as("no words").isEqualTo(9);
      assertThat(scan.next(3, 9, 1)).isEqualTo(9);
    }

    private long and(long[][] rows, int upTo, int word) {
      long and = -1;
      for (int i = 0; i < upTo; i++) {
        and &= rows[i][word];
      }
      return and;
    }

    @Test
    void leaveOutRowsBeyondTheirRoomAndLoseNoSurvivor() {
      RowScan scan = new RowScan();
      for (int i = 0; i < 60; i++) {
        scan.append(new long[] {0, 0b100});
      }
      assertThat(scan.count()).isLessThanOrEqualTo(60);
      assertThat(scan.next(0, 2, scan.count())).isEqualTo(1);
      assertThat(scan.word(1, scan.count())).isEqualTo(0b100);
      scan.clear();
      assertThat(scan.count()).isZero();
    }
  }

  @Nested
  class ScansOfManyRows {
    @Test
    void lookAtTheRowsWithTheFewestBitsFirst() {
      RowScan scan = new RowScan();
      for (int i = 0; i < 30; i++) {
        scan.add(new long[] {-1L, 1L << i, -1L}, 129 - i);
      }
      scan.append(new long[] {1, 1, 1});
      for (int i = 0; i < 30; i++) {
        assertThat(scan.row(i)[1]).isEqualTo(1L << 29 - i);
      }
      assertThat(scan.row(30)[0]).isEqualTo(1);
      assertThat(scan.next(1, 3, scan.count())).as("no node has both").isEqualTo(2);
      assertThat(scan.word(0, scan.count())).isEqualTo(1);
      assertThat(scan.word(0, 30)).isEqualTo(-1L);
      assertThat(scan.word(1, 30)).isZero();
    }

    @Test
    void haveTheirAnswerInARowWithoutABit() {
      RowScan scan = new RowScan();
      BitRow row = new BitRow(2);
      row.set(70);
      row.set(70);
      scan.add(row);
      assertThat(scan.empty()).isFalse();
      row.clear(70);
      row.clear(70);
      assertThat(row.count()).isZero();
      scan.add(row);
      assertThat(scan.empty()).isTrue();
      scan.clear();
      assertThat(scan.empty()).isFalse();
    }
  }

  @Nested
  class Patience {
    @Test
    void givesTheSameAnswersBeforeAndAfterTheIndexIsBuilt() {
      for (int patience : new int[] {0, 1, 3, 1_000_000}) {
        Twin twin = new Twin(patience);
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
          nodes.add(node("n" + i, "cpu", 1 + i % 5));
        }
        twin.add(nodes);
        for (int i = 0; i < 150; i++) {
          Workload workload =
              new Workload("w" + i, Resources.of("cpu", 1 + i % 3), Set.of(), Set.of("g" + i % 50));
          Batch batch = Batch.open(twin.ledger, List.of(workload));
          twin.finder.expect(batch);
          demand = batch.demand(0);
          twin.all(workload, demand, i % 2 == 0);
          twin.first(workload, demand, Rubric.of("cpu", 1), i % 2 == 0);
          int node = twin.first(workload, demand, i % 100);
          if (node != NodeTable.NONE) {
            twin.ledger.place(batch.entry(0), node, demand);
            twin.naive.place(workload, node);
          }
          twin.ledger.commit();
          batch.close();
        }
        twin.checkState();
      }
    }
  }
}
