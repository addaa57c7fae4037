package io.lighthouse.tests.shapes;

import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.tests.contract.StrategyContract;

/**
 * A strategy that places whole batches: it fills as given and reversed, takes back the one that
 * placed less, and moves workloads from averse nodes to friendly ones until that changes nothing.
 * It declines workloads that give, for they could not be moved again.
 */
class SearchingContractTest extends StrategyContract {

  @Override
  protected PlacementStrategy strategy() {
    return new Searching();
  }

  private static final class Searching implements PlacementStrategy {
    @Override
    public String name() {
      return "searching";
    }

    @Override
    public boolean sequential() {
      return false;
    }

    @Override
    public boolean mayDecline() {
      return true;
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return (BatchPlacer) Searching::place;
    }

    private static void place(Session session) {
      int start = session.savepoint();
      int asGiven = fill(session, false);
      session.rollBack(start);
      int reversed = fill(session, true);
      if (asGiven > reversed) {
        session.rollBack(start);
        fill(session, false);
      }
      boolean moved = true;
      while (moved) {
        moved = false;
        for (int workload = 0; workload < session.size(); workload++) {
          moved |= session.nodeOf(workload) >= 0 && move(session, workload);
        }
        fill(session, false);
      }
    }

    /** Moves a workload off an averse node where a friendly one fits; every move ends a quarrel. */
    private static boolean move(Session session, int workload) {
      if (!session.averse(workload, session.nodeOf(workload))) {
        return false;
      }
      int mark = session.savepoint();
      session.release(workload);
      for (FleetNode node : session.candidates(workload)) {
        if (!session.averse(workload, node.index())) {
          session.assign(workload, node.index());
          return true;
        }
      }
      session.rollBack(mark);
      return false;
    }

    /** Answers how many it placed. */
    private static int fill(Session session, boolean reversed) {
      int placed = 0;
      for (int turn = 0; turn < session.size(); turn++) {
        int workload = reversed ? session.size() - 1 - turn : turn;
        if (session.nodeOf(workload) < 0 && !gives(session, workload)) {
          for (FleetNode node : session.candidates(workload)) {
            session.assign(workload, node.index());
            placed++;
            break;
          }
        }
      }
      return placed;
    }

    private static boolean gives(Session session, int workload) {
      return session.workload(workload).requirements().asMap().values().stream()
          .anyMatch(quantity -> quantity.signum() < 0);
    }
  }
}
