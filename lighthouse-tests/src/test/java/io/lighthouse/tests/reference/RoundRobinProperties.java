package io.lighthouse.tests.reference;

import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.oracle.Strategy;

/** {@code round-robin} answers as the oracle does. */
class RoundRobinProperties extends ReferenceAnswers {
  @Override
  protected PlacementStrategy strategy() {
    return Distributors.installed().find("round-robin");
  }

  @Override
  protected Strategy naive() {
    return Strategy.ROUND_ROBIN;
  }
}
