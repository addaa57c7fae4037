package io.lighthouse.tests.contract;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.referee.Books;
import io.lighthouse.tests.referee.Conduct;
import io.lighthouse.tests.referee.Referee;
import java.util.List;

/** The strategy under test, as the laws see it. */
interface Subject {
  /** An instance, as the contract makes them. */
  PlacementStrategy strategy();

  /** How it goes about a batch. */
  Conduct conduct();

  /** A distributor with an instance. */
  Distributor make(PlacementStrategy strategy, RandomFleet fleet);

  /** The beginning of a scenario. */
  default Distributor make(Scenario scenario) {
    return make(strategy(), scenario.fleet());
  }

  /** A distributor made from what another one writes out. */
  default Distributor restore(Snapshot state) {
    return make(strategy(), RandomFleet.of(state));
  }

  /** Gives a builder all of a fleet but its rubric. */
  static Distributors.Builder build(Distributors.Builder builder, RandomFleet fleet) {
    builder.nodes(fleet.nodes()).domains(fleet.domains()).rules(fleet.rules());
    fleet.lastPlaced().ifPresent(builder::lastPlaced);
    return builder;
  }

  /** A referee of the beginning of a scenario. */
  default Referee referee(Scenario scenario) {
    RandomFleet fleet = scenario.fleet();
    return new Referee(
        new Books(fleet.nodes(), fleet.domains(), fleet.rules()), fleet.lastPlaced(), conduct());
  }

  /** A state as a value: what its snapshot shows. */
  static List<Object> state(Distributor distributor) {
    Snapshot now = distributor.snapshot();
    return List.of(now.nodes(), now.domains(), now.lastPlaced(), now.placedCount());
  }
}
