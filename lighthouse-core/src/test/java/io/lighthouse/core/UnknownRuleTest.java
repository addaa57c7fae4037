package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.rule.Judgement;
import io.lighthouse.api.rule.RuleCheck;
import io.lighthouse.api.strategy.Setting;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rules that are not installed, and settings that a rule does not take, are refused by name. */
class UnknownRuleTest extends RuledFleets {
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

  private static Distributors.Builder bringing(Workload placed) {
    Node node = new Node("a", Resources.of("cpu", 9), List.of(placed), false);
    return Distributors.of(LivingFleet.roundRobin()).nodes(node);
  }

  @Test
  void placedWorkloadsOfANewFleetHaveKnownRules() {
    assertThatThrownBy(() -> bringing(bound("w")).build())
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(
            "workload 'w': rules[0] is 'moody', which is not installed; allowed: none, no rule is"
                + " installed");
    Workload preferring = plain("w").withTerms(Terms.NONE.preferring(MOODY));
    RuleCheck kept = (workload, node) -> Judgement.KEPT;
    Setting most = new Setting("most", "a number", "0");
    assertThatThrownBy(() -> bringing(preferring).rule(new Lawless(List.of(most), kept)).build())
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(
            "workload 'w': preferences[0] is 'moody', whose with.most is the default '0'; allowed: a"
                + " whole number from 1 to 9");
    assertThat(
            bringing(bound("w")).rule(new Lawless(List.of(), kept)).build().node("a").workloads())
        .hasSize(1);
  }

  @Test
  void aSettingKeepsTheQuotesInItsName() {
    Rule odd = new Rule.Named("moody", Map.of("it's", "1"));
    Workload placed = plain("w").withTerms(Terms.NONE.rules(odd));
    RuleCheck kept = (workload, node) -> Judgement.KEPT;
    assertThatThrownBy(() -> bringing(placed).rule(new Lawless(List.of(), kept)).build())
        .hasMessageContaining("with.it's");
  }

  @Test
  void aRuleWithASettingInPartIsRefusedAtOnce() {
    RuleCheck kept = (workload, node) -> Judgement.KEPT;
    Setting half = new Setting("most", "how many at most", null);
    assertThatThrownBy(() -> bringing(plain("w")).rule(new Lawless(List.of(half), kept)))
        .isInstanceOf(LighthouseException.class)
        .hasMessageContaining("rule 'moody'")
        .hasMessageContaining("null for a description, a setting");
  }

  @Test
  void aChangeNamesTheWorkloadWhoseRuleIsNotKnown() {
    String wrong = "workload 'w': rules[0] is 'moody', which is not installed";
    Distributor restored = bringing(bound("w")).restore();
    restored.addNode(Node.of("b", Resources.of("cpu", 9)));
    assertThatThrownBy(() -> restored.apply(new Change.Move("w", "a", "b")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(wrong);

    Distributor empty = Distributors.of(LivingFleet.roundRobin()).build();
    Node bringing = new Node("c", Resources.of("cpu", 9), List.of(plain("v"), bound("w")), false);
    assertThatThrownBy(() -> empty.addNode(bringing))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(wrong);
    empty.addNode(Node.of("b", Resources.of("cpu", 9)));
    assertThatThrownBy(() -> empty.apply(new Change.Assign(bound("w"), "b")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(wrong);
    assertThat(empty.snapshot().nodes()).hasSize(1);
  }

  @Test
  void aRestoredFleetKeepsWorkloadsWhoseRulesAreNotInstalled() {
    Distributor restored = bringing(bound("w")).restore();
    assertThat(restored.snapshot().nodeOf("w")).hasValue("a");
    assertThat(restored.copy().assign(plain("x")).placedCount()).isEqualTo(1);
    Workload another = bound("y");
    assertThatThrownBy(() -> restored.assign(another))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("moody");
    restored.addNode(Node.of("b", Resources.of("cpu", 9)));
    Change move = new Change.Move("w", "a", "b");
    assertThatThrownBy(() -> restored.apply(move))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("moody");
    assertThat(restored.release("w").name()).isEqualTo("w");
  }

  @Test
  void aWrongSettingNamesTheRule() {
    RuleCheck kept = (workload, node) -> Judgement.KEPT;
    Workload wrong =
        plain("w").withTerms(Terms.NONE.rules(new Rule.Named("moody", Map.of("zz", "1"))));
    Distributor none = lawless(LivingFleet.roundRobin(), kept);
    assertThatThrownBy(() -> none.assign(wrong))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("rule 'moody': with.zz is '1'; allowed: no setting, the rule has none");
    Distributor one =
        Distributors.of(LivingFleet.roundRobin())
            .rule(new Lawless(List.of(new Setting("most", "a number", "0")), kept))
            .build();
    assertThatThrownBy(() -> one.assign(wrong))
        .hasMessage("rule 'moody': with.zz is '1'; allowed: the settings most");
    assertThatThrownBy(() -> one.assign(bound("w")))
        .hasMessage(
            "rule 'moody': with.most is the default '0'; allowed: a whole number from 1 to 9");
  }
}
