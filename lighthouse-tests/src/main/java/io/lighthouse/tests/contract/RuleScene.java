package io.lighthouse.tests.contract;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.generate.Dice;
import io.lighthouse.tests.generate.Shrinking;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;

/**
 * A fleet whose nodes are in domains, workloads to place there one by one, and one to judge.
 *
 * @param nodes the nodes
 * @param comers the workloads; some are members of the groups a and b
 */
public record RuleScene(List<Node> nodes, List<Workload> comers) {
  private static final int MOST_NODES = 5;
  private static final int MOST_COMERS = 6;

  private static final List<Set<String>> GROUPS =
      List.of(Set.of(), Set.of("a"), Set.of("b"), Set.of("a", "b"));

  /** Copies. */
  public RuleScene {
    nodes = List.copyOf(nodes);
    comers = List.copyOf(comers);
  }

  /** Scenes whose nodes are in some of these domains, by level. */
  static Arbitrary<RuleScene> in(Map<String, List<String>> domains) {
    return Shrinking.of(dice -> drawn(dice, domains), RuleScene::simpler);
  }

  private static RuleScene drawn(Dice dice, Map<String, List<String>> domains) {
    List<Node> nodes = new ArrayList<>();
    for (Node node : dice.plain().nodes(1, MOST_NODES)) {
      Node placed = node;
      for (String level : domains.keySet().stream().sorted().toList()) {
        List<String> names = domains.get(level);
        int pick = dice.below(names.size() + 1);
        placed = pick < names.size() ? placed.in(level, names.get(pick)) : placed;
      }
      nodes.add(placed);
    }
    List<Workload> comers = new ArrayList<>();
    for (Workload comer : dice.plain().batch(2, MOST_COMERS)) {
      Terms terms = Terms.NONE.inGroups(dice.one(GROUPS));
      comers.add(comer.named("comer-" + comers.size()).withTerms(terms));
    }
    return new RuleScene(nodes, comers);
  }

  private Stream<RuleScene> simpler() {
    return Stream.concat(
        Shrinking.without(nodes, 1).map(fewer -> new RuleScene(fewer, comers)),
        Shrinking.without(comers, 1).map(fewer -> new RuleScene(nodes, fewer)));
  }

  /** The workload to judge: the last one. */
  Workload asking() {
    return comers.get(comers.size() - 1);
  }

  /** The workloads to place before it. */
  List<Workload> before() {
    return comers.subList(0, comers.size() - 1);
  }

  /** The fleet at the beginning, with a rule that workloads may name. */
  Distributor fleet(PlacementRule rule) {
    return fleet(rule, nodes);
  }

  static Distributor fleet(PlacementRule rule, List<Node> nodes) {
    return Distributors.of("first", (workload, candidates) -> candidates.first())
        .rule(rule)
        .nodes(nodes)
        .build();
  }

  /** The same workload with a hard rule. */
  static Workload bound(Workload workload, Rule rule) {
    return workload.withTerms(workload.terms().rules(rule));
  }
}
