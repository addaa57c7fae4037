package com.example.emptiest;

import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import java.util.List;

/** Takes the node with the most left of one resource; equal ones by name. */
public final class EmptiestFirst implements PlacementStrategy {
  @Override
  public String name() {
    return "emptiest-first";
  }

  @Override
  public String description() {
    return "the node with the most left of one resource";
  }

  @Override
  public List<Setting> settings() {
    return List.of(new Setting("resource", "the resource that counts", "cpu"));
  }

  @Override
  public Placer newPlacer(Fleet fleet, Settings settings) {
    NodeOrder emptiest = fleet.orderBy(settings.text("resource")).descending();
    return (workload, candidates) -> candidates.first(emptiest);
  }
}
