package io.lighthouse.tests.contract;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.generate.Dice;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.generate.Shrinking;
import io.lighthouse.tests.referee.Call;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;

/**
 * A fleet whose nodes are in domains, workloads to place there one by one, and one to judge.
 *
 * @param domains the domains that have resources of their own
 * @param nodes the nodes
 * @param comers the workloads; some are members of the groups a and b, some share resources of
 *     domains
 */
public record RuleScene(List<Domain> domains, List<Node> nodes, List<Workload> comers) {
  private static final int MOST_NODES = 5;
  private static final int MOST_COMERS = 6;

  private static final List<Set<String>> GROUPS =
      List.of(Set.of(), Set.of("a"), Set.of("b"), Set.of("a", "b"));

  /** What domains have and workloads share. */
  private static final List<String> SHARED = List.of("cpu", "power");

  /** Copies. */
  public RuleScene {
    domains = List.copyOf(domains);
    nodes = List.copyOf(nodes);
    comers = List.copyOf(comers);
  }

  /** Scenes whose nodes are in some of these domains, by level. */
  static Arbitrary<RuleScene> in(Map<String, List<String>> domains) {
    return Shrinking.of(dice -> drawn(dice, domains), RuleScene::simpler);
  }

  private static RuleScene drawn(Dice dice, Map<String, List<String>> domains) {
    List<String> levels = domains.keySet().stream().sorted().toList();
    List<Domain> declared = new ArrayList<>();
    for (String level : levels) {
      for (String name : domains.get(level)) {
        declared.add(Domain.of(level, name, some(dice, SHARED, 3)));
      }
    }
    declared.add(Domain.of(Rule.FLEET, Rule.FLEET, some(dice, SHARED, 6)));
    declared.removeIf(domain -> dice.chance(3));
    List<Node> nodes = new ArrayList<>();
    for (Node node : dice.plain().nodes(1, MOST_NODES)) {
      Node placed = node;
      for (String level : levels) {
        List<String> names = domains.get(level);
        int pick = dice.below(names.size() + 1);
        placed = pick < names.size() ? placed.in(level, names.get(pick)) : placed;
      }
      nodes.add(placed);
    }
    List<Workload> comers = new ArrayList<>();
    for (Workload comer : dice.plain().batch(2, MOST_COMERS)) {
      Terms terms = Terms.NONE.inGroups(dice.one(GROUPS));
      if (!declared.isEmpty() && dice.chance(2)) {
        Domain domain = dice.one(declared);
        terms = terms.sharing(domain.level(), some(dice, domain.resources().names(), 2));
      }
      comers.add(comer.named("comer-" + comers.size()).withTerms(terms));
    }
    return new RuleScene(declared, nodes, comers);
  }

  /** Some of these resources, from 1 to a limit of each. */
  private static Resources some(Dice dice, Collection<String> names, int most) {
    Resources some = Resources.none();
    for (String name : names) {
      some = dice.chance(4) ? some : some.with(name, 1 + dice.below(most));
    }
    return some;
  }

  private Stream<RuleScene> simpler() {
    return Stream.of(
            Shrinking.without(domains, 0).map(fewer -> new RuleScene(fewer, nodes, comers)),
            Shrinking.without(nodes, 1).map(fewer -> new RuleScene(domains, fewer, comers)),
            Shrinking.without(comers, 1).map(fewer -> new RuleScene(domains, nodes, fewer)))
        .flatMap(each -> each);
  }

  /** The workload to judge: the last one. */
  Workload asking() {
    return comers.get(comers.size() - 1);
  }

  /** The workloads to place before it. */
  List<Workload> before() {
    return comers.subList(0, comers.size() - 1);
  }

  /** The fleet at the beginning. */
  RandomFleet fleet() {
    return new RandomFleet(nodes, domains, List.of(), Optional.empty());
  }

  /** Without what is empty, a line for each part. */
  @Override
  public String toString() {
    return fleet() + "\n  one by one " + new Call.Assign(comers, List.of());
  }

  /** A fleet with a rule that workloads may name. */
  static Distributor with(PlacementRule rule, RandomFleet fleet) {
    Distributors.Builder first =
        Distributors.of("first", (workload, candidates) -> candidates.first());
    return Subject.build(first, fleet).rule(rule).build();
  }

  /** The same workload with a hard rule. */
  static Workload bound(Workload workload, Rule rule) {
    return workload.withTerms(workload.terms().rules(rule));
  }
}
