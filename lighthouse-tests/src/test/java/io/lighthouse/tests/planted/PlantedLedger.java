package io.lighthouse.tests.planted;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.oracle.Fault;
import io.lighthouse.core.oracle.NaiveDistributor;
import io.lighthouse.core.oracle.Strategy;
import io.lighthouse.tests.contract.StrategyContract;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import net.jqwik.api.Arbitrary;

/** The naive engine with the fault of the day; run by the tests of this package alone. */
public class PlantedLedger extends StrategyContract {
  static volatile Fault fault = Fault.NONE;
  static volatile Strategy naive = Strategy.PRIORITIZED;

  @Override
  protected PlacementStrategy strategy() {
    String name = naive == Strategy.BIN_PACK ? "bin-pack" : "round-robin";
    return Distributors.installed().find(name);
  }

  @Override
  protected Distributor newDistributor(PlacementStrategy strategy, RandomFleet fleet) {
    return new NaiveDistributor(naive, rubric().orElseThrow(), fault, fleet);
  }

  /** The same before plain scenarios only. */
  public static class OfNodes extends PlantedLedger {
    @Override
    public Arbitrary<Scenario> scenarios() {
      return Scenarios.of(5, 8, 6);
    }
  }
}
