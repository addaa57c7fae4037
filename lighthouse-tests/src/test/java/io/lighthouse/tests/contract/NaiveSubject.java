package io.lighthouse.tests.contract;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.oracle.Fault;
import io.lighthouse.core.oracle.NaiveDistributor;
import io.lighthouse.core.oracle.Strategy;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.referee.Conduct;
import java.util.function.Function;

/** The naive engine before the laws: sound, with a planted fault, or with something around it. */
record NaiveSubject(Function<RandomFleet, Distributor> make) implements Subject {
  static Subject wrong(Fault fault) {
    return made(fleet -> naive(fault, fleet));
  }

  static Subject made(Function<RandomFleet, Distributor> make) {
    return new NaiveSubject(make);
  }

  static Distributor naive(Fault fault, RandomFleet fleet) {
    return new NaiveDistributor(Strategy.PRIORITIZED, fault, fleet);
  }

  @Override
  public PlacementStrategy strategy() {
    return Distributors.installed().find("prioritized");
  }

  @Override
  public Conduct conduct() {
    return Conduct.PLAIN;
  }

  @Override
  public Distributor make(PlacementStrategy strategy, RandomFleet fleet) {
    return make.apply(fleet);
  }
}
