package io.lighthouse.core.load;

import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;

/** Takes the candidate that a rule of loads chooses. */
record ByLoad(LoadRule rule) implements PlacementStrategy {
  @Override
  public String name() {
    return "by-load";
  }

  @Override
  public Placer newPlacer(Fleet fleet, Settings settings) {
    return (workload, candidates) ->
        rule == LoadRule.FULLEST ? candidates.emptiest() : candidates.mostEven();
  }
}
