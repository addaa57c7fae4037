package io.lighthouse.tests.builtin;

import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.contract.StrategyContract;
import java.util.Map;

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
}
