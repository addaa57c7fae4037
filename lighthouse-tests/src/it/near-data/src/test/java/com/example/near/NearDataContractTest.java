package com.example.near;

import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.tests.contract.RuleContract;
import java.util.List;
import java.util.Map;

/** Every law of a rule, for near-data within two hops. */
class NearDataContractTest extends RuleContract {
  @Override
  protected PlacementRule rule() {
    return new NearData();
  }

  @Override
  protected Map<String, String> settings() {
    return Map.of("most", "2");
  }

  @Override
  protected Map<String, List<String>> domains() {
    return Map.of("hops", List.of("0", "2", "3", "40", "unknown"), "rack", List.of("r1", "r2"));
  }
}
