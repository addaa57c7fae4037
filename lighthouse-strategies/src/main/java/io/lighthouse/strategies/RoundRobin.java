package io.lighthouse.strategies;

import com.google.auto.service.AutoService;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;

/**
 * Takes the first node that fits, starting just after the node that took the last placed workload,
 * and wrapping round once. Source: pylighthouse 0.2.0, {@code RoundRobinDistributor}.
 */
@AutoService(PlacementStrategy.class)
public final class RoundRobin implements PlacementStrategy {
  /** For the service loader. */
  public RoundRobin() {}

  @Override
  public String name() {
    return "round-robin";
  }

  @Override
  public String description() {
    return "the first node that fits, from just after the one that took the last workload";
  }

  @Override
  public Placer newPlacer(Fleet fleet, Settings settings) {
    return (workload, candidates) -> candidates.firstAfter(fleet.lastPlaced());
  }
}
