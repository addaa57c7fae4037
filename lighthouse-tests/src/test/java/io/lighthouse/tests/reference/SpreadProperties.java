package io.lighthouse.tests.reference;

import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.naive.Rule;

/** {@code spread} does what the api says of its question. */
class SpreadProperties extends ReferenceAnswers {
  @Override
  protected PlacementStrategy strategy() {
    return Distributors.installed().find("spread");
  }

  @Override
  protected Rule rule() {
    return Rule.SPREAD;
  }
}
