package io.lighthouse.strategies;

import com.google.auto.service.AutoService;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;

/**
 * Takes the first node that fits, in the order of nodes. Source: pylighthouse 0.2.0, {@code
 * PrioritizedDistributor}.
 */
@AutoService(PlacementStrategy.class)
public final class Prioritized implements PlacementStrategy {
  /** For the service loader. */
  public Prioritized() {}

  @Override
  public String name() {
    return "prioritized";
  }

  @Override
  public String description() {
    return "the first node that fits, in the order of nodes";
  }

  @Override
  public Placer newPlacer(Fleet fleet, Settings settings) {
    return Placer.FIRST;
  }
}
