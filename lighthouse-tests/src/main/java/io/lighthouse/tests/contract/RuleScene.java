package io.lighthouse.tests.contract;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.generate.Nodes;
import io.lighthouse.tests.generate.Workloads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * A fleet whose nodes are in domains, workloads to place there one by one, and one to judge.
 *
 * @param nodes the nodes
 * @param comers the workloads; some are members of the groups a and b
 */
public record RuleScene(List<Node> nodes, List<Workload> comers) {
  private static final int MOST_NODES = 5;
  private static final int MOST_COMERS = 6;

  /** Copies. */
  public RuleScene {
    nodes = List.copyOf(nodes);
    comers = List.copyOf(comers);
  }

  /** Scenes whose nodes are in some of these domains, by level. */
  static Arbitrary<RuleScene> in(Map<String, List<String>> domains) {
    Arbitrary<List<Integer>> dice = Arbitraries.integers().between(0, 1 << 20).list().ofSize(64);
    return Combinators.combine(
            Nodes.fleet(MOST_NODES).filter(nodes -> !nodes.isEmpty()),
            Workloads.any().list().ofMinSize(2).ofMaxSize(MOST_COMERS),
            dice)
        .as((nodes, comers, thrown) -> of(nodes, comers, domains, thrown));
  }

  private static RuleScene of(
      List<Node> nodes,
      List<Workload> comers,
      Map<String, List<String>> domains,
      List<Integer> dice) {
    List<Node> standing = new ArrayList<>();
    int next = 0;
    for (Node node : nodes) {
      Node stands = node;
      for (String level : domains.keySet().stream().sorted().toList()) {
        List<String> names = domains.get(level);
        int pick = dice.get(next++ % dice.size()) % (names.size() + 1);
        stands = pick < names.size() ? stands.in(level, names.get(pick)) : stands;
      }
      standing.add(stands);
    }
    List<Workload> named = new ArrayList<>();
    for (Workload comer : comers) {
      int pick = dice.get(next++ % dice.size()) % 4;
      Terms terms =
          switch (pick) {
            case 0 -> Terms.NONE;
            case 1 -> Terms.NONE.inGroups("a");
            case 2 -> Terms.NONE.inGroups("b");
            default -> Terms.NONE.inGroups("a", "b");
          };
      named.add(comer.named("comer-" + named.size()).withTerms(terms));
    }
    return new RuleScene(standing, named);
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
    Terms terms = workload.terms();
    return workload.withTerms(terms.rules(rule));
  }
}
