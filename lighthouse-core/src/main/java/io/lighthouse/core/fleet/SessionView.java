package io.lighthouse.core.fleet;

import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.core.ledger.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.Arrays;

/** A batch that a strategy places at once. Every change goes through the ledger. */
final class SessionView implements Session {
  private final FleetView fleet;
  private final Ledger ledger;
  private final Batch batch;
  private final Demand demand = new Demand();
  private boolean closed;

  /** Whether a workload that gave something has been taken away again. */
  private boolean tookGiver;

  /** Counts what may change an answer. */
  private long changes;

  /** The marks that are good, ascending; the first {@link #markCount}. */
  private int[] marks = new int[8];

  private int markCount;

  SessionView(FleetView fleet, Batch batch) {
    this.fleet = fleet;
    this.batch = batch;
    ledger = fleet.ledger;
  }

  void close() {
    closed = true;
    changes++;
  }

  @Override
  public int size() {
    return batch.size();
  }

  @Override
  public Workload workload(int workload) {
    Engine.checkNotInterrupted();
    return batch.workload(workload);
  }

  @Override
  public int nodeOf(int workload) {
    Engine.checkNotInterrupted();
    return ledger.nodeOf(batch.entry(workload));
  }

  @Override
  public boolean fits(int workload, int node) {
    fleet.node(node);
    return fleet.finder.fits(node, free(workload));
  }

  @Override
  public boolean averse(int workload, int node) {
    fleet.node(node);
    if (nodeOf(workload) != node) {
      return fleet.finder.averse(node, load(workload));
    }
    int mark = ledger.mark();
    ledger.take(batch.entry(workload), load(workload));
    boolean averse = fleet.finder.averse(node, load(workload));
    ledger.back(mark);
    return averse;
  }

  @Override
  public Candidates candidates(int workload) {
    Demand wanted = new Demand();
    free(workload);
    batch.load(workload, wanted);
    CandidateView candidates = new CandidateView(fleet, this);
    candidates.open(wanted);
    return candidates;
  }

  @Override
  public void assign(int workload, int node) {
    fleet.node(node);
    if (!fleet.finder.fits(node, free(workload))) {
      throw new IllegalStateException(
          "workload '"
              + workload(workload).name()
              + "' does not fit node '"
              + ledger.nodeName(node)
              + "'");
    }
    changes++;
    ledger.place(batch.entry(workload), node, demand);
  }

  @Override
  public void release(int workload) {
    if (nodeOf(workload) < 0) {
      throw new IllegalStateException("workload '" + workload(workload).name() + "' is not placed");
    }
    changes++;
    ledger.take(batch.entry(workload), load(workload));
    tookGiver |= demand.giving();
  }

  @Override
  public int mark() {
    checkOpen();
    int mark = ledger.mark();
    if (markCount == 0 || marks[markCount - 1] != mark) {
      if (markCount == marks.length) {
        marks = Arrays.copyOf(marks, 2 * markCount);
      }
      marks[markCount++] = mark;
    }
    return mark;
  }

  @Override
  public void back(int mark) {
    checkOpen();
    int at = Arrays.binarySearch(marks, 0, markCount, mark);
    if (at < 0) {
      throw new IllegalStateException("mark " + mark + " is gone");
    }
    markCount = at + 1;
    changes++;
    ledger.back(mark);
  }

  boolean tookGiver() {
    return tookGiver;
  }

  /** How many changes there have been; the end of the session is one. */
  long changes() {
    return changes;
  }

  /** The demand of a workload that is not placed. */
  private Demand free(int workload) {
    if (nodeOf(workload) >= 0) {
      throw new IllegalStateException(
          "workload '"
              + workload(workload).name()
              + "' is placed already, on node '"
              + ledger.nodeName(nodeOf(workload))
              + "'");
    }
    return load(workload);
  }

  private Demand load(int workload) {
    checkOpen();
    batch.load(workload, demand);
    return demand;
  }

  private void checkOpen() {
    Engine.checkNotInterrupted();
    if (closed) {
      throw new IllegalStateException("the session has ended");
    }
  }
}
