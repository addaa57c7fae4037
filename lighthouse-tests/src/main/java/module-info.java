/** The contract kit: every law of placement as properties that a strategy's author runs. */
module io.lighthouse.tests {
  requires transitive io.lighthouse.api;
  requires io.lighthouse.core;
  requires transitive net.jqwik.api;

  exports io.lighthouse.tests.contract;

  opens io.lighthouse.tests.contract;
}
