/** The placement engine. Start at {@link io.lighthouse.core.Distributors}; all else is internal. */
module io.lighthouse.core {
  requires transitive io.lighthouse.api;

  uses io.lighthouse.api.rule.PlacementRule;
  uses io.lighthouse.api.strategy.PlacementStrategy;

  exports io.lighthouse.core;
}
