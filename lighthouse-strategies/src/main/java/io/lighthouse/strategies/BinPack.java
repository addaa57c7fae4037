package io.lighthouse.strategies;

import com.google.auto.service.AutoService;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.strategy.BatchOrder;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;

/**
 * Places the largest workload first, on the node with the least left that it fits, as scored by the
 * rubric; equal ones by name. Source: pylighthouse 0.2.0, {@code BinPackDistributor}.
 */
@AutoService(PlacementStrategy.class)
public final class BinPack implements PlacementStrategy {
  /** For the service loader. */
  public BinPack() {}

  @Override
  public String name() {
    return "bin-pack";
  }

  @Override
  public String description() {
    return "the largest workload first, on the node with the least left, as the rubric scores them";
  }

  @Override
  public boolean sequential() {
    return false;
  }

  @Override
  public Placer newPlacer(Fleet fleet, Settings settings) {
    Rubric rubric =
        fleet
            .rubric()
            .orElseThrow(
                () ->
                    new InvalidInputException(
                        "strategy 'bin-pack'",
                        "rubric",
                        "missing",
                        "weights by resource, such as cpu=1,mem=0.5; also none at all, {}"));
    NodeOrder tightest = fleet.orderBy(rubric);
    return new Placer() {
      @Override
      public FleetNode choose(Workload workload, Candidates candidates) {
        return candidates.first(tightest);
      }

      @Override
      public BatchOrder order() {
        return BatchOrder.scoreDescending(rubric);
      }
    };
  }
}
