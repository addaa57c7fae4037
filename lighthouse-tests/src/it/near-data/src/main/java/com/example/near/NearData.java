package com.example.near;

import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.rule.Judgement;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.Reads;
import io.lighthouse.api.rule.RuleCheck;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetDomain;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keeps a workload within a number of hops from the data. The name of a node's domain of the level
 * "hops" is its number of hops.
 */
public final class NearData implements PlacementRule {
  /** Further than any number that a domain may have. */
  private static final int FAR = 1_000_000;

  @Override
  public String name() {
    return "near-data";
  }

  @Override
  public String description() {
    return "nodes within so many hops of the data";
  }

  @Override
  public List<Setting> settings() {
    return List.of(new Setting("most", "how many hops at most", "1"));
  }

  @Override
  public Set<Reads> reads() {
    return Set.of(Reads.NODE);
  }

  @Override
  public RuleCheck newCheck(Fleet fleet, Settings with) {
    int most = (int) with.integer("most", 0, FAR - 1);
    return (workload, node) -> {
      int hops = node.domain("hops").map(FleetDomain::name).map(NearData::hops).orElse(FAR);
      return hops <= most
          ? Judgement.KEPT
          : new Judgement(
              hops - most,
              hops == FAR ? "nobody knows how far" : hops + " hops, at most " + most,
              hops == FAR ? Map.of() : Map.of("hops", Quantity.of(hops)));
    };
  }

  private static int hops(String name) {
    return name.matches("[0-9]{1,6}") ? Integer.parseInt(name) : FAR;
  }
}
