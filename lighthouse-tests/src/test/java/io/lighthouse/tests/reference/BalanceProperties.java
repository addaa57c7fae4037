package io.lighthouse.tests.reference;

import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.oracle.Strategy;

/** {@code balance} does what the api says of its question. */
class BalanceProperties extends ReferenceAnswers {
  @Override
  protected PlacementStrategy strategy() {
    return Distributors.installed().find("balance");
  }

  @Override
  protected Strategy naive() {
    return Strategy.BALANCE;
  }
}
