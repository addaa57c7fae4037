package io.lighthouse.tests.generate;

import io.lighthouse.api.Change;
import io.lighthouse.api.Domain;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.error.Plural;
import io.lighthouse.tests.referee.Call;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A fleet with all that it is made from. Immutable.
 *
 * @param nodes the nodes, in order, with what they bring along
 * @param domains the declared domains
 * @param rules the rules at the top
 * @param lastPlaced the round-robin position, or nothing
 */
public record RandomFleet(
    List<Node> nodes, List<Domain> domains, List<Rule> rules, Optional<String> lastPlaced) {
  /** Copies. */
  public RandomFleet {
    nodes = List.copyOf(nodes);
    domains = List.copyOf(domains);
    rules = List.copyOf(rules);
  }

  /**
   * A fleet as another one writes it out.
   *
   * @param state its state
   * @return a new fleet
   */
  public static RandomFleet of(Snapshot state) {
    return new RandomFleet(
        state.nodes().stream().map(NodeState::toNode).toList(),
        state.domains().stream().map(DomainState::toDomain).toList(),
        state.rules(),
        state.lastPlaced());
  }

  /** With one node, rule or domain less, or with a simpler node; without the position. */
  Stream<RandomFleet> simpler() {
    boolean bring = nodes.stream().anyMatch(node -> !node.workloads().isEmpty());
    return Stream.of(
            Shrinking.without(nodes, 0).map(this::with),
            Shrinking.simpler(nodes, Shrinking::simpler).map(this::with),
            Shrinking.without(rules, 0)
                .map(fewer -> new RandomFleet(nodes, domains, fewer, lastPlaced)),
            // A workload that a node brings may need a domain.
            Shrinking.without(domains, bring ? domains.size() : 0)
                .map(fewer -> new RandomFleet(nodes, fewer, rules, lastPlaced)),
            lastPlaced.stream()
                .map(any -> new RandomFleet(nodes, domains, rules, Optional.empty())))
        .flatMap(each -> each);
  }

  /** A line for each node, domain and rule, without what is empty. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(Plural.of(nodes.size(), "node"));
    lastPlaced.ifPresent(node -> text.append(", last placed on ").append(node));
    nodes.forEach(node -> text.append(line("add ", new Change.AddNode(node))));
    domains.forEach(domain -> text.append(line("declare ", new Change.Declare(domain))));
    rules.forEach(rule -> text.append("\n      rule ").append(rule));
    return text.toString();
  }

  /** A part of a fleet reads as in the call that adds it. */
  private static String line(String verb, Change adding) {
    return "\n      " + new Call.Attempt(adding).toString().substring(("attempt " + verb).length());
  }

  private RandomFleet with(List<Node> fewer) {
    Optional<String> position =
        lastPlaced.filter(at -> fewer.stream().anyMatch(node -> node.name().equals(at)));
    return new RandomFleet(fewer, domains, rules, position);
  }
}
