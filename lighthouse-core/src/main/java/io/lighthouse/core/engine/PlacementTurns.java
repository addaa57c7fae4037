package io.lighthouse.core.engine;

import io.lighthouse.api.Refusal;
import io.lighthouse.api.strategy.BatchOrder;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.constraint.Within;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.view.CandidateView;
import io.lighthouse.core.view.FleetView;
import io.lighthouse.core.view.NodeView;
import java.util.List;
import java.util.Map;

/**
 * Places workloads one by one: at each turn a placer chooses a node, and the choice is checked
 * before the ledger takes it.
 */
final class PlacementTurns {
  private final FleetView fleet;
  private final Ledger ledger;
  private final StrategyDescription description;
  private final Placer placer;
  private final StrategyCalls calls;
  private final CandidateView candidates;

  /** Called before each turn; it may end the call. */
  private final Runnable beforeTurn;

  PlacementTurns(
      FleetView fleet,
      StrategyDescription description,
      Placer placer,
      StrategyCalls calls,
      Runnable beforeTurn) {
    this.fleet = fleet;
    this.description = description;
    this.placer = placer;
    this.calls = calls;
    this.beforeTurn = beforeTurn;
    ledger = fleet.ledger();
    candidates = new CandidateView(fleet, () -> 0, opened -> {});
  }

  /** The indexes of a batch in the order of their turns; null for as given. */
  int[] order(Batch batch) {
    BatchOrder order = calls.call("the order of a batch", placer::order);
    if (order == null) {
      throw calls.fault("answered null for the order of a batch", null);
    }
    return TurnOrder.of(order, batch, ledger);
  }

  /**
   * The first turns of a batch, in an order; null for as given. Refusals go where they are wanted;
   * null where they are not.
   */
  void place(Batch batch, int[] order, int turns, Refusal[] refusals) {
    fleet.finder().expect(batch);
    Map<String, List<Integer>> gangs = batch.hasGangs() ? batch.gangs(order) : null;
    for (int turn = 0; turn < turns; turn++) {
      beforeTurn.run();
      int index = order == null ? turn : order[turn];
      if (gangs != null && batch.workload(index).terms().gang().isPresent()) {
        List<Integer> members = gangs.remove(gangOf(batch, index));
        if (members != null) { // Else its gang had its turns with an earlier member.
          placeGang(batch, members, refusals);
        }
      } else {
        int placed = place(batch, index, order == null ? turns : index + 1, Within.FLEET);
        turn += Math.max(0, placed - 1);
        if (placed == 0 && refusals != null) {
          refusals[index] = refusal(batch, index, Within.FLEET);
        }
      }
    }
  }

  /**
   * Has the strategy choose a node for a workload, and places it there. If the strategy is known to
   * take the first node, the following workloads with the same requirements are placed too, up to
   * an end. Returns how many have been placed.
   */
  private int place(Batch batch, int index, int end, Within within) {
    Demand demand = batch.demand(index);
    try (Query query = fleet.finder().bind(demand, within)) {
      boolean first = placer == Placer.FIRST;
      int node = first ? fleet.finder().first(query, 0) : choose(query, candidates);
      if (node < 0) {
        return 0;
      }
      assert demand.isFreeOfTerms() || query.fits(node) || fleet.finder().isFaultOfRule(query)
          : subject(query) + " was to be placed on " + fleet.at(node) + ", which it does not fit";
      if (first) {
        int runEnd = query.isLimitedByResourcesOnly() ? end : index + 1;
        return placeRun(batch, index, runEnd, node, demand);
      }
      ledger.place(batch.entry(index), node, demand);
      return 1;
    }
  }

  /**
   * Places a workload on the first node that it fits. Those after it that need the same go to that
   * node and to later ones. A node that was too small for one is too small for the next. Without
   * the search from node to node, runs of 10,000 replicas take 1.5 x the time ({@code
   * RuleBenchmark}, REPLICAS, 100,000 nodes, 2026-11-24). Returns how many have been placed.
   */
  private int placeRun(Batch batch, int index, int end, int first, Demand demand) {
    int at = index + batch.placeRun(index, end, first, demand);
    int node = first;
    while (at < end && batch.continuesRun(at - 1) && !demand.hasNegativeNeed()) {
      beforeTurn.run();
      try (Query query = fleet.finder().bind(demand)) {
        node = fleet.finder().first(query, node + 1);
      }
      if (node < 0) {
        break; // The next turn says so.
      }
      at += batch.placeRun(at, end, node, demand);
    }
    return at - index;
  }

  /** Why a workload of a batch finds no node now. */
  Refusal refusal(Batch batch, int index, Within within) {
    try (Query query = fleet.finder().bind(batch.demand(index), within)) {
      return fleet.explainer().refusal(query);
    }
  }

  /** The turn of a member of a gang; returns whether it found a node. */
  boolean placeMember(Batch batch, int index, Within within) {
    beforeTurn.run();
    return place(batch, index, index + 1, within) > 0;
  }

  private void placeGang(Batch batch, List<Integer> members, Refusal[] refusals) {
    GangTurn gang = new GangTurn(ledger, batch, members, this, refusals != null);
    if (!gang.place() && refusals != null) {
      for (int i = 0; i < members.size(); i++) {
        refusals[members.get(i)] = gang.refusal(i, ledger.nodes().nodeCount());
      }
    }
  }

  static String gangOf(Batch batch, int index) {
    return batch.workload(index).terms().gang().orElseThrow().name();
  }

  /** The candidates that the strategy is offered. */
  CandidateView candidates() {
    return candidates;
  }

  /**
   * The node that the strategy chooses for a workload, checked; -1 where it is refused.
   *
   * @param offered the candidates, or what records the queries to them
   */
  int choose(Query query, Candidates offered) {
    try {
      return candidates.open(query) ? checked(answer(query, offered), query) : NodeTable.NONE;
    } finally {
      candidates.close();
    }
  }

  private FleetNode answer(Query query, Candidates offered) {
    calls.begin();
    try {
      return placer.choose(query.demand().workload(), offered);
    } catch (Throwable thrown) {
      throw calls.failure("threw for " + subject(query) + ": " + thrown, thrown);
    } finally {
      calls.end();
    }
  }

  private int checked(FleetNode answer, Query query) {
    if (answer == NodeView.DECLINED) {
      if (!description.mayDecline()) {
        throw calls.fault(
            "declined " + subject(query) + ", but does not declare that it may", null);
      }
      return NodeTable.NONE;
    }
    if (answer == fleet.at(candidates.found())) {
      return candidates.found(); // The finder's own answer at this turn.
    }
    if (!(answer instanceof NodeView view) || !view.isOf(fleet)) {
      String what = answer == null ? "null" : "a node that is not of this fleet";
      throw calls.fault("answered " + what + " for " + subject(query), null);
    }
    if (!query.fits(view.slot())) {
      query.verifyRules(view.slot());
      throw calls.fault("answered " + view + ", which " + subject(query) + " does not fit", null);
    }
    if (!candidates.offers(view.slot())) {
      query.verifyRules(view.slot());
      throw calls.fault(
          "answered "
              + view
              + ", which is averse to "
              + subject(query)
              + " while a friendly node fits",
          null);
    }
    return view.slot();
  }

  private static String subject(Query query) {
    return "workload '" + query.demand().workload().name() + "'";
  }
}
