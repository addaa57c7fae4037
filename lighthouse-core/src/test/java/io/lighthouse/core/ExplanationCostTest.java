package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.Node;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.rule.Judgement;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.Reads;
import io.lighthouse.api.rule.RuleCheck;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.budget.CountedLoops;
import io.lighthouse.core.constraint.CountedExplanations;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an explanation does grows with the fleet, not with its square. */
class ExplanationCostTest {
  private static final int NODES = 200;

  @ParameterizedTest
  @ValueSource(strings = {"node", "rack", "fleet"})
  void findsTheHoldersOfAllNodesInOnePass(String level) throws ReflectiveOperationException {
    CountedLoops core = new CountedLoops(List.of("constraint."));
    long few = (long) core.call(CountedExplanations.class, "turns", level, NODES);
    long many = (long) core.call(CountedExplanations.class, "turns", level, 2 * NODES);
    assertThat(many).isBetween(2L * NODES, 3 * few);
  }

  /** A preference for nodes with a high number. */
  private static final class High implements PlacementRule {
    private int judged;

    @Override
    public String name() {
      return "high";
    }

    @Override
    public Set<Reads> reads() {
      return Set.of(Reads.NODE);
    }

    @Override
    public RuleCheck newCheck(Fleet fleet, Settings with) {
      return (workload, node) -> {
        judged++;
        int under = NODES - 1 - Integer.parseInt(node.name());
        return under == 0 ? Judgement.KEPT : Judgement.broken(under, "low");
      };
    }
  }

  @Test
  void comparesAllNodesByPreferencesOnce() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      nodes.add(Node.of("" + i, Resources.of("cpu", 1)));
    }
    High high = new High();
    Distributor fleet =
        Distributors.of("first", (workload, candidates) -> candidates.first())
            .rule(high)
            .nodes(nodes)
            .build();
    Terms terms = Terms.NONE.preferring(new Rule.Named("high", Map.of()));
    Explanation explained =
        fleet.explain(Workload.of("w", Resources.of("cpu", 1)).withTerms(terms));
    assertThat(explained.nodes().get(7).reasons())
        .containsExactly(new Reason.Worse(0, NODES - 8, 0));
    assertThat(high.judged).isLessThan(20 * NODES);
  }
}
