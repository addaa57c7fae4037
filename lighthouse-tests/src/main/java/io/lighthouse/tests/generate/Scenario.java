package io.lighthouse.tests.generate;

import io.lighthouse.api.Node;
import io.lighthouse.api.Rubric;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A fleet and the calls that it gets. Immutable.
 *
 * @param fleet the fleet at the beginning
 * @param sketches the calls, in order
 */
public record Scenario(RandomFleet fleet, List<Sketch> sketches) {
  /** Copies. */
  public Scenario {
    sketches = List.copyOf(sketches);
  }

  /**
   * A scenario of nodes alone.
   *
   * @param nodes the nodes
   * @param lastPlaced the round-robin position at the beginning
   * @param sketches the calls, in order
   */
  public Scenario(List<Node> nodes, Optional<String> lastPlaced, List<Sketch> sketches) {
    this(new RandomFleet(nodes, List.of(), List.of(), Rubric.of(), lastPlaced), sketches);
  }

  /**
   * The nodes of the fleet.
   *
   * @return them, in order
   */
  public List<Node> nodes() {
    return fleet.nodes();
  }

  /**
   * The round-robin position at the beginning.
   *
   * @return a node's name, or nothing
   */
  public Optional<String> lastPlaced() {
    return fleet.lastPlaced();
  }

  /** With one sketch or node less, or with a simpler one; without the position. */
  Stream<Scenario> simpler() {
    Stream<Scenario> ofSketches =
        Stream.concat(Shrinking.without(sketches, 1), Shrinking.simpler(sketches, Sketch::simpler))
            .map(fewer -> new Scenario(fleet, fewer));
    Stream<Scenario> ofNodes =
        Stream.concat(Shrinking.without(nodes(), 0), Shrinking.simpler(nodes(), Shrinking::simpler))
            .map(fewer -> with(fewer, lastPlaced()));
    return Stream.of(
            ofSketches, ofNodes, lastPlaced().map(any -> with(nodes(), Optional.empty())).stream())
        .flatMap(each -> each);
  }

  private Scenario with(List<Node> nodes, Optional<String> position) {
    return new Scenario(
        new RandomFleet(
            nodes,
            fleet.domains(),
            fleet.rules(),
            fleet.rubric(),
            position.filter(at -> nodes.stream().anyMatch(node -> node.name().equals(at)))),
        sketches);
  }
}
