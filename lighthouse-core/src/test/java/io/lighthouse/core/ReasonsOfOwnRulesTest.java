package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The order of reasons where a plug-in's rule is broken beside a bound. A workload's own rules are
 * in the order of its terms, whatever their kind. The bounds of placed workloads follow.
 */
class ReasonsOfOwnRulesTest {
  private static final Rule BOUND = new Rule.Most(0, "g", "node");
  private static final Rule NEVER = new Rule.Named("never", Map.of());

  /** A rule of a plug-in that no node satisfies. */
  private static final class Never implements PlacementRule {
    @Override
    public String name() {
      return "never";
    }

    @Override
    public Set<Reads> reads() {
      return Set.of(Reads.NODE);
    }

    @Override
    public RuleCheck newCheck(Fleet fleet, Settings with) {
      return (workload, node) -> Judgement.broken(1, "no");
    }
  }

  private static Workload workload(String name, Set<String> groups, Rule... rules) {
    return Workload.of(name, Resources.of("cpu", 1))
        .withTerms(Terms.NONE.inGroups(groups).rules(rules));
  }

  /** The reasons of the one node, from a refusal and from the verdict of an explanation. */
  private static List<Reason> reasons(Workload placed, Workload asked) {
    Distributor fleet =
        Distributors.of(LivingFleet.roundRobin())
            .rule(new Never())
            .nodes(Node.of("n", Resources.of("cpu", 9)).withWorkloads(placed))
            .build();
    List<Reason> explained = fleet.explain(asked).nodes().get(0).reasons();
    Refusal refusal = fleet.explain(asked).summary();
    assertThat(refusal.nearest().get(0).reasons()).isEqualTo(explained);
    return explained;
  }

  @Test
  void ownRulesAreInTheOrderOfTheTerms() {
    Workload placed = workload("old", Set.of("g"));
    assertThat(reasons(placed, workload("w", Set.of("g"), BOUND, NEVER)))
        .extracting(Reason::kind, Reason::rule)
        .containsExactly(tuple(Reason.Kind.CROWDED, 0), tuple(Reason.Kind.RULE, 1));
    assertThat(reasons(placed, workload("w", Set.of("g"), NEVER, BOUND)))
        .extracting(Reason::kind, Reason::rule)
        .containsExactly(tuple(Reason.Kind.RULE, 0), tuple(Reason.Kind.CROWDED, 1));
  }

  @Test
  void boundsOfPlacedWorkloadsAreLast() {
    Workload placed = workload("old", Set.of("g"), new Rule.Most(1, "g", "node"));
    List<Reason> reasons = reasons(placed, workload("w", Set.of("g"), NEVER));
    assertThat(reasons)
        .extracting(Reason::kind, Reason::rule)
        .containsExactly(tuple(Reason.Kind.RULE, 0), tuple(Reason.Kind.CROWDED, -1));
    assertThat(((Reason.Crowded) reasons.get(1)).by()).isEqualTo(Optional.of("old"));
  }

  @Test
  void boundsOfPlacedWorkloadsAreBehindAllOwnRules() {
    Rule bound = new Rule.Most(1, "h", "node");
    Workload placed = workload("old", Set.of("g", "h"), bound);
    for (List<Rule> own : List.of(List.of(BOUND, NEVER), List.of(NEVER, BOUND))) {
      Workload asked = workload("w", Set.of("h"), own.toArray(Rule[]::new));
      assertThat(reasons(placed, asked)).extracting(Reason::rule).containsExactly(0, 1, -1);
    }
  }

  private static void isCountedOnEachNodeOnce(Workload asked, ReasonCount... counts) {
    Distributor fleet =
        Distributors.of(LivingFleet.roundRobin())
            .nodes(
                Node.of("a", Resources.of("cpu", 9))
                    .withWorkloads(workload("old", Set.of("g"), new Rule.Most(1, "g", "node"))),
                Node.of("b", Resources.of("cpu", 0)))
            .build();
    assertThat(fleet.explain(asked).summary().counts()).containsExactly(counts);
    Refusal refusal = fleet.assign(List.of(asked), AssignOption.EXPLAIN).refusals().get(0);
    assertThat(refusal.counts()).containsExactly(counts);
  }

  @Test
  void aRuleThatIsListedTwiceCountsANodeOnce() {
    Rule alone = new Rule.Least(1, "h", "node");
    isCountedOnEachNodeOnce(
        workload("w", Set.of(), alone, alone),
        new ReasonCount(Reason.Kind.SHORT, "cpu", 1),
        new ReasonCount(Reason.Kind.ALONE, "node", "h", 2));
  }

  @Test
  void aRuleThatIsListedTwiceMakesNoNodeFarther() {
    Rule alone = new Rule.Least(1, "h", "zone");
    for (Rule rule : List.of(alone, NEVER)) {
      Workload once = workload("w", Set.of(), rule);
      List<Refusal> refusals = new ArrayList<>();
      for (Workload asked : List.of(once, workload("w", Set.of(), rule, rule))) {
        Distributor fleet =
            Distributors.of(LivingFleet.roundRobin())
                .rule(new Never())
                .nodes(Node.of("a", Resources.of("cpu", 9)).in("zone", "z"))
                .nodes(Node.of("b", Resources.of("cpu", 0)))
                .build();
        Refusal refusal = fleet.explain(asked).summary();
        assertThat(fleet.assign(List.of(asked), AssignOption.EXPLAIN).refusals())
            .containsExactly(refusal);
        refusals.add(refusal);
      }
      assertThat(refusals.get(1)).isEqualTo(refusals.get(0));
      assertThat(refusals.get(0).nearest().get(0).node()).isEqualTo("a");
      assertThat(refusals.get(0).nearest().get(0).reasons()).hasSize(1);
    }
  }

  @Test
  void aRuleOfTheFleetThatTheWorkloadHasTooMakesNoNodeFarther() {
    Rule alone = new Rule.Least(1, "h", "node");
    Distributor fleet =
        Distributors.of(LivingFleet.roundRobin())
            .rules(alone)
            .nodes(Node.of("a", Resources.of("cpu", 9)))
            .build();
    Workload member = workload("w", Set.of("h"), alone, new Rule.Least(2, "g", "node"), alone);
    assertThat(fleet.explain(member).nodes().get(0).reasons())
        .extracting(Reason::rule)
        .containsExactly(1);
    Workload other = workload("w", Set.of(), alone, new Rule.Least(2, "g", "node"), alone);
    assertThat(fleet.explain(other).nodes().get(0).reasons())
        .extracting(Reason::rule)
        .containsExactly(0, 1);
  }

  @Test
  void anOwnRuleAndThatOfAPlacedWorkloadCountANodeOnce() {
    isCountedOnEachNodeOnce(
        workload("w", Set.of("g"), new Rule.Most(1, "g", "node"), BOUND),
        new ReasonCount(Reason.Kind.SHORT, "cpu", 1),
        new ReasonCount(Reason.Kind.CROWDED, "node", "g", 2));
  }

  @Test
  void whatNeedsADomainForSeveralReasonsCountsANodeOnce() {
    Rule zone = new Rule.Least(1, "h", "zone");
    Terms terms = Terms.NONE.rules(zone, new Rule.Skew(1, "h", "zone", 1));
    isCountedOnEachNodeOnce(
        Workload.of("w", Resources.none())
            .withTerms(terms.sharing("zone", Resources.of("power", 1))),
        new ReasonCount(Reason.Kind.NO_DOMAIN, "zone", "", 2));
  }
}
