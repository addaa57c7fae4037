package io.lighthouse.core;

import io.lighthouse.api.DomainState;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.error.Plural;
import io.lighthouse.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** An immutable copy of a ledger; the states of the nodes are made when first read. */
final class LedgerSnapshot implements Snapshot {
  private final Ledger ledger;
  private final long generation;

  /** Null until first read. */
  private List<NodeState> nodes;

  LedgerSnapshot(Ledger ledger, long generation) {
    this.ledger = ledger;
    this.generation = generation;
  }

  @Override
  public long generation() {
    return generation;
  }

  @Override
  public synchronized List<NodeState> nodes() {
    if (nodes == null) {
      List<NodeState> states = new ArrayList<>(ledger.nodes().nodeCount());
      for (int node = 0; node < ledger.nodes().nodeCount(); node++) {
        states.add(ledger.state(ledger.nodes().slot(node)));
      }
      nodes = Collections.unmodifiableList(states);
    }
    return nodes;
  }

  @Override
  public List<DomainState> domains() {
    return Collections.unmodifiableList(ledger.topology().domains());
  }

  @Override
  public List<Rule> rules() {
    return ledger.rules();
  }

  @Override
  public Optional<String> lastPlaced() {
    int node = ledger.lastPlaced();
    return node < 0 ? Optional.empty() : Optional.of(ledger.nodes().nodeName(node));
  }

  @Override
  public int placedCount() {
    return ledger.placements().placedCount();
  }

  @Override
  public Optional<String> nodeOf(String workload) {
    return ledger.nodeOf(workload);
  }

  @Override
  public String toString() {
    return "snapshot of "
        + Plural.of(ledger.nodes().nodeCount(), "node")
        + " with "
        + Plural.of(ledger.placements().placedCount(), "workload");
  }
}
