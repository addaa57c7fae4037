package io.lighthouse.kubernetes.schedule;

import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;

/** A plug-in that fails for workloads without memory; in {@code META-INF/services}. */
public final class FussyStrategy implements PlacementStrategy {
  static final String NAME = "fussy";

  /** For the ServiceLoader. */
  public FussyStrategy() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Placer newPlacer(Fleet fleet, Settings settings) {
    return (workload, candidates) -> {
      if (!workload.requirements().asMap().containsKey("memory")) {
        throw new IllegalStateException("a workload without memory");
      }
      return candidates.first();
    };
  }
}
