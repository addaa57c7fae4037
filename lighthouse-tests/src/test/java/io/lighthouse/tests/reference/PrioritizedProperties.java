package io.lighthouse.tests.reference;

import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.oracle.Strategy;

/** {@code prioritized} answers as the oracle does. */
class PrioritizedProperties extends ReferenceAnswers {
  @Override
  protected PlacementStrategy strategy() {
    return Distributors.installed().find("prioritized");
  }

  @Override
  protected Strategy naive() {
    return Strategy.PRIORITIZED;
  }
}
