package io.lighthouse.tests.contract;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.referee.Conduct;
import io.lighthouse.tests.referee.Referee;
import java.util.List;
import java.util.Optional;

/** The strategy under test, as the laws see it. */
interface Subject {
  /** An instance, as the contract makes them. */
  PlacementStrategy strategy();

  /** How it goes about a batch. */
  Conduct conduct();

  /** A distributor with an instance. */
  Distributor make(PlacementStrategy strategy, List<Node> nodes, Optional<String> lastPlaced);

  /** The beginning of a scenario. */
  default Distributor make(Scenario scenario) {
    return make(strategy(), scenario.nodes(), scenario.lastPlaced());
  }

  /** A distributor made from what another one writes out. */
  default Distributor restore(Snapshot state) {
    return make(
        strategy(), state.nodes().stream().map(node -> node.toNode()).toList(), state.lastPlaced());
  }

  /** A referee of the beginning of a scenario. */
  default Referee referee(Scenario scenario) {
    return new Referee(scenario.nodes(), scenario.lastPlaced(), conduct());
  }

  /** A state as a value: what a snapshot says of it. */
  static List<Object> state(Distributor distributor) {
    Snapshot now = distributor.snapshot();
    return List.of(now.nodes(), now.lastPlaced(), now.placedCount());
  }
}
