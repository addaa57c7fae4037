package io.lighthouse.strategies;

import com.google.auto.service.AutoService;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;

/**
 * Takes the node whose resources are in use most evenly with the workload on it, by the variance of
 * their shares. For workloads that arrive one by one, in no particular order, on unequal nodes.
 */
@AutoService(PlacementStrategy.class)
public final class Balance implements PlacementStrategy {
  /** For the service loader. */
  public Balance() {}

  @Override
  public String name() {
    return "balance";
  }

  @Override
  public String description() {
    return "the node whose resources are then in use most evenly, workloads as they come";
  }

  @Override
  public Placer newPlacer(Fleet fleet, Settings settings) {
    return (workload, candidates) -> candidates.mostEven();
  }
}
