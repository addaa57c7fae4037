package io.lighthouse.strategies;

import com.google.auto.service.AutoService;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchOrder;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;

/**
 * Places the largest workload first, on the node whose fullest resource stays emptiest: worst-fit
 * decreasing by the L-infinity norm. On nearly full fleets of unequal nodes it places more
 * workloads than best fit by a score, which leaves small remainders unused.
 */
@AutoService(PlacementStrategy.class)
public final class Spread implements PlacementStrategy {
  /** For the service loader. */
  public Spread() {}

  @Override
  public String name() {
    return "spread";
  }

  @Override
  public String description() {
    return "the largest workload first, on the node whose fullest resource stays emptiest";
  }

  @Override
  public boolean sequential() {
    return false;
  }

  @Override
  public Placer newPlacer(Fleet fleet, Settings settings) {
    return new Placer() {
      @Override
      public FleetNode choose(Workload workload, Candidates candidates) {
        return candidates.emptiest();
      }

      @Override
      public BatchOrder order() {
        return BatchOrder.sizeDescending();
      }
    };
  }
}
