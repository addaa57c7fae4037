package io.lighthouse.tests.generate;

import io.lighthouse.api.Node;
import java.util.List;
import java.util.Optional;

/**
 * A fleet and what is asked of it. Immutable.
 *
 * @param nodes the nodes
 * @param lastPlaced the round-robin position at the beginning
 * @param sketches what is asked, in order
 */
public record Scenario(List<Node> nodes, Optional<String> lastPlaced, List<Sketch> sketches) {
  /** Copies. */
  public Scenario {
    nodes = List.copyOf(nodes);
    sketches = List.copyOf(sketches);
  }
}
