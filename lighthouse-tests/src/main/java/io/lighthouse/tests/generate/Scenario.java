package io.lighthouse.tests.generate;

import io.lighthouse.api.Node;
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
    this(new RandomFleet(nodes, List.of(), List.of(), lastPlaced), sketches);
  }

  /** The fleet and the sketches of its calls, without what is empty. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(fleet.toString());
    sketches.forEach(sketch -> text.append("\n    ").append(sketch));
    return text.toString();
  }

  /** With one sketch less or a simpler one, or on a simpler fleet. */
  Stream<Scenario> simpler() {
    Stream<List<Sketch>> fewer =
        Stream.concat(Shrinking.without(sketches, 1), Shrinking.simpler(sketches, Sketch::simpler));
    return Stream.concat(
        fewer.map(rest -> new Scenario(fleet, rest)),
        fleet.simpler().map(simpler -> new Scenario(simpler, sketches)));
  }
}
