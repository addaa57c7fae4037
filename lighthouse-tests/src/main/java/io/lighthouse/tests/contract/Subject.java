package io.lighthouse.tests.contract;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.referee.Books;
import io.lighthouse.tests.referee.Conduct;
import io.lighthouse.tests.referee.Referee;
import java.util.LinkedHashMap;
import java.util.Map;
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

  /** A state as a value: what its snapshot shows, by the names of the parts. */
  static Map<String, Object> state(Distributor distributor) {
    Snapshot now = distributor.snapshot();
    Map<String, Object> parts = new LinkedHashMap<>();
    parts.put("the nodes", now.nodes().stream().map(NodeState::name).toList());
    parts.put(
        "the domains",
        now.domains().stream().map(domain -> domain.level() + " " + domain.name()).toList());
    parts.put("the node of the last placed workload", now.lastPlaced());
    parts.put("the number of placed workloads", now.placedCount());
    now.nodes().forEach(node -> parts.put("node '" + node.name() + "'", node));
    now.domains().forEach(domain -> parts.put(domain.level() + " '" + domain.name() + "'", domain));
    return parts;
  }
}
