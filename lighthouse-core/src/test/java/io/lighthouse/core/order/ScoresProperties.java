package io.lighthouse.core.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.oracle.NaiveFleet;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Assertions;

/** Scores against plain decimals: exact, ties included, in 128 bits and beyond. */
class ScoresProperties {
  private static final String[] NAMES = {"a", "b", "c", "d"};

  @Property(shrinking = ShrinkingMode.OFF)
  void ofNodesCompareAsOnPaperWhateverTheWeights(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Rubric rubric = rubric(random);
    Ledger ledger = new Ledger();
    NaiveFleet naive = new NaiveFleet();
    int digits = random.nextInt(10);
    for (int i = 0; i < 12; i++) {
      Node node = Node.of("n" + random.nextInt(10) + i, quantities(random, digits, true));
      ledger.nodeChanges().add(List.of(node));
      naive.add(node);
    }
    Scores scores = new Scores(rubric, ledger);
    for (int a = 0; a < 12; a++) {
      for (int b = 0; b < 12; b++) {
        int byScore =
            NaiveFleet.score(naive.left(a), rubric)
                .compareTo(NaiveFleet.score(naive.left(b), rubric));
        same(scores.compareScores(a, b), byScore, rubric, a, b, naive);
        same(
            scores.compareNodes(a, b, false),
            naive.compare(a, b, rubric, false),
            rubric,
            a,
            b,
            naive);
        same(
            scores.compareNodes(a, b, true),
            naive.compare(a, b, rubric, true),
            rubric,
            a,
            b,
            naive);
      }
    }
    ScoreKeys keys = new ScoreKeys(12, scores.words());
    for (int node = 0; node < 12; node++) {
      scores.computeNode(node);
      keys.score(node, scores);
      for (int other = 0; other < node; other++) {
        int compared = keys.compareScores(node, keys, other);
        same(compared, scores.compareScores(node, other), rubric, node, other, naive);
      }
    }
  }

  private static void same(int found, int expected, Rubric rubric, int a, int b, NaiveFleet naive) {
    Assertions.assertEquals(
        Integer.signum(expected),
        Integer.signum(found),
        () -> rubric + " over " + naive.left(a) + " and " + naive.left(b));
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void ofWorkloadsCompareAsOnPaperWhateverTheWeights(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Rubric rubric = rubric(random);
    Ledger ledger = new Ledger();
    int digits = random.nextInt(10);
    ledger.nodeChanges().add(List.of(Node.of("n", quantities(random, digits, false))));
    List<Workload> workloads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      workloads.add(Workload.of("w" + i, quantities(random, digits, false)));
    }
    Batch batch = Batch.open(ledger, workloads);
    Scores scores = new Scores(rubric, ledger);
    ScoreKeys keys = new ScoreKeys(8, scores.words());
    for (int i = 0; i < 8; i++) {
      scores.computeWorkload(batch, i);
      keys.score(i, scores);
    }
    for (int a = 0; a < 8; a++) {
      for (int b = 0; b < 8; b++) {
        int paper =
            NaiveFleet.score(workloads.get(a), rubric)
                .compareTo(NaiveFleet.score(workloads.get(b), rubric));
        assertThat(keys.compareScores(a, keys, b)).isEqualTo(paper);
      }
    }
    batch.close();
  }

  private static BigInteger wide(Scores scores) {
    return BigInteger.valueOf(scores.word(0))
        .shiftLeft(64)
        .add(new BigInteger(Long.toUnsignedString(scores.word(1))));
  }

  private static Resources quantities(SplittableRandom random, int digits, boolean infinite) {
    Map<String, Quantity> quantities = new LinkedHashMap<>();
    for (String name : NAMES) {
      int kind = random.nextInt(10);
      if (kind == 0 && infinite) {
        quantities.put(name, Quantity.INFINITY);
      } else if (kind == 1 && infinite) {
        quantities.put(name, Quantity.NEGATIVE_INFINITY);
      } else if (kind > 2) {
        BigInteger units = BigInteger.valueOf(random.nextInt(-4, 5));
        if (kind == 9) {
          units = BigInteger.valueOf(random.nextLong() >> 6); // Up to 2^57: ten stay in range.
        }
        quantities.put(name, Quantity.of(new BigDecimal(units, digits)));
      }
    }
    return Resources.of(quantities);
  }

  private static Rubric rubric(SplittableRandom random) {
    Map<String, Object> weights = new LinkedHashMap<>();
    int kind = random.nextInt(4);
    for (String name : NAMES) {
      String sign = random.nextInt(3) == 0 ? "-" : "";
      switch (random.nextInt(5)) {
        case 0 -> weights.put(name, 0);
        case 1 -> {}
        default ->
            weights.put(
                name,
                sign
                    + switch (kind) {
                      case 0 -> "" + (1 + random.nextInt(3));
                      case 1 -> "0." + (1 + random.nextInt(9));
                      case 2 -> (random.nextBoolean() ? "1e-30" : "1e30");
                      default ->
                          (1 + random.nextInt(9))
                              + "."
                              + String.format("%017d", random.nextLong(100_000_000_000_000_000L))
                              + "e"
                              + random.nextInt(-30, 30);
                    });
      }
    }
    weights.put("nobody-has-this", 1);
    return Rubric.of(weights);
  }

  @Example
  void takeMoreWordsWhereTheCoefficientsAreLarge() {
    Ledger ledger = new Ledger();
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("a", 1, "b", 1))));
    assertThat(new Scores(Rubric.of("a", 1, "b", "0.5"), ledger).words()).isEqualTo(2);
    assertThat(new Scores(Rubric.of("a", "1e30", "b", "1e-30"), ledger).words()).isEqualTo(5);
    // 2^62 is 4.6e18: the coefficients must stay below it, all together.
    Rubric justBelow = Rubric.of("a", "4e18", "b", "611686018427387903");
    Rubric just = Rubric.of("a", "4e18", "b", "611686018427387904");
    assertThat(new Scores(justBelow, ledger).words()).isEqualTo(2);
    assertThat(new Scores(just, ledger).words()).isEqualTo(3);
  }

  @Example
  void tieWhereTheyAreEqualOnPaperThoughNotInBinary() {
    Ledger ledger = new Ledger();
    ledger
        .nodeChanges()
        .add(
            List.of(
                Node.of("b", Resources.of("x", "0.1", "y", "0.2")),
                Node.of("a", Resources.of("x", "0.3", "y", 0)),
                Node.of("c", Resources.of("x", "0.30000000000000004"))));
    Scores scores = new Scores(Rubric.of("x", 1, "y", 1), ledger);
    assertThat(scores.compareScores(0, 1)).isZero();
    assertThat(scores.compareScores(1, 2)).as("c is rounded to nine digits").isZero();
    assertThat(scores.compareNodes(0, 1, false)).isPositive();
    assertThat(scores.compareNodes(0, 1, true)).isPositive();
  }

  @Example
  void ofInfinitiesTieWhateverTheFinitePartsAndMinusWins() {
    Ledger ledger = new Ledger();
    String[][] nodes = {
      {"-inf", "inf"}, {"-inf", "5"}, {"0", "-1"}, {"0", "1"}, {"inf", "0"}, {"inf", "9"}
    };
    for (int i = 0; i < nodes.length; i++) {
      ledger
          .nodeChanges()
          .add(List.of(Node.of("n" + i, Resources.of("x", nodes[i][0], "y", nodes[i][1]))));
    }
    for (String weight : new String[] {"1", "1e-30"}) {
      Scores scores = new Scores(Rubric.of("x", "1", "y", weight), ledger);
      assertThat(scores.compareScores(0, 1)).isZero();
      assertThat(scores.compareScores(1, 2)).isNegative();
      assertThat(scores.compareScores(2, 3)).isNegative();
      assertThat(scores.compareScores(3, 4)).isNegative();
      assertThat(scores.compareScores(4, 5)).isZero();
      Scores turned = new Scores(Rubric.of("x", "-1", "y", weight), ledger);
      assertThat(turned.compareScores(4, 2)).isNegative();
      assertThat(turned.compareScores(1, 3)).isPositive();
      Scores blind = new Scores(Rubric.of("x", 0, "y", weight), ledger);
      assertThat(blind.compareScores(1, 3)).as("a weight of 0 sees no infinity").isPositive();
    }
  }

  @Example
  void knowWhetherMoreNeverLowersThem() {
    Ledger ledger = new Ledger();
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("a", 1, "b", 1))));
    Scores scores = new Scores(Rubric.of("a", 2, "b", 0, "z", -1), ledger);
    assertThat(scores.monotone()).as("nobody has z").isTrue();
    assertThat(new Scores(Rubric.of("a", -1), ledger).monotone()).isFalse();
  }

  @Example
  void ofADemandAreThoseOfItsWorkload() {
    Ledger ledger = new Ledger();
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("a", 1, "b", 1, "c", 1))));
    Scores scores = new Scores(Rubric.of("a", 2, "b", "0.5", "c", 0), ledger);
    List<Workload> workloads =
        List.of(
            Workload.of("none", Resources.none()),
            Workload.of("first", Resources.of("a", 3)),
            Workload.of("last", Resources.of("b", 7)),
            Workload.of("all", Resources.of("a", 3, "b", 7, "c", 11)));
    Batch batch = Batch.open(ledger, workloads);
    Demand demand;
    long[] tenths = {0, 60, 35, 95};
    for (int i = 0; i < workloads.size(); i++) {
      demand = batch.demand(i);
      scores.computeDemand(demand);
      assertThat(wide(scores)).isEqualTo(BigInteger.valueOf(tenths[i]));
      scores.computeWorkload(batch, i);
      assertThat(wide(scores)).isEqualTo(BigInteger.valueOf(tenths[i]));
    }
    batch.close();
  }
}
