package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.rule.Judgement;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.Reads;
import io.lighthouse.api.rule.RuleCheck;
import io.lighthouse.api.rule.RuleException;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetDomain;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A rule of a plug-in that throws is to blame, for its own call and for no other. */
class FailingRuleTest extends RuledFleets {
  private record Moody(Reads what, RuleCheck check) implements PlacementRule {
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
      return check;
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

  /** Always answers the first node. */
  private static final class FirstNode implements PlacementStrategy {
    @Override
    public String name() {
      return "first-node";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return (workload, candidates) -> fleet.node(0);
    }
  }

  /** With a rule that always throws. */
  private static Distributor fleet(PlacementStrategy strategy, Reads reads) {
    RuleCheck throwing =
        (workload, node) -> {
          throw new IllegalStateException("not today");
        };
    return Distributors.of(strategy)
        .rule(new Moody(reads, throwing))
        .nodes(Node.of("a", Resources.of("cpu", 9)), Node.of("b", Resources.of("cpu", 9)))
        .build();
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

  // ---- what a rule must not do, even if it catches what is thrown then ----

  private static void swallow(Runnable forbidden) {
    try {
      forbidden.run();
    } catch (RuntimeException swallowed) {
      // So that only Lighthouse can say what was wrong.
    }
  }

  @Test
  void aRuleMustNotCallItsDistributor() {
    for (PlacementStrategy strategy : List.of(LivingFleet.roundRobin(), new Swallowing())) {
      AtomicReference<Distributor> own = new AtomicReference<>();
      RuleCheck check =
          (workload, node) -> {
            swallow(() -> own.get().snapshot());
            return Judgement.KEPT;
          };
      Distributor fleet = lawless(strategy, check);
      own.set(fleet);
      String message = "failed for workload 'w': a rule must not call its own distributor";
      assertThatTheRuleFails(() -> fleet.assign(bound("w")), message);
      assertThatTheRuleFails(() -> fleet.explain(bound("w")), "must not call its own");
      fleet.tryOut(
          List.of(),
          tried -> {
            own.set(tried);
            assertThatTheRuleFails(() -> tried.assign(bound("w")), message);
            own.set(fleet);
            assertThatTheRuleFails(() -> tried.assign(bound("w")), message);
            return true;
          });
      assertThat(fleet.assign(plain("plain")).placedCount()).isEqualTo(1);
    }
  }

  @Test
  void aRuleMustNotReadWhatItHasNotDeclared() {
    Distributor fleet =
        lawless(
            LivingFleet.roundRobin(),
            (workload, node) -> {
              swallow(() -> node.placedCount());
              return Judgement.KEPT;
            });
    assertThatTheRuleFails(
        () -> fleet.assign(bound("w")),
        "failed for workload 'w': it reads PLACED, which it has not declared");
    assertThat(fleet.assign(plain("plain")).placedCount()).isEqualTo(1);
  }

  /** Every rule reads the names, domains and capacities of the nodes that it sees. */
  @Test
  void theNodesOfADomainHideWhatIsOnThem() {
    RuleCheck check =
        (workload, node) -> {
          FleetDomain rack = node.domain("rack").orElseThrow();
          assertThat(rack.members("g")).isZero();
          FleetNode of = rack.nodes().get(0);
          assertThat(of.name()).isEqualTo("a");
          assertThat(of.capacity()).isEqualTo(Resources.of("cpu", 9));
          swallow(of::workloads);
          return Judgement.KEPT;
        };
    Distributor fleet =
        Distributors.of(LivingFleet.roundRobin())
            .rule(new Moody(Reads.DOMAIN_PLACED, check))
            .nodes(Node.of("a", Resources.of("cpu", 9)).in("rack", "r"))
            .build();
    assertThatTheRuleFails(
        () -> fleet.assign(bound("w")),
        "failed for workload 'w': it reads PLACED, which it has not declared");
  }

  @Test
  void anErrorOfARuleIsItsFailure() {
    for (Error error : List.of(new AssertionError("wrong"), new Error("wrong"))) {
      Distributor fleet =
          lawless(
              new Swallowing(),
              (workload, node) -> {
                throw error;
              });
      assertThatTheRuleFails(() -> fleet.assign(bound("w")), "threw for workload 'w': " + error);
      assertThatTheRuleFails(() -> fleet.explain(bound("w")), "" + error);
    }
  }

  /** Where another condition is not met, a rule is not even evaluated. */
  @Test
  void aStrategyThatAnswersANodeWithoutRoomIsToBlameAlsoBesideARule() {
    RuleCheck careful =
        (workload, node) -> node.left("gpu").orElseThrow().signum() > 0 ? Judgement.KEPT : null;
    Distributor fleet =
        Distributors.of(new FirstNode())
            .rule(new Lawless(List.of(), careful))
            .nodes(Node.of("small", Resources.of("cpu", 1)))
            .nodes(Node.of("large", Resources.of("cpu", 9, "gpu", 1)))
            .build();
    Workload needing =
        Workload.of("w", Resources.of("cpu", 2, "gpu", 1)).withTerms(Terms.NONE.rules(MOODY));
    assertThatThrownBy(() -> fleet.assign(needing))
        .isInstanceOf(StrategyException.class)
        .hasMessageContaining("answered node 'small', which workload 'w' does not fit");
  }
}
