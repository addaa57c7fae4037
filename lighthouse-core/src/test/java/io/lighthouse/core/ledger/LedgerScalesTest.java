package io.lighthouse.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.demand.Batch;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The digits that quantities are kept with, and the range that they leave. */
class LedgerScalesTest extends LedgerExamples {
  @Nested
  class Scales {
    @Test
    void growWhenAFinerQuantityComes() {
      nodes(node("n", "cpu", 5), node("m", "cpu", 7, "tag", 0));
      place(workload("coarse", "cpu", 2), 0);
      assertThat(ledger.resources().digits(ledger.resources().resourceId("cpu"))).isZero();
      place(workload("fine", "cpu", "0.001"), 0);
      assertThat(ledger.resources().digits(ledger.resources().resourceId("cpu"))).isEqualTo(3);
      place(workload("finest", "cpu", "0.000000001"), 0);
      assertThat(ledger.resources().digits(ledger.resources().resourceId("cpu"))).isEqualTo(9);
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("cpu", "2.998999999"));
      assertThat(ledger.accounts().lefts(1)).isEqualTo(Resources.of("cpu", 7, "tag", 0));
      release("fine", "coarse", "finest");
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("cpu", 5));
    }

    @Test
    void growWithinABatchForWhatWasReadBefore() {
      nodes(node("n", "cpu", 5, "mem", 9));
      List<Workload> workloads =
          List.of(
              workload("coarse", "cpu", 2, "mem", 1),
              workload("fine", "cpu", "0.5"),
              workload("finest", "cpu", "0.125", "mem", 2),
              workload("coarse again", "cpu", 1));
      Batch batch = Batch.open(ledger, workloads);
      Demand demand;
      for (int i = 0; i < workloads.size(); i++) {
        demand = batch.demand(i);
        ledger.place(batch.entry(i), 0, demand);
      }
      batch.close();
      ledger.commit();
      assertThat(ledger.resources().digits(ledger.resources().resourceId("cpu"))).isEqualTo(3);
      assertThat(ledger.resources().digits(ledger.resources().resourceId("mem"))).isZero();
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("cpu", "1.375", "mem", 6));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void areExactAtEveryNumberOfDigits(int digits) {
      BigDecimal fine = BigDecimal.ONE.movePointLeft(digits);
      nodes(node("n", "cpu", 5, "sky", "inf"));
      place(workload("coarse", "cpu", 2), 0);
      place(workload("fine", "cpu", fine, "sky", fine), 0);
      assertThat(ledger.accounts().lefts(0).get("cpu"))
          .contains(Quantity.of(new BigDecimal("3").subtract(fine)));
      assertThat(ledger.resources().digits(ledger.resources().resourceId("cpu"))).isEqualTo(digits);
    }

    @Test
    void roundAFinerRequirementUpAndAFinerNodeDown() {
      nodes(node("n", "cpu", "0.9999999999", "debt", "-0.0000000001"));
      assertThat(ledger.accounts().lefts(0))
          .isEqualTo(Resources.of("cpu", "0.999999999", "debt", "-0.000000001"));
      place(workload("w", "cpu", "0.00000000001", "debt", "-0.0000000019"), 0);
      assertThat(ledger.accounts().lefts(0))
          .isEqualTo(Resources.of("cpu", "0.999999998", "debt", "0"));
      assertThat(ledger.placements().workloads(0).get(0).requirements())
          .isEqualTo(Resources.of("cpu", "0.00000000001", "debt", "-0.0000000019"));
      release("w");
      assertThat(ledger.accounts().lefts(0))
          .isEqualTo(Resources.of("cpu", "0.999999999", "debt", "-0.000000001"));
    }

    @Test
    void shrinkAgainWhereTheRangeAsksForIt() {
      nodes(node("n", "cpu", 5));
      place(workload("fine", "cpu", "0.000000001"), 0);
      release("fine");
      place(workload("large", "cpu", "4000000000000000000"), 0);
      assertThat(ledger.resources().digits(ledger.resources().resourceId("cpu"))).isZero();
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("cpu", "-3999999999999999995"));
    }
  }

  /** Amounts are below 2^62 / 10^s, exactly. */
  @Nested
  class TheRange {
    private static final String LAST = "4611686018427387903"; // 2^62 - 1
    private static final String LIMIT = "4611686018427387904";

    @Test
    void holdsOneLessThanTheLimitAndRefusesTheLimit() {
      nodes(node("n", "cpu", LAST, "x", 0));
      assertThat(ledger.accounts().lefts(0).get("cpu")).contains(Quantity.of(LAST));
      NodeBooks before = new NodeBooks(ledger);
      assertThatThrownBy(() -> nodes(node("m", "cpu", LIMIT)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("node 'm'", "resources.cpu", LIMIT, "'cpu'", "2^62 / 10^0");
      assertThatThrownBy(() -> Batch.open(ledger, List.of(workload("w", "cpu", 1, "fresh", 1))))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("workload 'w'", "requirements.cpu", "is 1;", LIMIT);
      assertThatThrownBy(() -> Batch.open(ledger, List.of(workload("w", "x", "-" + LIMIT))))
          .isInstanceOf(InvalidInputException.class);
      assertThat(new NodeBooks(ledger)).isEqualTo(before);
      ledger.commit();
      assertThat(ledger.resources().find("fresh")).isEqualTo(-1);
      Batch.open(ledger, List.of(workload("w", "cpu", 0, "x", LAST))).close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void isExactAtEveryScale(int digits) {
      BigDecimal limit = new BigDecimal(BigInteger.ONE.shiftLeft(62), digits);
      BigDecimal unit = BigDecimal.ONE.movePointLeft(digits);
      BigDecimal largest = limit.subtract(unit.multiply(BigDecimal.TEN));
      nodes(node("n", "cpu", largest.add(unit)), node("m", "cpu", largest.negate()));
      // The largest and 9 units would be the limit.
      List<Workload> tooMuch = new ArrayList<>();
      for (int i = 0; i < 9; i++) {
        tooMuch.add(workload("w" + i, "cpu", i % 2 == 0 ? unit : unit.negate()));
      }
      assertThatThrownBy(() -> Batch.open(ledger, tooMuch))
          .isInstanceOf(InvalidInputException.class);
      Batch.open(ledger, tooMuch.subList(0, 8)).close();
      // What is placed counts as what comes.
      tooMuch.subList(0, 5).forEach(one -> place(one, 0));
      assertThatThrownBy(() -> Batch.open(ledger, tooMuch.subList(5, 9)))
          .isInstanceOf(InvalidInputException.class);
      Batch.open(ledger, tooMuch.subList(5, 8)).close();
      release("w0");
      Batch.open(ledger, tooMuch.subList(5, 9)).close();
      // A finer one asks for more of the range than there is.
      if (digits < 9) {
        assertThatThrownBy(
                () -> Batch.open(ledger, List.of(workload("f", "cpu", unit.movePointLeft(1)))))
            .isInstanceOf(InvalidInputException.class);
      }
    }

    @Test
    void countsInfiniteNodesAsNothingAndWhatIsPlacedThereAsSomething() {
      nodes(node("n", "cpu", "inf"));
      place(workload("w", "cpu", LAST), 0);
      assertThatThrownBy(() -> Batch.open(ledger, List.of(workload("v", "cpu", 1))))
          .isInstanceOf(InvalidInputException.class);
      release("w");
      Batch.open(ledger, List.of(workload("v", "cpu", LAST))).close();
    }

    @Test
    void forgetsWhatWasRemovedOrReleased() {
      nodes(node("large", "cpu", LAST), node("small", "cpu", 1));
      ledger.nodeChanges().remove(0);
      ledger.commit();
      place(workload("w", "cpu", "0.5"), 1);
      assertThat(ledger.accounts().lefts(1)).isEqualTo(Resources.of("cpu", "0.5"));
      release("w");
      ledger.commit();
      nodes(node("large", "cpu", LAST));
      assertThat(ledger.resources().digits(ledger.resources().resourceId("cpu"))).isZero();
    }

    @Test
    void forgetsTheCapacityThatAResizedNodeHadBefore() {
      nodes(node("n", "cpu", LAST));
      ledger.nodeChanges().resize(0, Resources.of("cpu", "0.5"));
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("cpu", "0.5"));
      ledger.nodeChanges().resize(0, Resources.of("cpu", LAST));
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("cpu", LAST));
    }

    @Test
    void isToldInTheSameWordsInEveryLocale() {
      Locale before = Locale.getDefault();
      try {
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        assertThatThrownBy(() -> nodes(node("n", "cpu", LIMIT)))
            .hasMessageContaining(LIMIT + " (2^62 / 10^0)");
      } finally {
        Locale.setDefault(before);
      }
    }

    @Test
    void refusesABatchForOneWorkloadInItAndTakesNoName() {
      nodes(node("n", "cpu", 1));
      List<Workload> batch = List.of(workload("good", "cpu", 1), workload("bad", "cpu", "1e400"));
      assertThatThrownBy(() -> Batch.open(ledger, batch))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("workload 'bad'", "requirements.cpu");
      assertThat(ledger.placements().placedNode("good")).isNegative();
      Batch.open(ledger, List.of(workload("good", "cpu", 1), workload("bad", "cpu", 1))).close();
    }
  }
}
