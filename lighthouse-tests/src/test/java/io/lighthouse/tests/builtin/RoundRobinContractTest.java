package io.lighthouse.tests.builtin;

import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.contract.StrategyContract;

/** Every law, for {@code round-robin}. */
class RoundRobinContractTest extends StrategyContract {
  @Override
  protected PlacementStrategy strategy() {
    return Distributors.installed().find("round-robin");
  }

  @Override
  protected boolean looksAtEveryResource() {
    return false;
  }
}
