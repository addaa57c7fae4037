package io.lighthouse.tests.contract;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.referee.Books;
import io.lighthouse.tests.referee.Conduct;
import io.lighthouse.tests.referee.Referee;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * The strategy under test, as the laws see it.
 *
 * @param instances makes an instance, as the contract does
 * @param conduct how it goes about a batch
 * @param distributors makes a distributor with an instance
 */
record Subject(
    Supplier<PlacementStrategy> instances,
    Conduct conduct,
    BiFunction<PlacementStrategy, RandomFleet, Distributor> distributors) {
  PlacementStrategy strategy() {
    return instances.get();
  }

  /** A distributor with an instance of its own. */
  Distributor make(RandomFleet fleet) {
    return distributors.apply(strategy(), fleet);
  }

  /** Gives a builder all of a fleet. */
  static Distributors.Builder build(Distributors.Builder builder, RandomFleet fleet) {
    builder.nodes(fleet.nodes()).domains(fleet.domains()).rules(fleet.rules());
    fleet.lastPlaced().ifPresent(builder::lastPlaced);
    return builder;
  }

  /** A referee of a fleet at its beginning. */
  Referee referee(RandomFleet fleet) {
    return new Referee(
        new Books(fleet.nodes(), fleet.domains(), fleet.rules()), fleet.lastPlaced(), conduct);
  }

  /** A state as a value: what its snapshot shows. */
  static List<Object> state(Distributor distributor) {
    Snapshot now = distributor.snapshot();
    return List.of(now.nodes(), now.domains(), now.lastPlaced(), now.placedCount());
  }
}
