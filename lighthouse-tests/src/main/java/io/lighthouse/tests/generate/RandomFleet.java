package io.lighthouse.tests.generate;

import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import java.util.List;
import java.util.Optional;

/**
 * A fleet with all that it is made from. Immutable.
 *
 * @param nodes the nodes, in order, with what they bring along
 * @param domains the declared domains
 * @param rules the rules at the top
 * @param rubric a rubric over {@code cpu} and {@code mem}
 * @param lastPlaced the round-robin position, or nothing
 */
public record RandomFleet(
    List<Node> nodes,
    List<Domain> domains,
    List<Rule> rules,
    Rubric rubric,
    Optional<String> lastPlaced) {
  /** Copies. */
  public RandomFleet {
    nodes = List.copyOf(nodes);
    domains = List.copyOf(domains);
    rules = List.copyOf(rules);
  }
}
