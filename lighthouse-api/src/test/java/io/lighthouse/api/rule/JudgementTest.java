package io.lighthouse.api.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.Settings;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The result, the description and the exception of a plug-in's rule. */
class JudgementTest {
  @Test
  void aJudgementKeepsItsNumbersInTheOrderOfNames() {
    Map<String, Quantity> numbers = new HashMap<>(Map.of("b", Quantity.of(2)));
    numbers.put("a", Quantity.ZERO);
    Judgement judgement = new Judgement(3, "too far", numbers);
    numbers.clear();
    assertThat(judgement.numbers().keySet()).containsExactly("a", "b");
    assertThatThrownBy(() -> judgement.numbers().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(Judgement.broken(3, "too far").numbers()).isEmpty();
    assertThat(Judgement.KEPT).isEqualTo(new Judgement(0, "", Map.of()));
    assertThatNullPointerException().isThrownBy(() -> Judgement.broken(3, null));
    Map<String, Quantity> withNull = new HashMap<>();
    withNull.put("a", null);
    assertThatNullPointerException().isThrownBy(() -> new Judgement(3, "too far", withNull));
  }

  @Test
  void aRuleHasNoSettingsAndIsNotLastingUnlessItSaysSo() {
    PlacementRule rule =
        new PlacementRule() {
          @Override
          public String name() {
            return "near-data";
          }

          @Override
          public Set<Reads> reads() {
            return EnumSet.of(Reads.NODE);
          }

          @Override
          public RuleCheck newCheck(Fleet fleet, Settings with) {
            return (workload, node) -> Judgement.KEPT;
          }
        };
    assertThat(rule.settings()).isEmpty();
    assertThat(rule.description()).isEmpty();
    assertThat(rule.newCheck(null, null).judge(null, null)).isSameAs(Judgement.KEPT);
  }

  @Test
  void aDescriptionIsACopyInTheOrderOfWhatIsRead() {
    Set<Reads> reads = EnumSet.of(Reads.FLEET, Reads.NODE);
    RuleDescription description = new RuleDescription("near-data", "", List.of(), reads, "here");
    reads.clear();
    assertThat(description.reads()).containsExactly(Reads.NODE, Reads.FLEET);
    assertThatThrownBy(() -> description.reads().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aFailureNamesTheRuleAndWhereItComesFrom() {
    Exception cause = new IllegalStateException("lost");
    RuleException failed = new RuleException("near-data", "a.jar", "threw", cause);
    assertThat(failed).hasMessage("rule 'near-data' (a.jar) threw").hasCause(cause);
    assertThat(failed.rule()).isEqualTo("near-data");
    assertThat(failed.origin()).isEqualTo("a.jar");
    assertThat(new RuleException("r", "o", "f", null)).hasNoCause();
  }
}
