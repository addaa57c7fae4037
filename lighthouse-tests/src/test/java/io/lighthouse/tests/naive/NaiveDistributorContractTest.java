package io.lighthouse.tests.naive;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.contract.StrategyContract;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.oracle.OracleDistributor;
import io.lighthouse.tests.oracle.Slip;
import java.util.List;
import java.util.Optional;

/**
 * The sound naive engine keeps every law as well: two engines that share no code agree with one
 * referee, so none of the three made the laws up.
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
        Rule.BIN_PACK, rubric().orElseThrow(), Fault.NONE, nodes, lastPlaced);
  }

  /** Of domains and rules the oracle of the tests knows what the naive engine does not. */
  @Override
  protected Distributor newDistributor(PlacementStrategy strategy, RandomFleet fleet) {
    RandomFleet scored =
        new RandomFleet(
            fleet.nodes(),
            fleet.domains(),
            fleet.rules(),
            rubric().orElseThrow(),
            fleet.lastPlaced());
    return OracleDistributor.of(scored, "bin-pack", Slip.NONE);
  }

  @Override
  protected int clusters() {
    return 40;
  }
}
