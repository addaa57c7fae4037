package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.Reads;
import io.lighthouse.api.rule.RuleCheck;
import io.lighthouse.api.rule.RuleException;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Fleets with a rule of a plug-in that is named {@code moody}, and workloads that it holds for. */
abstract class RuledFleets {
  static final Rule MOODY = new Rule.Named("moody", Map.of());

  /** A rule that reads what is on the nodes of the fleet. */
  record Lawless(List<Setting> settings, RuleCheck check) implements PlacementRule {
    @Override
    public String name() {
      return "moody";
    }

    @Override
    public Set<Reads> reads() {
      return Set.of(Reads.ACCOUNTS);
    }

    @Override
    public RuleCheck newCheck(Fleet fleet, Settings with) {
      settings.forEach(setting -> with.integer(setting.name(), 1, 9));
      return check;
    }
  }

  static Distributor lawless(PlacementStrategy strategy, RuleCheck check) {
    return Distributors.of(strategy)
        .rule(new Lawless(List.of(), check))
        .nodes(Node.of("a", Resources.of("cpu", 9)), Node.of("b", Resources.of("cpu", 9)))
        .build();
  }

  static Distributor choosing(Placer placer, RuleCheck check) {
    return Distributors.of("choosing", placer)
        .rule(new Lawless(List.of(), check))
        .nodes(Node.of("a", Resources.of("cpu", 9)), Node.of("b", Resources.of("cpu", 9)))
        .build();
  }

  static Workload plain(String name) {
    return Workload.of(name, Resources.of("cpu", 1));
  }

  static Workload bound(String name) {
    return plain(name).withTerms(Terms.NONE.rules(MOODY));
  }

  static void assertThatTheRuleFails(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOf(RuleException.class)
        .hasMessageStartingWith("rule 'moody' (class")
        .hasMessageContaining(message);
  }
}
