package io.lighthouse.fleets.live;

import io.lighthouse.api.Distributor;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import java.util.ArrayList;
import java.util.List;

/** The decisions of one fleet that were abandoned and still run. Thread-safe. */
final class UnendingDecisions {
  /** The origin of the built-in strategies, which end when they are interrupted. */
  private static final String BUILT_IN = "class io.lighthouse.strategies.";

  private final String fleet;
  private final List<Decisions> running = new ArrayList<>();

  /** Those of a fleet of this name. */
  UnendingDecisions(String fleet) {
    this.fleet = fleet;
  }

  /** Abandons a decision; false where it has ended meanwhile. */
  synchronized boolean abandon(Decisions one) {
    running.add(one); // First, as memory may be lacking for it.
    boolean abandoned = one.abandon();
    if (!abandoned) {
      running.remove(one);
    }
    return abandoned;
  }

  /** Interrupts those that still run. */
  synchronized void urge() {
    running.removeIf(one -> !one.urge());
  }

  private synchronized boolean isAsking(boolean changes) {
    return running.stream().anyMatch(one -> one.isAsking(changes));
  }

  /**
   * Refuses a call that uses the strategy while an earlier decision of its kind does not end. Dry
   * runs and calls that change the fleet are different kinds, so that no dry run blocks a change.
   * Once the earlier decision has ended, the strategy is used again.
   */
  void requireStrategy(FleetCall call, Distributor distributor) {
    if (!call.command().asksStrategy() || !isAsking(call.changes())) {
      return;
    }
    String until =
        " of fleet '"
            + fleet
            + "' did not end when it was interrupted, and still runs; until then ";
    throw distributor.strategy().origin().startsWith(BUILT_IN)
        ? new FleetException(
            Kind.OVERLOAD, "a decision" + until + "its strategy is busy; try again")
        : new FleetException(
            Kind.STRATEGY_REFUSED,
            "a decision"
                + until
                + "its strategy is refused; the fleet can be read, and workloads released and"
                + " moved");
  }
}
