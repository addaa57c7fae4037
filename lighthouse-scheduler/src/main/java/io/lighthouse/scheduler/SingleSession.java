package io.lighthouse.scheduler;

import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/** A batch of one workload, for a strategy that places whole batches. */
final class SingleSession implements Session {
  private final Workload workload;
  private final SchedulerFleet fleet;
  private final SchedulerCandidates fitting;

  /** Where it was after each change, the last one is where it is; null for on no node. */
  private final List<FleetNode> states = new ArrayList<>(Collections.singletonList(null));

  /** The savepoints that are good: each the number of changes that there were. */
  private final TreeSet<Integer> savepoints = new TreeSet<>();

  /** Those handed out since the last change. */
  private final List<SchedulerCandidates> handedOut = new ArrayList<>();

  private boolean closed;

  SingleSession(Workload workload, SchedulerFleet fleet, SchedulerCandidates fitting) {
    this.workload = workload;
    this.fleet = fleet;
    this.fitting = fitting;
  }

  /** Ends it; answers where the workload was left; declined if nowhere. */
  FleetNode close() {
    expire();
    closed = true;
    return node() == null ? fitting.decline() : node();
  }

  @Override
  public int size() {
    return 1;
  }

  @Override
  public Workload workload(int at) {
    check(at);
    return workload;
  }

  @Override
  public int nodeOf(int at) {
    check(at);
    return node() == null ? -1 : node().index();
  }

  @Override
  public boolean fits(int at, int node) {
    checkUnplaced(at);
    return candidate(node) != null;
  }

  /** Nobody here has aversion groups. */
  @Override
  public boolean averse(int at, int node) {
    check(at);
    Objects.checkIndex(node, fleet.size());
    return false;
  }

  @Override
  public boolean releasable(int at) {
    checkPlaced(at);
    return true;
  }

  @Override
  public Candidates candidates(int at) {
    checkUnplaced(at);
    SchedulerCandidates candidates = fitting.again();
    handedOut.add(candidates);
    return candidates;
  }

  @Override
  public void assign(int at, int node) {
    checkUnplaced(at);
    FleetNode candidate = candidate(node);
    if (candidate == null) {
      throw new IllegalStateException(
          "workload '" + workload.name() + "' does not fit node '" + fleet.node(node).name() + "'");
    }
    expire();
    states.add(candidate);
  }

  @Override
  public void release(int at) {
    checkPlaced(at);
    expire();
    states.add(null);
  }

  @Override
  public int savepoint() {
    checkOpen();
    savepoints.add(states.size() - 1);
    return states.size() - 1;
  }

  @Override
  public void rollBack(int savepoint) {
    checkSavepoint(savepoint);
    expire();
    states.subList(savepoint + 1, states.size()).clear();
    savepoints.tailSet(savepoint, false).clear();
  }

  @Override
  public void forget(int savepoint) {
    checkSavepoint(savepoint);
    savepoints.tailSet(savepoint, true).clear();
  }

  @Override
  public void required(int at, long[] into) {
    check(at);
    fleet.amounts().required(into);
  }

  private FleetNode node() {
    return states.get(states.size() - 1);
  }

  /** A change: the candidates handed out before were good until now. */
  private void expire() {
    handedOut.forEach(SchedulerCandidates::close);
    handedOut.clear();
  }

  private void checkSavepoint(int savepoint) {
    checkOpen();
    if (!savepoints.contains(savepoint)) {
      throw new IllegalStateException("savepoint " + savepoint + " is gone");
    }
  }

  private void checkPlaced(int at) {
    check(at);
    if (node() == null) {
      throw new IllegalStateException("workload '" + workload.name() + "' is not placed");
    }
  }

  private void checkUnplaced(int at) {
    check(at);
    if (node() != null) {
      throw new IllegalStateException(
          "workload '" + workload.name() + "' is placed already, on node '" + node().name() + "'");
    }
  }

  private void check(int at) {
    checkOpen();
    Objects.checkIndex(at, 1);
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the session has ended");
    }
  }

  private FleetNode candidate(int node) {
    FleetNode wanted = fleet.node(Objects.checkIndex(node, fleet.size()));
    return fitting.indexOf(wanted) < 0 ? null : wanted;
  }
}
