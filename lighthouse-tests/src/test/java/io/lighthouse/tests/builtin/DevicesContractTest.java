package io.lighthouse.tests.builtin;

import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.contract.StrategyContract;
import java.util.Map;

/** Every law, for {@code devices}, with a resource and a level that the kit's fleets have. */
class DevicesContractTest extends StrategyContract {
  @Override
  protected PlacementStrategy strategy() {
    return Distributors.installed().find("devices");
  }

  @Override
  protected Map<String, String> settings() {
    return Map.of("device", "gpu", "machine", "rack");
  }
}
