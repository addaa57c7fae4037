package io.lighthouse.tests.reference;

import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.naive.Rule;

/** {@code prioritized} does what section 5 of the semantics says. */
class PrioritizedProperties extends ReferenceAnswers {
  @Override
  protected PlacementStrategy strategy() {
    return Distributors.installed().find("prioritized");
  }

  @Override
  protected Rule rule() {
    return Rule.PRIORITIZED;
  }
}
