package io.lighthouse.tests.reference;

import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.naive.Rule;

/** {@code bin-pack} does what section 5 of the semantics says. */
class BinPackProperties extends ReferenceAnswers {
  @Override
  protected PlacementStrategy strategy() {
    return Distributors.installed().find("bin-pack");
  }

  @Override
  protected Rule rule() {
    return Rule.BIN_PACK;
  }
}
