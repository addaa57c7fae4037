/**
 * The interface of Lighthouse for callers and for authors of strategies and rules: the nouns of
 * placement, the distributor with its answers, and the types that plug-ins implement. It requires
 * only the JDK.
 *
 * <p>Callers start at {@link io.lighthouse.api.Distributor}; authors of strategies start at {@link
 * io.lighthouse.api.strategy.PlacementStrategy}. The engine behind both is the module {@code
 * io.lighthouse.core}.
 */
module io.lighthouse.api {
  exports io.lighthouse.api;
  exports io.lighthouse.api.advice;
  exports io.lighthouse.api.error;
  exports io.lighthouse.api.quantity;
  exports io.lighthouse.api.rule;
  exports io.lighthouse.api.strategy;
}
