package io.lighthouse.tests.oracle;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.contract.StrategyContract;
import io.lighthouse.tests.generate.RandomFleet;
import java.util.List;
import java.util.Optional;

/**
 * The sound naive engine keeps every law as well, those of domains, rules and gangs included: two
 * engines that share no code agree with one referee, so none of the three made the laws up.
 */
class NaiveDistributorContractTest extends StrategyContract {
  @Override
  protected PlacementStrategy strategy() {
    return Distributors.installed().find("bin-pack");
  }

  @Override
  protected Distributor newDistributor(
      PlacementStrategy strategy, List<Node> nodes, Optional<String> lastPlaced) {
    return new NaiveDistributor(
        Strategy.BIN_PACK, rubric().orElseThrow(), Fault.NONE, nodes, lastPlaced);
  }

  @Override
  protected Distributor newDistributor(PlacementStrategy strategy, RandomFleet fleet) {
    RandomFleet scored =
        new RandomFleet(
            fleet.nodes(),
            fleet.domains(),
            fleet.rules(),
            rubric().orElseThrow(),
            fleet.lastPlaced());
    return new NaiveDistributor(Strategy.BIN_PACK, Fault.NONE, scored);
  }

  @Override
  protected int clusters() {
    return 40;
  }
}
