package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.kubernetes.cluster.mirror.EngineWords;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A pod at its turn in the words of the engine: what it requires, and conditions and rules that
 * hold for the cluster as it is now. Beside each condition and rule stands what it means.
 */
final class Newcomer {
  final PodFacts facts;
  private final List<Condition> where = new ArrayList<>();
  private final List<RefusalCause> ofConditions = new ArrayList<>();
  private final List<Rule> rules = new ArrayList<>();
  private final List<RefusalCause> ofRules = new ArrayList<>();
  private final List<Rule> preferences = new ArrayList<>();
  private final List<String> ofPreferences = new ArrayList<>();

  /** Why no node will do, before any is looked at; null where each node is judged. */
  private RefusalCause everywhere;

  /** Whether its affinity selects the pod itself. Then it may be the first of its kind. */
  boolean selectsItself;

  Newcomer(PodFacts facts) {
    this.facts = facts;
  }

  void where(Condition condition, RefusalCause means) {
    where.add(condition);
    ofConditions.add(means);
  }

  void where(List<Condition> conditions, RefusalCause means) {
    conditions.forEach(condition -> where(condition, means));
  }

  void rule(Rule rule, RefusalCause means) {
    rules.add(rule);
    ofRules.add(means);
  }

  /** No node will do. */
  void refuseEverywhere(RefusalCause means) {
    everywhere = means;
    where(new Condition.In(Rule.NODE, Set.of()), means);
  }

  /**
   * A copy for a question about one node: without preferences, and without the nodes that hold too
   * many volumes.
   *
   * @param isFirst whether it is the first of its kind: then it needs no other pod near it
   */
  Newcomer onOneNode(boolean isFirst) {
    Newcomer copy = new Newcomer(facts);
    copy.everywhere = everywhere;
    for (int i = 0; i < where.size(); i++) {
      if (ofConditions.get(i) != RefusalCause.VOLUME_COUNT) {
        copy.where(where.get(i), ofConditions.get(i));
      }
    }
    for (int i = 0; i < rules.size(); i++) {
      if (!isFirst || ofRules.get(i) != RefusalCause.AFFINITY) {
        copy.rule(rules.get(i), ofRules.get(i));
      }
    }
    return copy;
  }

  /** Why no node will do, before any is looked at; null where each node is judged. */
  RefusalCause everywhere() {
    return everywhere;
  }

  /**
   * Adds a preference behind those before.
   *
   * @param means what it is in the words of Kubernetes
   */
  void prefers(Rule rule, String means) {
    preferences.add(rule);
    ofPreferences.add(means);
  }

  /** What each preference is in the words of Kubernetes, the most important first. */
  List<String> ofPreferences() {
    return ofPreferences;
  }

  /** The groups of pods that decide where it fits. */
  Set<String> ruleGroups() {
    Set<String> groups = new HashSet<>();
    for (Rule rule : rules) {
      if (rule instanceof Rule.OfGroup counted) {
        groups.add(counted.group());
      }
    }
    return groups;
  }

  RefusalCause ofCondition(int place) {
    return ofConditions.get(place);
  }

  /** What a rule means; one that this pod has not asked for is of the fleet's own. */
  RefusalCause ofRule(int place) {
    return place < ofRules.size() ? ofRules.get(place) : RefusalCause.rule("node(s) broke a rule");
  }

  /** What its words mean: two pods of equal words need not mean the same. */
  Object meaning() {
    return List.of(facts.selection, ofConditions, ofRules, selectsItself);
  }

  Workload workload(Set<String> immunities) {
    Terms terms =
        where.isEmpty() && rules.isEmpty() && preferences.isEmpty()
            ? Terms.NONE
            : Terms.NONE
                .where(where.toArray(Condition[]::new))
                .rules(rules.toArray(Rule[]::new))
                .preferring(preferences.toArray(Rule[]::new));
    return new Workload(facts.pod.uid(), EngineWords.required(facts), immunities, Set.of(), terms);
  }
}
