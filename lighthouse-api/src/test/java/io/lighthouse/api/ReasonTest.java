package io.lighthouse.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Reason.Averse;
import io.lighthouse.api.Reason.Cordoned;
import io.lighthouse.api.Reason.Declined;
import io.lighthouse.api.Reason.Insufficient;
import io.lighthouse.api.Reason.Kind;
import io.lighthouse.api.Reason.Later;
import io.lighthouse.api.Reason.Missing;
import io.lighthouse.api.Reason.Negative;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ReasonTest {
  private static final Quantity FIVE = Quantity.of(5);

  @Test
  void everyReasonHasItsKind() {
    assertThat(new Cordoned().kind()).isEqualTo(Kind.CORDONED);
    assertThat(new Missing("gpu", FIVE).kind()).isEqualTo(Kind.MISSING);
    assertThat(new Insufficient("cpu", Quantity.ONE, FIVE, Quantity.of(4)).kind())
        .isEqualTo(Kind.SHORT);
    assertThat(new Negative("flies", FIVE.negated(), Quantity.ZERO, FIVE).kind())
        .isEqualTo(Kind.SHORTCOMING);
    assertThat(new Negative("spiders", Quantity.NEGATIVE_INFINITY, FIVE, Quantity.INFINITY).kind())
        .isEqualTo(Kind.WARD);
    assertThat(new Declined().kind()).isEqualTo(Kind.DECLINED);
    assertThat(new Averse(Set.of("io")).kind()).isEqualTo(Kind.AVERSE);
    assertThat(new Later("n1").kind()).isEqualTo(Kind.LATER);
  }

  @Test
  void onlyBrokenConditionsOfOneResourceNameIt() {
    assertThat(new Missing("gpu", FIVE).resource()).contains("gpu");
    assertThat(new Insufficient("cpu", Quantity.ONE, FIVE, Quantity.of(4)).resource())
        .contains("cpu");
    assertThat(new Negative("flies", FIVE.negated(), Quantity.ZERO, FIVE).resource())
        .contains("flies");
    assertThat(List.of(new Cordoned(), new Declined(), new Averse(Set.of("io")), new Later("n1")))
        .allMatch(reason -> reason.resource().isEmpty());
    assertThat(new ReasonCount(Kind.MISSING, "gpu", 3).resource()).contains("gpu");
    assertThat(new ReasonCount(Kind.CORDONED, "", 3).resource()).isEmpty();
  }

  @Test
  void sharedGroupsStandInTheOrderOfNames() {
    assertThat(new Averse(new LinkedHashSet<>(List.of("b", "a"))).groups())
        .containsExactly("a", "b");
  }

  @Nested
  class Verdicts {
    private final List<Reason> reasons = new ArrayList<>(List.of(new Later("n2")));
    private final NodeVerdict later = new NodeVerdict("n1", true, reasons);
    private final NodeVerdict chosen = new NodeVerdict("n2", true, List.of());
    private final NodeVerdict unfit = new NodeVerdict("n3", false, List.of(new Cordoned()));

    @Test
    void theChosenNodeIsTheOneThatFitsWithoutAReason() {
      assertThat(chosen.chosen()).isTrue();
      assertThat(later.chosen()).isFalse();
      assertThat(unfit.chosen()).isFalse();
    }

    @Test
    void anExplanationNamesTheChosenNode() {
      Refusal summary = new Refusal("w", 3, List.of(), List.of());

      assertThat(new Explanation("w", List.of(later, chosen, unfit), summary).chosen())
          .contains("n2");
      assertThat(new Explanation("w", List.of(unfit), summary).chosen()).isEmpty();
    }

    @Test
    void listsAreCopied() {
      List<NodeVerdict> verdicts = new ArrayList<>(List.of(unfit));
      List<ReasonCount> counts = new ArrayList<>(List.of(new ReasonCount(Kind.CORDONED, "", 1)));
      Refusal refusal = new Refusal("w", 1, counts, verdicts);
      Explanation explanation = new Explanation("w", verdicts, refusal);
      reasons.clear();
      verdicts.clear();
      counts.clear();

      assertThat(later.reasons()).containsExactly(new Later("n2"));
      assertThat(refusal.nearest()).containsExactly(unfit);
      assertThat(refusal.counts()).hasSize(1);
      assertThat(explanation.nodes()).containsExactly(unfit);
    }
  }
}
