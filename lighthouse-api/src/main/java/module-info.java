/**
 * What callers of Lighthouse and authors of strategies share: the nouns of placement, what a
 * distributor does and answers, and the door for strategies. It needs nothing but the JDK.
 *
 * <p>Callers start at {@link io.lighthouse.api.Distributor}; authors of strategies start at {@link
 * io.lighthouse.api.strategy.PlacementStrategy}. The engine behind both is the module {@code
 * io.lighthouse.core}.
 */
module io.lighthouse.api {
  exports io.lighthouse.api;
  exports io.lighthouse.api.rule;
  exports io.lighthouse.api.strategy;
}
