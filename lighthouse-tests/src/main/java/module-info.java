/**
 * The contract kit: every law of placement as properties, for the author of a strategy.
 *
 * <p>Start at {@link io.lighthouse.tests.contract.StrategyContract}: extend it in a test, name your
 * strategy, and run it. What it stands on can be used alone: a judge that shares no code with the
 * engine ({@link io.lighthouse.tests.referee.Referee}), and generators of fleets, workloads and
 * calls ({@link io.lighthouse.tests.generate.Scenarios}).
 */
module io.lighthouse.tests {
  requires transitive io.lighthouse.api;
  requires transitive io.lighthouse.core;
  requires transitive net.jqwik.api;

  exports io.lighthouse.tests.contract;
  exports io.lighthouse.tests.generate;
  exports io.lighthouse.tests.referee;

  opens io.lighthouse.tests.contract;
}
