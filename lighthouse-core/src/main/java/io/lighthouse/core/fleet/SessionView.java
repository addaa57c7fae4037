package io.lighthouse.core.fleet;

import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.core.feasibility.Fit;
import io.lighthouse.core.ledger.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;

/** A batch that a strategy places at once. Every change goes through the ledger. */
final class SessionView implements Session {
  private final FleetView fleet;
  private final Ledger ledger;
  private final Batch batch;
  private final Demand demand = new Demand();
  private boolean closed;

  SessionView(FleetView fleet, Batch batch) {
    this.fleet = fleet;
    this.batch = batch;
    ledger = fleet.ledger;
  }

  void close() {
    closed = true;
  }

  @Override
  public int size() {
    return batch.size();
  }

  @Override
  public Workload workload(int workload) {
    return batch.workload(workload);
  }

  @Override
  public int nodeOf(int workload) {
    return ledger.nodeOf(batch.entry(workload));
  }

  @Override
  public boolean fits(int workload, int node) {
    fleet.node(node);
    return Fit.fits(ledger, node, free(workload));
  }

  @Override
  public boolean averse(int workload, int node) {
    fleet.node(node);
    if (nodeOf(workload) != node) {
      return Fit.averse(node, load(workload));
    }
    int mark = ledger.mark();
    ledger.take(batch.entry(workload), load(workload));
    boolean averse = Fit.averse(node, load(workload));
    ledger.back(mark);
    return averse;
  }

  @Override
  public Candidates candidates(int workload) {
    Demand wanted = new Demand();
    free(workload);
    batch.load(workload, wanted);
    CandidateView candidates = new CandidateView(fleet);
    candidates.open(wanted);
    return candidates;
  }

  @Override
  public void assign(int workload, int node) {
    fleet.node(node);
    if (!Fit.fits(ledger, node, free(workload))) {
      throw new IllegalStateException(
          "workload '"
              + workload(workload).name()
              + "' does not fit node '"
              + ledger.nodeName(node)
              + "'");
    }
    ledger.place(batch.entry(workload), node, demand);
  }

  @Override
  public void release(int workload) {
    if (nodeOf(workload) < 0) {
      throw new IllegalStateException("workload '" + workload(workload).name() + "' is not placed");
    }
    ledger.take(batch.entry(workload), load(workload));
  }

  @Override
  public int mark() {
    checkOpen();
    return ledger.mark();
  }

  @Override
  public void back(int mark) {
    checkOpen();
    if (mark < 0 || mark > ledger.mark()) {
      throw new IllegalStateException("mark " + mark + " is gone");
    }
    ledger.back(mark);
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
    if (closed) {
      throw new IllegalStateException("the session has ended");
    }
  }
}
