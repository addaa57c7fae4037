package io.lighthouse.tests.shapes;

import io.lighthouse.api.Names;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.tests.contract.StrategyContract;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** A strategy with a setting that looks at every candidate: the fewest workloads, the most left. */
class ComparingContractTest extends StrategyContract {

  @Override
  protected PlacementStrategy strategy() {
    return new Comparing();
  }

  @Override
  protected Map<String, String> settings() {
    return Map.of("resource", "mem");
  }

  private static final class Comparing implements PlacementStrategy {
    @Override
    public String name() {
      return "comparing";
    }

    @Override
    public List<Setting> settings() {
      return List.of(new Setting("resource", "what counts among equals", "cpu"));
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      String resource = settings.text("resource");
      Comparator<FleetNode> order =
          Comparator.comparingInt(FleetNode::placedCount)
              .thenComparing(
                  node -> node.left(resource).orElse(Quantity.ZERO), Comparator.reverseOrder())
              .thenComparing(FleetNode::name, Names.order());
      return (workload, candidates) -> candidates.best(order);
    }
  }
}
