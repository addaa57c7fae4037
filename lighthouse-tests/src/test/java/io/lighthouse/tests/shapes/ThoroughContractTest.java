package io.lighthouse.tests.shapes;

import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.tests.contract.StrategyContract;

/**
 * A strategy that places whole batches, declines nothing and handles workloads that give resources.
 * It takes givers away and puts them back, so that they come after those that need their gift.
 */
class ThoroughContractTest extends StrategyContract {

  @Override
  protected PlacementStrategy strategy() {
    return new Thorough();
  }

  private static boolean gives(Workload workload) {
    return workload.requirements().asMap().values().stream()
            .mapToInt(Quantity::signum)
            .min()
            .orElse(0)
        < 0;
  }

  private static final class Thorough implements PlacementStrategy {
    @Override
    public String name() {
      return "thorough";
    }

    @Override
    public boolean sequential() {
      return false;
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return (BatchPlacer) Thorough::place;
    }

    private static void place(Session session) {
      int start = session.savepoint();
      int asGiven = settle(session, false);
      session.rollBack(start);
      if (asGiven > settle(session, true)) {
        session.rollBack(start);
        settle(session, false);
      }
      session.forget(start);
      for (int workload = 0; workload < session.size(); workload++) {
        if (session.nodeOf(workload) >= 0 && gives(session.workload(workload))) {
          putBack(session, workload);
        }
      }
      settle(session, false);
    }

    /** Takes a giver away and puts it back, which it may not fit any more: then it stays. */
    private static void putBack(Session session, int workload) {
      int node = session.nodeOf(workload);
      int savepoint = session.savepoint();
      session.release(workload);
      if (session.fits(workload, node)) {
        session.assign(workload, node);
      } else {
        session.rollBack(savepoint);
      }
    }

    /** Places and moves until nothing changes; answers how many are placed. */
    private static int settle(Session session, boolean reversed) {
      boolean changed = true;
      int placed = 0;
      while (changed) {
        changed = false;
        placed = 0;
        for (int turn = 0; turn < session.size(); turn++) {
          int workload = reversed ? session.size() - 1 - turn : turn;
          changed |=
              session.nodeOf(workload) < 0 ? place(session, workload) : move(session, workload);
          placed += session.nodeOf(workload) < 0 ? 0 : 1;
        }
      }
      return placed;
    }

    private static boolean place(Session session, int workload) {
      for (FleetNode node : session.candidates(workload)) {
        session.assign(workload, node.index());
        return true;
      }
      return false;
    }

    /** Moves a workload off an averse node to a friendly one, where there is one. */
    private static boolean move(Session session, int workload) {
      if (!session.averse(workload, session.nodeOf(workload)) || !session.releasable(workload)) {
        return false;
      }
      int savepoint = session.savepoint();
      session.release(workload);
      for (FleetNode node : session.candidates(workload)) {
        if (!session.averse(workload, node.index())) {
          session.assign(workload, node.index());
          return true;
        }
        break; // Friendly ones alone are candidates while there are any.
      }
      session.rollBack(savepoint);
      return false;
    }
  }
}
