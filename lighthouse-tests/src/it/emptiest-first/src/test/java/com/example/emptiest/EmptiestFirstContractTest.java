package com.example.emptiest;

import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.tests.contract.StrategyContract;
import java.util.Map;

/** Every law of placement, for emptiest-first by memory. */
class EmptiestFirstContractTest extends StrategyContract {
  @Override
  protected PlacementStrategy strategy() {
    return new EmptiestFirst();
  }

  @Override
  protected Map<String, String> settings() {
    return Map.of("resource", "mem");
  }
}
