package io.lighthouse.tests.reference;

import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.oracle.Strategy;

/** {@code spread} does what the api says of its question. */
class SpreadProperties extends ReferenceAnswers {
  @Override
  protected PlacementStrategy strategy() {
    return Distributors.installed().find("spread");
  }

  @Override
  protected Strategy naive() {
    return Strategy.SPREAD;
  }
}
