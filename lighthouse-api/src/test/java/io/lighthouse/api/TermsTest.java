package io.lighthouse.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Terms of workloads: valid and refused values. */
class TermsTest {
  private static void refuses(ThrowingCallable made, String... words) {
    assertThatThrownBy(made)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void numbersOfRulesAreTakenFromTheirLeastOnAndRefusedBelow() {
    assertThat(new Rule.Most(0, "g", "rack").most()).isZero();
    assertThat(new Rule.Most(Integer.MAX_VALUE, "g", "rack").most()).isEqualTo(Integer.MAX_VALUE);
    refuses(() -> new Rule.Most(-1, "g", "rack"), "rule", "most", "-1", "a whole number from 0");
    assertThat(new Rule.Least(1, "g", "rack").least()).isEqualTo(1);
    refuses(() -> new Rule.Least(0, "g", "rack"), "rule", "least", "0", "a whole number from 1");
    assertThat(new Rule.Skew(0, "g", "zone", 1).minDomains()).isEqualTo(1);
    refuses(() -> new Rule.Skew(-1, "g", "zone", 1), "skew", "-1", "a whole number from 0");
    refuses(() -> new Rule.Skew(1, "g", "zone", 0), "min_domains", "0", "a whole number from 1");
  }

  @Test
  void namesInRulesAreNames() {
    for (String wrong : List.of("", "\ud800")) {
      refuses(() -> new Rule.Most(1, wrong, "rack"), "rule", "group");
      refuses(() -> new Rule.Most(1, "g", wrong), "rule", "level");
      refuses(() -> new Rule.Least(1, wrong, "rack"), "rule", "group");
      refuses(() -> new Rule.Least(1, "g", wrong), "rule", "level");
      refuses(() -> new Rule.Skew(1, wrong, "rack", 1), "rule", "group");
      refuses(() -> new Rule.Skew(1, "g", wrong, 1), "rule", "level");
      refuses(() -> new Rule.Named(wrong, Map.of()), "rule");
    }
    assertThat(new Rule.Most(1, " ", "\ud83d\ude00").level()).isEqualTo("\ud83d\ude00");
  }

  @Test
  void aHardSkewIsAtLeastOneAndASoftOneAtLeastNone() {
    Rule even = new Rule.Skew(0, "g", "zone", 1);
    assertThat(Terms.NONE.preferring(even).preferences()).containsExactly(even);
    assertThat(Terms.NONE.rules(new Rule.Skew(1, "g", "zone", 1)).rules()).hasSize(1);
    refuses(
        () -> Terms.NONE.rules(new Rule.Most(1, "g", "rack"), even),
        "rules[1].skew",
        "0",
        "a whole number from 1");
  }

  @Test
  void conditionsAreAPreferenceButNoHardRule() {
    Rule where = new Rule.Where(List.of(new Condition.Somewhere("zone")));
    assertThat(Terms.NONE.preferring(where).preferences()).containsExactly(where);
    refuses(() -> Terms.NONE.rules(where), "rules[0]", "where");
  }

  @Test
  void namesInConditionsAreNames() {
    for (String wrong : List.of("", "\ud800")) {
      refuses(() -> new Condition.In(wrong, Set.of("a")), "condition", "level");
      refuses(() -> new Condition.In("zone", Set.of("a", wrong)), "condition", "in");
      refuses(() -> new Condition.NotIn(wrong, Set.of("a")), "condition", "level");
      refuses(() -> new Condition.NotIn("zone", Set.of(wrong)), "condition", "not_in");
      refuses(() -> new Condition.Somewhere(wrong), "condition", "level");
      refuses(() -> new Condition.Nowhere(wrong), "condition", "level");
      refuses(() -> Condition.Has.of(wrong), "condition", "resource");
      refuses(() -> new Condition.Lacks(wrong), "condition", "resource");
    }
  }

  @Test
  void conditionsAreValuesInTheOrderOfNames() {
    assertThat(new Condition.In("zone", Set.of("b", "a", "c")).names())
        .containsExactly("a", "b", "c");
    assertThat(new Condition.In("zone", Set.of()).names()).isEmpty();
    assertThat(Condition.Has.of("ssd"))
        .isEqualTo(new Condition.Has("ssd", Quantity.NEGATIVE_INFINITY, Quantity.INFINITY));
    List<Condition> one = new ArrayList<>(List.of(new Condition.Lacks("gpu")));
    Condition.Any any = new Condition.Any(List.of(one));
    one.clear();
    assertThat(any.lists()).containsExactly(List.of(new Condition.Lacks("gpu")));
    assertThat(new Condition.Any(List.of()).lists()).isEmpty();
  }

  @Test
  void whatIsSharedIsFiniteAndNotOfNodes() {
    refuses(() -> Terms.NONE.sharing("node", Resources.of("power", 1)), "shared", "'node'");
    refuses(() -> Terms.NONE.sharing("", Resources.of("power", 1)), "shared");
    for (String infinite : List.of("inf", "-inf")) {
      refuses(
          () -> Terms.NONE.sharing("rack", Resources.of("power", infinite)),
          "shared.rack.power",
          "a finite decimal");
    }
    Terms terms =
        Terms.NONE
            .sharing("rack", Resources.of("power", "-1e-9"))
            .sharing("fleet", Resources.of("licence", 0));
    assertThat(terms.shared().keySet()).containsExactly("fleet", "rack");
    assertThat(terms.sharing("rack", Resources.none()).shared().keySet()).containsExactly("fleet");
  }

  @Test
  void aGangHasANameAndMayBeWithinALevel() {
    assertThat(Gang.of("shop").within()).isEmpty();
    assertThat(Gang.of("shop").within("rack")).isEqualTo(new Gang("shop", Optional.of("rack")));
    refuses(() -> Gang.of(""), "gang", "name");
    refuses(() -> Gang.of("shop").within(""), "gang 'shop'", "within");
    assertThat(Terms.NONE.inGang(Gang.of("shop")).gang()).contains(Gang.of("shop"));
    Terms grouped = Terms.NONE.inGroups("g");
    assertThat(grouped.inGang(Gang.of("shop")).withoutGang()).isEqualTo(grouped);
    assertThat(grouped.withoutGang()).isSameAs(grouped);
  }

  @Test
  void termsAreCopiedAndOfNothingTheyAreNone() {
    assertThat(new Terms(Map.of(), Set.of(), List.of(), List.of(), List.of(), Optional.empty()))
        .isEqualTo(Terms.NONE);
    Workload plain = Workload.of("w", Resources.none());
    assertThat(plain.withTerms(Terms.NONE.inGroups("g")).withTerms(Terms.NONE.inGroups()).terms())
        .isSameAs(Terms.NONE);
    assertThat(Terms.NONE.inGroups("b", "a").groups()).containsExactly("a", "b");
    assertThat(Terms.NONE.inGroups("b", "a", "b").groups()).containsExactly("a", "b");
    refuses(() -> Terms.NONE.inGroups(""), "workload", "groups");
    assertThatThrownBy(() -> Terms.NONE.inGroups("a").groups().add("b"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void settingsOfANamedRuleAreInTheOrderOfNames() {
    Rule.Named rule = new Rule.Named("near-data", Map.of("set", "x", "at", "y"));
    assertThat(rule.with().keySet()).containsExactly("at", "set");
    assertThatCode(() -> new Rule.Named("n", Map.of("set", ""))).doesNotThrowAnyException();
    refuses(() -> new Rule.Named("n", Map.of("", "x")), "rule 'n'", "with");
    refuses(() -> new Rule.Named("n", Map.of("\ud800", "x")), "rule 'n'", "with");
    refuses(() -> new Rule.Named("n", Map.of("set", "\ud800")), "rule 'n'", "with.set");
    Map<String, String> withNull = new HashMap<>();
    withNull.put("set", null);
    assertThatNullPointerException().isThrownBy(() -> new Rule.Named("near-data", withNull));
  }

  @Test
  void replicasAreAListFromOneOn() {
    Workload web = Workload.of("web", Resources.of("cpu", 1)).withTerms(Terms.NONE.inGroups("g"));
    assertThat(web.replicas(0)).isEmpty();
    assertThat(web.replicas(2)).containsExactly(web.named("web-1"), web.named("web-2"));
    assertThat(web.replicas(2)).allMatch(one -> one.terms() == web.terms());
    assertThat(web.replicas(2)).allMatch(one -> one.requirements() == web.requirements());
    refuses(() -> web.replicas(-1), "workload 'web'", "replicas", "-1", "a whole number from 0");
  }
}
