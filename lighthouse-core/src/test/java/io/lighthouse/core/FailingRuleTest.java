package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.Reads;
import io.lighthouse.api.rule.RuleCheck;
import io.lighthouse.api.rule.RuleException;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A rule of a plug-in that throws is to blame, for its own call and for no other. */
class FailingRuleTest {
  private static final Rule MOODY = new Rule.Named("moody", Map.of());

  /** A rule that always throws. */
  private record Moody(Reads what) implements PlacementRule {
    @Override
    public String name() {
      return "moody";
    }

    @Override
    public Set<Reads> reads() {
      return Set.of(what);
    }

    @Override
    public RuleCheck newCheck(Fleet fleet, Settings with) {
      return (workload, node) -> {
        throw new IllegalStateException("not today");
      };
    }
  }

  /** Asks a session for candidates, and makes nothing of what is thrown there. */
  private static final class Swallowing implements PlacementStrategy {
    @Override
    public String name() {
      return "swallowing";
    }

    @Override
    public boolean sequential() {
      return false;
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return (BatchPlacer)
          session -> {
            for (int i = 0; i < session.size(); i++) {
              try {
                session.assign(i, session.candidates(i).first().index());
              } catch (RuntimeException swallowed) {
                // So that only Lighthouse can say what was wrong.
              }
            }
          };
    }
  }

  private static Distributor fleet(PlacementStrategy strategy, Reads reads) {
    return Distributors.of(strategy)
        .rule(new Moody(reads))
        .nodes(Node.of("a", Resources.of("cpu", 9)), Node.of("b", Resources.of("cpu", 9)))
        .build();
  }

  private static Workload plain(String name) {
    return Workload.of(name, Resources.of("cpu", 1));
  }

  private static Workload bound(String name) {
    return plain(name).withTerms(Terms.NONE.rules(MOODY));
  }

  @ParameterizedTest
  @EnumSource(Reads.class)
  void theNextCallIsAsIfNothingHadBeen(Reads reads) {
    Distributor fleet = fleet(LivingFleet.roundRobin(), reads);
    for (int i = 0; i < 3; i++) {
      Workload failing = bound("failing" + i);
      assertThatThrownBy(() -> fleet.assign(failing)).isInstanceOf(RuleException.class);
      assertThat(fleet.assign(plain("plain" + i)).placedCount()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Reads.class)
  void theRuleIsToBlameInASessionToo(Reads reads) {
    Distributor fleet = fleet(new Swallowing(), reads);
    assertThatThrownBy(() -> fleet.assign(bound("failing"))).isInstanceOf(RuleException.class);
    assertThat(fleet.assign(plain("plain")).placedCount()).isEqualTo(1);
  }

  @Test
  void boundsAndPlansAskForKnownRulesLikeEveryCall() {
    Distributor fleet =
        Distributors.of(LivingFleet.roundRobin())
            .nodes(Node.of("a", Resources.of("cpu", 9)))
            .build();
    List<Workload> unknown = List.of(bound("w"));
    assertThatThrownBy(() -> fleet.advisor().bounds(unknown))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("moody");
    PlanGoal place = new PlanGoal.Place(unknown);
    assertThatThrownBy(() -> fleet.advisor().plan(place, PlanLimits.NONE))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("moody");
  }
}
