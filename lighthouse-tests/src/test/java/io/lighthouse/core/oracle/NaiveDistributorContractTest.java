package io.lighthouse.core.oracle;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.contract.StrategyContract;
import io.lighthouse.tests.generate.RandomFleet;
import net.jqwik.api.Tag;

/**
 * The sound naive engine keeps every law too. Two engines that share no code agree with one referee
 * that shares none with them, so none of the three invented the laws.
 */
@Tag("planted")
class NaiveDistributorContractTest extends StrategyContract {
  @Override
  protected PlacementStrategy strategy() {
    return Distributors.installed().find("bin-pack");
  }

  @Override
  protected Distributor newDistributor(PlacementStrategy strategy, RandomFleet fleet) {
    return new NaiveDistributor(Strategy.BIN_PACK, rubric().orElseThrow(), Fault.NONE, fleet);
  }
}
