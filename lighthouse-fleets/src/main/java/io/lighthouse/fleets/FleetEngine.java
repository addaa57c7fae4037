package io.lighthouse.fleets;

import io.lighthouse.api.Distributor;
import io.lighthouse.json.Problem;
import java.util.function.Function;

/** Makes the distributors of fleets. Thread-safe. */
public interface FleetEngine {
  /**
   * The distributor of a new fleet.
   *
   * @param problem the fleet, with a strategy
   * @return its distributor
   * @throws io.lighthouse.api.error.InvalidInputException if the problem is wrong
   */
  Distributor create(Problem problem);

  /**
   * The distributor of a fleet that is in the store, perhaps with workloads whose rules are of
   * plug-ins that are not installed now. Override it where plug-ins may be removed: the default
   * refuses such a fleet as {@link #create} does.
   *
   * @param problem the fleet, with a strategy
   * @return its distributor
   * @throws io.lighthouse.api.error.InvalidInputException if the problem is wrong
   */
  default Distributor recover(Problem problem) {
    return create(problem);
  }

  /**
   * An engine of two functions, which are called from several threads.
   *
   * @param create see {@link #create}
   * @param recover see {@link #recover}
   * @return the engine
   */
  static FleetEngine of(
      Function<Problem, Distributor> create, Function<Problem, Distributor> recover) {
    return new FleetEngine() {
      @Override
      public Distributor create(Problem problem) {
        return create.apply(problem);
      }

      @Override
      public Distributor recover(Problem problem) {
        return recover.apply(problem);
      }
    };
  }
}
