package io.lighthouse.tests.builtin;

import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.contract.StrategyContract;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Every law, for {@code pack}, with steps for a short search. */
class PackContractTest extends StrategyContract {
  @Override
  protected PlacementStrategy strategy() {
    return Distributors.installed().find("pack");
  }

  @Override
  protected Map<String, String> settings() {
    return Map.of("steps", "20000");
  }

  @Override
  protected List<PlacementStrategy> neverFewerThan() {
    return Stream.of("prioritized", "round-robin", "spread", "balance", "bin-pack")
        .map(Distributors.installed()::find)
        .toList();
  }
}
