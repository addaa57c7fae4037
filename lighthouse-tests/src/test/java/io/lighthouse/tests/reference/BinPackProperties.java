package io.lighthouse.tests.reference;

import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.oracle.Strategy;

/** {@code bin-pack} answers as the oracle does. */
class BinPackProperties extends ReferenceAnswers {
  @Override
  protected PlacementStrategy strategy() {
    return Distributors.installed().find("bin-pack");
  }

  @Override
  protected Strategy naive() {
    return Strategy.BIN_PACK;
  }
}
