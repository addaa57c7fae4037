package io.lighthouse.core.session;

import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.view.FleetView;

/**
 * What the workloads of a session need, and the query of the last question's workload. What is
 * thrown here is no fault of the strategy: a rule of a plug-in is to blame, or Lighthouse itself.
 */
final class SessionQueries {
  private static final int NOTHING = -1;

  private final FleetView fleet;
  private final Batch batch;

  /**
   * By workload: what it needs; null until that was first asked. A search asks for the same
   * workloads again and again. Those of one run share a demand. Without this, a step of {@code
   * SessionBenchmark} takes 1.6 x the time (10,000 nodes, 2026-11-24).
   */
  private final Demand[] demands;

  /** The query of the last question's workload; null where none is bound. */
  private Query query;

  /** That workload. */
  private int asked = NOTHING;

  /** The slot of a node that it was found to fit; the query still holds. */
  private int fitting = NOTHING;

  SessionQueries(FleetView fleet, Batch batch) {
    this.fleet = fleet;
    this.batch = batch;
    demands = new Demand[batch.size()];
  }

  /** What a workload needs, or an equal one of its run. */
  Demand demand(int workload) {
    if (demands[workload] == null) {
      int first = workload;
      while (first > 0 && batch.continuesRun(first - 1)) {
        first--;
      }
      demands[first] = batch.demand(first);
      for (int i = first; batch.continuesRun(i); i++) {
        demands[i + 1] = demands[first];
      }
    }
    return demands[workload];
  }

  /** Whether a workload fits a node now. */
  boolean fits(int workload, int slot) {
    Query bound = of(workload);
    if (slot == fitting) {
      return true;
    }
    boolean fits;
    try {
      fits = bound.fits(slot);
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
    fitting = fits ? slot : NOTHING;
    return fits;
  }

  /** Whether a node is averse to a workload that is not on it. */
  boolean averse(int workload, int slot) {
    return of(workload).averse(slot);
  }

  /** Lets the call end with a rule of a plug-in that answers differently each time. */
  void verifyRules(int workload, int slot) {
    try {
      of(workload).verifyRules(slot);
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
  }

  /** The query of a workload, bound anew where something has changed. */
  private Query of(int workload) {
    if (workload != asked || query != null && !query.isCurrent()) {
      close();
    }
    if (query == null) {
      query = bind(workload);
      asked = workload;
    }
    return query;
  }

  /** A new query of a workload, which the caller must close. */
  Query bind(int workload) {
    try {
      return fleet.finder().bind(demand(workload));
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
  }

  /** Closes the query of the last question's workload. */
  void close() {
    fitting = NOTHING;
    if (query != null) {
      query.close();
      query = null;
    }
  }
}
