package io.lighthouse.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.rule.Judgement;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.Reads;
import io.lighthouse.api.rule.RuleCheck;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The checks of the rules that come and go in a long life are not kept for ever. */
class KeptChecksTest {
  /** The numbers for which a check was made. */
  private final List<String> made = new ArrayList<>();

  /** A rule with a number, which every node keeps. */
  private final class Numbered implements PlacementRule {
    @Override
    public String name() {
      return "numbered";
    }

    @Override
    public List<Setting> settings() {
      return List.of(new Setting("number", "any number", "0"));
    }

    @Override
    public Set<Reads> reads() {
      return Set.of(Reads.NODE);
    }

    @Override
    public RuleCheck newCheck(Fleet fleet, Settings with) {
      made.add(with.text("number"));
      return (workload, node) -> Judgement.KEPT;
    }
  }

  private final Distributor fleet =
      Distributors.of("first", (workload, candidates) -> candidates.first())
          .rule(new Numbered())
          .nodes(Node.of("n", Resources.of("cpu", 1)))
          .build();

  private void use(int number) {
    Rule rule = new Rule.Named("numbered", Map.of("number", "" + number));
    assertThat(fleet.fitting(Workload.of("w", Resources.none()).withTerms(Terms.NONE.rules(rule))))
        .hasSize(1);
  }

  @Test
  void theOldestIsMadeAnew() {
    for (int number = 0; number < RuleViews.MOST_CHECKS; number++) {
      use(number);
      use(0);
    }
    assertThat(made).hasSize(RuleViews.MOST_CHECKS);
    use(RuleViews.MOST_CHECKS);
    use(1);
    use(0);
    assertThat(made).hasSize(RuleViews.MOST_CHECKS + 2).endsWith("0");
  }
}
