package io.lighthouse.core.session;

import io.lighthouse.api.Budget;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.strategy.Amounts;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.BudgetOverException;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.view.CandidateView;
import io.lighthouse.core.view.FleetView;
import io.lighthouse.core.view.Interruption;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/** A batch that a strategy places at once. Every change goes through the ledger. */
public final class SessionView implements Session {
  /** The number of steps between two reads of the clock. */
  private static final int STEPS_PER_READ = 256;

  private final FleetView fleet;
  private final Ledger ledger;
  private final Batch batch;
  private final SessionQueries queries;
  private final IntFunction<Demand> demandOf;
  private final SessionSavepoints savepoints;
  private final StepBudget budget;

  /** The steps of that; {@link Long#MAX_VALUE} for no limit. */
  private final long steps;

  private final InTurn inTurn;

  /** The node that took the last placed workload before the session. */
  private final int position;

  /** The candidates whose query is bound; null where there are none. */
  private CandidateView bound;

  private boolean closed;

  /** Whether a step was requested after the budget was over. */
  private boolean ended;

  /** Whether {@link #placeInTurn} is running. */
  private boolean placing;

  /** The slots of the nodes that a workload which gave something has been taken away from. */
  private final BitSet takenGivers = new BitSet();

  private boolean tookAny;

  /** Counts what may change an answer; the end of the session is one. */
  private long changes;

  /** The slot of each workload's node in the state that was kept; null where none was. */
  private int[] kept;

  /** Places a batch one by one. */
  @FunctionalInterface
  public interface InTurn {
    /** Places what can be placed. It calls {@code beforeTurn} at each turn, which may end it. */
    void place(Batch batch, Placer placer, Runnable beforeTurn);
  }

  /**
   * A session of an open batch of which nothing is placed.
   *
   * @param inTurn places the batch one by one where the strategy asks for it
   */
  public SessionView(FleetView fleet, Batch batch, Budget budget, InTurn inTurn) {
    this.fleet = fleet;
    this.batch = batch;
    this.inTurn = inTurn;
    ledger = fleet.ledger();
    queries = new SessionQueries(fleet, batch);
    demandOf = queries::demand;
    savepoints = new SessionSavepoints(ledger);
    position = ledger.lastPlaced();
    steps = budget.steps();
    this.budget = new StepBudget(steps, budget.time());
  }

  /** Ends the session; later calls of the strategy fail. */
  public void close() {
    closed = true;
    endQueries();
  }

  /** Closes all queries, as the fleet has changed or is about to. */
  private void endQueries() {
    changes++;
    queries.close();
    bind(null);
  }

  @Override
  public int size() {
    return batch.size();
  }

  @Override
  public Workload workload(int workload) {
    checkOpen();
    return batch.workload(workload);
  }

  @Override
  public int nodeOf(int workload) {
    checkOpen();
    int slot = slotOf(workload);
    return slot < 0 ? -1 : ledger.nodes().index(slot);
  }

  private int slotOf(int workload) {
    return ledger.placements().nodeOf(batch.entry(workload));
  }

  @Override
  public boolean fits(int workload, int node) {
    step();
    int slot = fleet.slot(node);
    checkUnplaced(workload);
    return queries.fits(workload, slot);
  }

  @Override
  public boolean averse(int workload, int node) {
    checkOpen();
    int slot = fleet.slot(node);
    if (slotOf(workload) != slot) {
      return queries.averse(workload, slot);
    }
    Demand wanted = queries.demand(workload);
    for (int i = 0; i < wanted.groupCount(); i++) {
      if (ledger.members().averse(wanted.group(i), slot) > 1) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean releasable(int workload) {
    step();
    int slot = placed(workload);
    Demand wanted = queries.demand(workload);
    if (!wanted.hasNegativeNeed()) {
      return true;
    }
    try {
      int before = ledger.savepoint();
      ledger.remove(batch.entry(workload), wanted);
      boolean reachable = ReachableOrder.find(ledger, batch, slot) != null;
      ledger.rollBack(before, demandOf);
      savepoints.keepNewest();
      return reachable;
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
  }

  @Override
  public Candidates candidates(int workload) {
    step();
    checkUnplaced(workload);
    CandidateView candidates = new CandidateView(fleet, () -> changes, this::bind);
    bind(candidates);
    candidates.open(queries.bind(workload));
    return candidates;
  }

  /** Lets some candidates have a query from now on, and closes that of those before them. */
  private void bind(CandidateView candidates) {
    if (bound != null && bound != candidates) {
      bound.release();
    }
    bound = candidates;
  }

  @Override
  public void assign(int workload, int node) {
    step();
    int slot = fleet.slot(node);
    checkUnplaced(workload);
    if (!queries.fits(workload, slot)) {
      queries.verifyRules(workload, slot);
      throw new IllegalStateException(
          "workload '"
              + workload(workload).name()
              + "' does not fit node '"
              + ledger.nodes().nodeName(slot)
              + "'");
    }
    changes++;
    try {
      ledger.place(batch.entry(workload), slot, queries.demand(workload));
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
  }

  @Override
  public void release(int workload) {
    step();
    int slot = placed(workload);
    Demand wanted = queries.demand(workload);
    changes++;
    noteTaken(slot, wanted);
    try {
      ledger.remove(batch.entry(workload), wanted);
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
  }

  @Override
  public void placeInTurn(Placer placer, BooleanSupplier goesOn) {
    checkOpen();
    if (placer instanceof BatchPlacer) {
      throw new IllegalArgumentException("a batch placer does not choose node by node");
    }
    for (int i = 0; i < batch.size(); i++) {
      checkUnplaced(i);
    }
    endQueries();
    int state = ledger.savepoint();
    int before = ledger.lastPlaced();
    ledger.lastPlaced(position);
    placing = true;
    try {
      inTurn.place(batch, placer, () -> beginTurn(goesOn));
    } catch (TurnsStopped stopped) {
      if (stopped.failure instanceof Error error) {
        throw error;
      }
      if (stopped.failure != null) {
        throw (RuntimeException) stopped.failure;
      }
    } catch (BudgetOverException | StrategyException | CancellationException ended) {
      throw ended;
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    } finally {
      placing = false;
      if (ledger.savepoint() == state) { // The log has no new entry: nothing was placed.
        ledger.lastPlaced(before);
      }
      savepoints.keepNewest();
    }
  }

  private void beginTurn(BooleanSupplier goesOn) {
    spendStep();
    boolean stops;
    try {
      stops = !goesOn.getAsBoolean();
    } catch (RuntimeException | Error failure) {
      throw new TurnsStopped(failure);
    }
    if (stops) {
      throw new TurnsStopped(null);
    }
  }

  /** Leaves {@link #placeInTurn} before a turn. */
  private static final class TurnsStopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What the condition of the strategy threw; null where it was false. */
    private final Throwable failure;

    TurnsStopped(Throwable failure) {
      super(null, null, false, false);
      this.failure = failure;
    }
  }

  @Override
  public void settle() {
    step();
    endQueries();
    try {
      new BatchSettlement(fleet, batch, this, true).complete();
    } catch (CancellationException ended) {
      throw ended;
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    } finally {
      savepoints.keepNewest();
    }
  }

  @Override
  public int savepoint() {
    checkOpen();
    return savepoints.mark();
  }

  @Override
  public void rollBack(int savepoint) {
    checkOpen();
    int state = savepoints.backTo(savepoint);
    changes++;
    try {
      ledger.rollBack(state, demandOf);
      ledger.lastPlaced(savepoints.position());
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
  }

  @Override
  public void forget(int savepoint) {
    checkOpen();
    savepoints.forget(savepoint);
  }

  @Override
  public void required(int workload, long[] into) {
    checkOpen();
    Arrays.fill(into, Amounts.ABSENT);
    int[] ids = batch.ids(workload);
    for (int k = 0; k < ids.length; k++) {
      into[ids[k]] = batch.amounts(workload)[k];
    }
  }

  // ---- the budget ----

  @Override
  public long stepsLeft() {
    checkOpen();
    return steps == Long.MAX_VALUE ? steps : steps - budget.spent();
  }

  @Override
  public boolean over() {
    checkOpen();
    return budget.isOver();
  }

  @Override
  public void keep() {
    checkOpen();
    if (kept == null) {
      kept = new int[batch.size()];
    }
    Arrays.setAll(kept, this::slotOf);
  }

  private void step() {
    checkOpen();
    spendStep();
  }

  private void spendStep() {
    Interruption.check();
    boolean readsClock = (budget.spent() + 1) % STEPS_PER_READ == 0;
    if (budget.left() <= 0 || (readsClock && budget.isOver())) {
      ended = true;
      throw new BudgetOverException();
    }
    budget.spend(1);
  }

  // ---- for the engine and the settlement ----

  /** Whether the strategy requested a step after its budget was over. */
  public boolean ended() {
    return ended;
  }

  /** The state of the ledger's log when the session began. */
  int base() {
    return savepoints.base();
  }

  /** The state that was kept; null where none was. */
  int[] kept() {
    return kept;
  }

  /** A workload is taken away from a node. */
  void noteTaken(int slot, Demand taken) {
    tookAny = true;
    if (taken.hasNegativeNeed()) {
      takenGivers.set(slot);
    }
  }

  /** Whether any workload has been taken away from a node. */
  boolean tookAny() {
    return tookAny;
  }

  /** Whether a workload that gave something has been taken away from a node. */
  boolean tookGiver(int slot) {
    return takenGivers.get(slot);
  }

  // ---- checks ----

  /** The slot of a placed workload's node. */
  private int placed(int workload) {
    int slot = slotOf(workload);
    if (slot < 0) {
      throw new IllegalStateException("workload '" + workload(workload).name() + "' is not placed");
    }
    return slot;
  }

  private void checkUnplaced(int workload) {
    int slot = slotOf(workload);
    if (slot >= 0) {
      String node = ledger.nodes().nodeName(slot);
      throw new IllegalStateException(
          "workload '" + workload(workload).name() + "' is placed already, on node '" + node + "'");
    }
  }

  private void checkOpen() {
    Interruption.check();
    if (closed) {
      throw new IllegalStateException("the session has ended");
    }
    if (placing) {
      throw new IllegalStateException("the batch is being placed in turn");
    }
  }
}
