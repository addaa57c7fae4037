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
import io.lighthouse.core.constraint.Query;
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
  private static final int NOT_LOADED = -1;

  private final FleetView fleet;
  private final Ledger ledger;
  private final Batch batch;

  /** The state of the ledger's log when the session began. */
  private final int base;

  /**
   * By workload: what it needs; null until that was first asked. A search asks for the same
   * workloads again and again. Those of one run share a demand. Without this, a step of {@code
   * SessionBenchmark} takes 1.6 x the time (10,000 nodes, 2026-11-24).
   */
  private final Demand[] demands;

  private final IntFunction<Demand> demandOf = this::demand;

  private final InTurn inTurn;

  /** The node that took the last placed workload before the session. */
  private final int position;

  private Demand demand;

  /** The workload of the demand. */
  private int loaded = NOT_LOADED;

  /** The query of that workload; null where none has been bound. */
  private Query query;

  /** The candidates whose query is bound; null where there are none. */
  private CandidateView bound;

  /** The last workload that was found to fit a node, its slot, and when. */
  private int fitting = NOT_LOADED;

  private int fittingSlot;
  private long fittingAt;

  private boolean closed;

  /** Whether {@link #placeInTurn} is running. */
  private boolean placing;

  /** The slots of the nodes that a workload which gave something has been taken away from. */
  private final BitSet takenGivers = new BitSet();

  private boolean tookAny;

  /** Counts what may change an answer. */
  private long changes;

  /** The savepoints that are good, ascending; the first {@link #savepointCount}. */
  private int[] savepoints = new int[8];

  private int savepointCount;

  private final SessionBudget budget;

  /** The slot of each workload's node in the state that was kept; null where none was. */
  private int[] kept;

  /** Places a batch one by one. */
  @FunctionalInterface
  public interface InTurn {
    /**
     * Places what can be placed.
     *
     * @param batch an open batch of which nothing is placed
     * @param placer chooses the nodes
     * @param beforeTurn called before each turn; it may end the call
     */
    void place(Batch batch, Placer placer, Runnable beforeTurn);
  }

  /**
   * A session of an open batch.
   *
   * @param fleet the fleet
   * @param batch an open batch of which nothing is placed
   * @param budget what the strategy may spend
   * @param inTurn places the batch one by one where the strategy asks for it
   */
  public SessionView(FleetView fleet, Batch batch, Budget budget, InTurn inTurn) {
    this.fleet = fleet;
    this.batch = batch;
    this.inTurn = inTurn;
    ledger = fleet.ledger();
    demands = new Demand[batch.size()];
    base = ledger.savepoint();
    position = ledger.lastPlaced();
    this.budget = new SessionBudget(budget);
  }

  /** Ends the session; later calls of the strategy fail. */
  public void close() {
    closeQuery();
    bind(null);
    closed = true;
    changes++;
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
    return fitsSlot(workload, slot);
  }

  private boolean fitsSlot(int workload, int slot) {
    Demand wanted = unplaced(workload);
    if (fitting == workload && fittingSlot == slot && fittingAt == changes) {
      return true;
    }
    Query bound = query(wanted);
    boolean fits;
    try {
      fits = bound.fits(slot);
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
    if (fits) {
      fitting = workload;
      fittingSlot = slot;
      fittingAt = changes;
    }
    return fits;
  }

  @Override
  public boolean averse(int workload, int node) {
    checkOpen();
    int slot = fleet.slot(node);
    Demand wanted = load(workload);
    if (slotOf(workload) != slot) {
      return query(wanted).averse(slot);
    }
    for (int i = 0; i < wanted.groupCount(); i++) {
      if (ledger.members(wanted.group(i), slot) > 1) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean releasable(int workload) {
    step();
    int slot = placed(workload);
    Demand wanted = load(workload);
    if (!wanted.hasNegativeNeed()) {
      return true;
    }
    try {
      int before = ledger.savepoint();
      ledger.remove(batch.entry(workload), wanted);
      boolean reachable = ReachableOrder.find(ledger, batch, slot) != null;
      ledger.rollBack(before, demandOf);
      keepNewestSavepoint();
      return reachable;
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
  }

  @Override
  public Candidates candidates(int workload) {
    step();
    Demand wanted = unplaced(workload);
    CandidateView candidates = new CandidateView(fleet, this::changes, this::bind);
    bind(candidates);
    candidates.open(newQuery(wanted));
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
    if (!fitsSlot(workload, slot)) {
      verifyRules(workload, slot);
      throw new IllegalStateException(
          "workload '"
              + workload(workload).name()
              + "' does not fit node '"
              + ledger.nodes().nodeName(slot)
              + "'");
    }
    changes++;
    try {
      ledger.place(batch.entry(workload), slot, demand);
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
  }

  /** Lets the call end with a rule of a plug-in that answers differently each time. */
  private void verifyRules(int workload, int slot) {
    try {
      query(unplaced(workload)).verifyRules(slot);
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
  }

  @Override
  public void release(int workload) {
    step();
    int slot = placed(workload);
    load(workload);
    changes++;
    noteTaken(slot, demand);
    try {
      ledger.remove(batch.entry(workload), demand);
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
    closeQuery();
    bind(null);
    changes++;
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
      keepNewestSavepoint();
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
    closeQuery();
    bind(null);
    changes++;
    try {
      new BatchSettlement(fleet, batch, this, base, true).complete();
    } catch (CancellationException ended) {
      throw ended;
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    } finally {
      keepNewestSavepoint();
    }
  }

  @Override
  public int savepoint() {
    checkOpen();
    int savepoint = ledger.savepoint() - base;
    if (savepointCount == 0 || savepoints[savepointCount - 1] != savepoint) {
      if (savepointCount == savepoints.length) {
        savepoints = Arrays.copyOf(savepoints, 2 * savepointCount);
      }
      savepoints[savepointCount++] = savepoint;
    }
    return savepoint;
  }

  @Override
  public void rollBack(int savepoint) {
    savepointCount = find(savepoint) + 1;
    changes++;
    try {
      ledger.rollBack(base + savepoint, demandOf);
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
  }

  @Override
  public void forget(int savepoint) {
    savepointCount = find(savepoint);
    keepNewestSavepoint();
  }

  /** Lets the log be squashed behind the newest savepoint that the strategy has. */
  private void keepNewestSavepoint() {
    ledger.newestSavepoint(savepointCount == 0 ? base : base + savepoints[savepointCount - 1]);
  }

  private int find(int savepoint) {
    checkOpen();
    int at = Arrays.binarySearch(savepoints, 0, savepointCount, savepoint);
    if (at < 0) {
      throw new IllegalStateException("savepoint " + savepoint + " is gone");
    }
    return at;
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
    return budget.stepsLeft();
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
    for (int i = 0; i < kept.length; i++) {
      kept[i] = slotOf(i);
    }
  }

  /** The state that was kept; null where none was. */
  int[] kept() {
    return kept;
  }

  private void step() {
    checkOpen();
    spendStep();
  }

  private void spendStep() {
    Interruption.check();
    budget.spendStep();
  }

  // ---- for the engine ----

  /**
   * Whether the strategy went on until its budget was over.
   *
   * @return true if it requested a step after that
   */
  public boolean ended() {
    return budget.hasEnded();
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

  /** How many changes there have been; the end of the session is one. */
  long changes() {
    return changes;
  }

  /** The slot of a placed workload's node. */
  private int placed(int workload) {
    int slot = slotOf(workload);
    if (slot < 0) {
      throw new IllegalStateException("workload '" + workload(workload).name() + "' is not placed");
    }
    return slot;
  }

  /** The demand of a workload that is not placed. */
  private Demand unplaced(int workload) {
    checkUnplaced(workload);
    return load(workload);
  }

  private void checkUnplaced(int workload) {
    int slot = slotOf(workload);
    if (slot >= 0) {
      throw new IllegalStateException(
          "workload '"
              + workload(workload).name()
              + "' is placed already, on node '"
              + ledger.nodes().nodeName(slot)
              + "'");
    }
  }

  /** What a workload needs: known from the last question where that was about the same one. */
  private Demand load(int workload) {
    if (loaded != workload) {
      closeQuery();
      demand = demand(workload);
      loaded = workload;
    }
    return demand;
  }

  /** What a workload needs, or an equal one of its run. */
  private Demand demand(int workload) {
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

  /** The query of the workload loaded last, bound anew where something has changed. */
  private Query query(Demand wanted) {
    if (query != null && !query.isCurrent()) {
      closeQuery();
    }
    if (query == null) {
      query = newQuery(wanted);
    }
    return query;
  }

  /** Binds a demand. A rule of a plug-in that throws here is to blame, not the strategy. */
  private Query newQuery(Demand wanted) {
    try {
      return fleet.finder().bind(wanted);
    } catch (RuntimeException | Error broken) {
      throw fleet.broken(broken);
    }
  }

  private void closeQuery() {
    if (query != null) {
      query.close();
      query = null;
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
