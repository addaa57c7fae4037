package io.lighthouse.tests.shapes;

import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.tests.contract.StrategyContract;

/** A strategy that may decline, and does so for every workload that requires memory. */
class DecliningContractTest extends StrategyContract {

  @Override
  protected PlacementStrategy strategy() {
    return new Declining();
  }

  private static final class Declining implements PlacementStrategy {
    @Override
    public String name() {
      return "declining";
    }

    @Override
    public boolean mayDecline() {
      return true;
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return (workload, candidates) ->
          workload.requirements().has("mem") ? candidates.decline() : candidates.first();
    }
  }
}
