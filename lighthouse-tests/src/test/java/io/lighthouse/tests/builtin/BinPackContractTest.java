package io.lighthouse.tests.builtin;

import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.contract.StrategyContract;

/** Every law, for {@code bin-pack}. */
class BinPackContractTest extends StrategyContract {
  @Override
  protected PlacementStrategy strategy() {
    return Distributors.installed().find("bin-pack");
  }

  @Override
  protected boolean looksAtEveryResource() {
    return false;
  }
}
