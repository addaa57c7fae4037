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
import io.lighthouse.api.strategy.FleetDomain;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rule may compare nodes by identity, and domains by equality, as a strategy may. */
class NodesOfRulesTest {
  /** No workload on any other node of the zone. */
  private record Alone(boolean byDomains) implements PlacementRule {
    @Override
    public String name() {
      return "alone";
    }

    @Override
    public Set<Reads> reads() {
      return Set.of(Reads.FLEET);
    }

    @Override
    public RuleCheck newCheck(Fleet fleet, Settings with) {
      return (workload, node) -> {
        int others = 0;
        if (byDomains) {
          for (int i = 0; i < fleet.size(); i++) {
            others += zone(fleet.node(i)).equals(zone(node)) ? counted(fleet.node(i), node) : 0;
          }
        } else {
          for (FleetNode other : zone(node).nodes()) {
            others += counted(other, node);
          }
        }
        return others == 0 ? Judgement.KEPT : Judgement.broken(others, "others in the zone");
      };
    }

    private static FleetDomain zone(FleetNode node) {
      return node.domain("zone").orElseThrow();
    }

    private static int counted(FleetNode other, FleetNode node) {
      return other == node ? 0 : other.placedCount();
    }
  }

  private static Workload workload(String name) {
    return Workload.of(name, Resources.of("cpu", 1))
        .withTerms(Terms.NONE.rules(new Rule.Named("alone", Map.of())));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aNodeIsOneObjectAndADomainEqualsItself(boolean byDomains) {
    Distributor fleet =
        Distributors.of("first", (workload, candidates) -> candidates.first())
            .rule(new Alone(byDomains))
            .nodes(
                Node.of("a1", Resources.of("cpu", 2)).in("zone", "a"),
                Node.of("a2", Resources.of("cpu", 2)).in("zone", "a"),
                Node.of("b1", Resources.of("cpu", 2)).in("zone", "b"))
            .build();
    assertThat(fleet.assign(workload("w1"), workload("w2"), workload("w3")))
        .hasToString("{w1: a1, w2: a1, w3: b1}");
    fleet.removeNode("a2");
    fleet.release("w3");
    assertThat(fleet.assign(workload("w4"))).hasToString("{w4: b1}");
  }
}
