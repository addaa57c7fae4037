package io.lighthouse.core.engine;

import io.lighthouse.api.Budget;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.GangRefusal;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.advice.Choice;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.BudgetOverException;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.constraint.Within;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.session.BatchSettlement;
import io.lighthouse.core.session.SessionView;
import io.lighthouse.core.view.FleetView;
import io.lighthouse.core.view.Interruption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * Lets a strategy choose for an open batch, checks every choice, and has the ledger commit it. All
 * exceptions are thrown before the batch is settled; the caller takes the batch back. Where the
 * strategy fails, it is a {@link StrategyException}.
 *
 * <p>An interrupted thread ends at its next turn, or at the next query of its strategy, with a
 * {@link CancellationException}, which blames no strategy. The flag stays set, so that a strategy
 * cannot hide the interrupt by catching the exception.
 */
public final class Engine {
  private final Ledger ledger;
  private final FleetView fleet;
  private final StrategyDescription description;
  private final Placer placer;

  /** The placer where it places whole batches; else null. */
  private final BatchPlacer whole;

  private final PlacementTurns turns;
  private final StrategyCalls calls;

  /**
   * Has a strategy make its placer for a fleet.
   *
   * @param settings a value for every setting that it declares
   * @throws InvalidInputException if the strategy refuses the settings or misses something
   */
  public Engine(
      FleetView fleet,
      PlacementStrategy strategy,
      StrategyDescription description,
      Settings settings) {
    this.fleet = fleet;
    this.description = description;
    ledger = fleet.ledger();
    calls = new StrategyCalls(fleet, description);
    calls.begin();
    try {
      placer = strategy.newPlacer(fleet, settings);
    } catch (InvalidInputException wrongSettings) {
      throw wrongSettings;
    } catch (Throwable thrown) {
      throw calls.failure("threw when asked for a placer: " + thrown, thrown);
    } finally {
      calls.end();
    }
    if (placer == null) {
      throw calls.fault("answered null for a placer", null);
    }
    whole = placer instanceof BatchPlacer batches ? batches : null;
    turns = new PlacementTurns(fleet, description, placer, calls, Interruption::check);
  }

  /** Whether code of the strategy runs at this moment. */
  public boolean callsStrategy() {
    return calls.running();
  }

  /**
   * Places what can be placed of an open batch.
   *
   * @param budget what a strategy that places whole batches may spend
   * @param explain whether refusals are wanted
   * @return the refusals in the order of the batch; empty unless wanted
   */
  public List<Refusal> place(Batch batch, Budget budget, boolean explain) {
    Refusal[] refusals = explain ? new Refusal[batch.size()] : null;
    if (whole != null) {
      placeAtOnce(batch, budget);
      for (int i = 0; i < batch.size(); i++) {
        Interruption.check();
        if (explain && ledger.placements().nodeOf(batch.entry(i)) < 0) {
          refusals[i] = turns.refusal(batch, i, Within.FLEET);
        }
      }
    } else {
      turns.place(batch, turns.order(batch), batch.size(), refusals);
    }
    return explain ? Arrays.stream(refusals).filter(Objects::nonNull).toList() : List.of();
  }

  /**
   * The verdict of every node about one workload of an open batch at its turn, after those before
   * it have been placed. The caller takes the batch back afterwards.
   */
  public Explanation explain(Batch batch, int index) {
    Turn turn = goToTurn(batch, index);
    try (Query query = fleet.finder().bind(batch.demand(index), turn.within())) {
      int chosen = turn.gang().isEmpty() ? chosen(turn, query, turns.candidates()) : NodeTable.NONE;
      return explanation(query, chosen, turn.gang());
    }
  }

  /**
   * The choice of the strategy for one workload of an open batch at its turn: the nodes that it
   * fits, in the order of the strategy's query. The caller takes the batch back afterwards.
   */
  public Choice choice(Batch batch, int index) {
    RecordedCandidates recorded = new RecordedCandidates(turns.candidates(), whole != null);
    Turn turn = goToTurn(batch, index);
    try (Query query = fleet.finder().bind(batch.demand(index), turn.within())) {
      int chosen = chosen(turn, query, recorded);
      RecordedCandidates.Query asked = recorded.answeredWith(chosen < 0 ? null : fleet.at(chosen));
      return new Ranking(fleet, query, asked, placer, calls)
          .choice(turn.gang().isEmpty() ? chosen : NodeTable.NONE);
    }
  }

  /**
   * A workload at its turn.
   *
   * @param within the domains that it is confined to
   * @param node its node where the whole batch has been placed; -1 for none
   * @param gang why its gang is not placed; empty where it is or the whole batch has been placed at
   *     once, and for a workload without one
   */
  private record Turn(Within within, int node, Optional<GangRefusal> gang) {}

  /** Goes to the turn of a workload. */
  private Turn goToTurn(Batch batch, int index) {
    if (whole == null) {
      return stopAtTurn(batch, turns.order(batch), index);
    }
    placeAtOnce(batch, Budget.UNLIMITED);
    int node = ledger.placements().nodeOf(batch.entry(index));
    if (node >= 0) {
      ledger.remove(batch.entry(index), batch.demand(index));
    }
    return new Turn(Within.FLEET, node, Optional.empty());
  }

  /** The node that a workload goes to at its turn, or -1. */
  private int chosen(Turn turn, Query query, Candidates offers) {
    return whole != null ? turn.node() : turns.choose(query, offers);
  }

  /** Takes all turns before that of one workload; in a gang, in the attempt that counts. */
  private Turn stopAtTurn(Batch batch, int[] order, int index) {
    if (batch.hasGangs() && batch.workload(index).terms().gang().isPresent()) {
      List<Integer> members = batch.gangs(order).get(PlacementTurns.gangOf(batch, index));
      turns.place(batch, order, turnOf(order, members.get(0)), null);
      GangTurn gang = new GangTurn(ledger, batch, members, turns, true);
      int before = ledger.savepoint();
      Optional<GangRefusal> refusal = gang.place() ? Optional.empty() : Optional.of(gang.refusal());
      ledger.rollBack(before);
      return new Turn(gang.stopAt(index), NodeTable.NONE, refusal);
    }
    turns.place(batch, order, turnOf(order, index), null);
    return new Turn(Within.FLEET, NodeTable.NONE, Optional.empty());
  }

  private static int turnOf(int[] order, int index) {
    int turn = order == null ? index : 0;
    while (order != null && order[turn] != index) {
      turn++;
    }
    return turn;
  }

  private Explanation explanation(Query query, int chosen, Optional<GangRefusal> gang) {
    boolean friendly = fleet.explainer().friendlyFits(query);
    List<NodeVerdict> verdicts = new ArrayList<>();
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      if (!ledger.nodes().alive(node)) {
        continue;
      }
      List<Reason> reasons = node == chosen ? List.of() : fleet.explainer().broken(node, query);
      boolean fits = reasons.isEmpty();
      if (fits && node != chosen) {
        reasons =
            List.of(
                friendly && query.isWithin(node) && query.averse(node)
                    ? query.aversion.reason(node, 0)
                    : notChosen(query, node, chosen));
      }
      verdicts.add(new NodeVerdict(ledger.nodes().nodeName(node), fits, reasons));
    }
    return new Explanation(
        query.demand().workload().name(),
        verdicts,
        fleet.explainer().summary(query, verdicts, gang));
  }

  /** Why a node that fits, and is as friendly as any, was not chosen. */
  private Reason notChosen(Query query, int node, int chosen) {
    Reason worse = fleet.explainer().worse(node, query);
    return worse != null
        ? worse
        : chosen < 0 ? new Reason.Declined() : new Reason.Later(ledger.nodes().nodeName(chosen));
  }

  // ---- at once ----

  private void placeAtOnce(Batch batch, Budget budget) {
    fleet.finder().expect(batch);
    int before = ledger.savepoint();
    int position = ledger.lastPlaced();
    SessionView session = new SessionView(fleet, batch, budget, this::placeInTurn);
    boolean over;
    try {
      over = callWhole(session);
    } finally {
      session.close();
    }
    BatchSettlement settlement =
        new BatchSettlement(fleet, batch, session, description.mayDecline());
    String wrong = settlement.settle(over);
    if (wrong != null) {
      throw calls.fault(wrong, null);
    }
    // Placements that were tried and taken away again have moved the position; they do not count.
    int[] placed = ledger.placedSince(before);
    ledger.lastPlaced(
        placed.length == 0 ? position : ledger.placements().nodeOf(placed[placed.length - 1]));
  }

  /** Has the strategy place the batch of a session; returns whether its budget ended it. */
  private boolean callWhole(SessionView session) {
    calls.begin();
    try {
      whole.place(session);
      return false;
    } catch (BudgetOverException ended) {
      if (session.ended()) {
        return true;
      }
      throw calls.failure("threw: " + ended, ended);
    } catch (Throwable thrown) {
      throw calls.failure("threw: " + thrown, thrown);
    } finally {
      calls.end();
    }
  }

  /** Has another placer of the strategy place the batch of a session one by one. */
  private void placeInTurn(Batch batch, Placer inTurn, Runnable beforeTurn) {
    PlacementTurns others = new PlacementTurns(fleet, description, inTurn, calls, beforeTurn);
    others.place(batch, others.order(batch), batch.size(), null);
  }
}
