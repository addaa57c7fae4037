package io.lighthouse.fleets.live;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Workload;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.store.Head;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The fleet in memory. Used only in the fleet's turn. */
final class FleetState implements Change.SomeCases<Void> {
  /** Null where the fleet is damaged. */
  final Distributor distributor;

  /** Why the fleet can only be deleted; null where it can be used. */
  final FleetException damage;

  /** The newest entry that the distributor has carried out. */
  Head head;

  /** The node of every workload. */
  final Map<String, String> where = new HashMap<>();

  /** How many nodes there are. */
  int nodes;

  /** What the command that is being decided has changed; its listener fills it. */
  final List<Change> noted = new ArrayList<>();

  /** Why a change was not noted, such as for lack of memory; null where all are. */
  private Error missed;

  /** The {@link Answer#life} of the fleet. */
  long life;

  /** The size in bytes of the entries after the newest snapshot. */
  long bytes;

  /** The generation of the newest known snapshot. */
  long snapshot;

  /** The size in bytes of the newest snapshot, not compressed. */
  long snapshotBytes;

  /** A damaged fleet. */
  FleetState(FleetException damage, Head head) {
    this.distributor = null;
    this.damage = damage;
    this.head = head;
  }

  FleetState(Distributor distributor, Head head) {
    this.distributor = distributor;
    this.damage = null;
    this.head = head;
    for (NodeState node : distributor.snapshot().nodes()) {
      nodes++;
      for (Workload workload : node.workloads()) {
        where.put(workload.name(), node.name());
      }
    }
    distributor.onChange((generation, changes) -> note(changes));
  }

  private void note(List<Change> changes) {
    try {
      noted.addAll(changes);
    } catch (Error lost) { // The distributor logs it, and its call succeeds.
      missed = lost;
      throw lost;
    }
  }

  /** Whether the distributor was changed since the noted changes were cleared. */
  boolean isChanged() {
    return missed != null || !noted.isEmpty();
  }

  /** Throws where a change was not noted. The fleet must not be used afterwards. */
  void requireNoted() {
    if (missed != null) {
      throw missed;
    }
  }

  Known known() {
    return new Known(head, nodes, where.size());
  }

  /** Updates the nodes of the workloads, and the number of nodes, after changes. */
  void follow(List<Change> changes) {
    changes.forEach(change -> change.match(this));
  }

  @Override
  public Void assign(Change.Assign assign) {
    where.put(assign.workload().name(), assign.node());
    return null;
  }

  @Override
  public Void move(Change.Move move) {
    where.put(move.workload(), move.to());
    return null;
  }

  @Override
  public Void release(Change.Release release) {
    where.remove(release.workload());
    return null;
  }

  @Override
  public Void addNode(Change.AddNode add) {
    nodes++;
    return null;
  }

  @Override
  public Void removeNode(Change.RemoveNode remove) {
    nodes--;
    return null;
  }

  @Override
  public Void other(Change other) {
    return null;
  }

  /** The published facts of a fleet: all of them are durable. */
  record Known(Head head, int nodes, int workloads) {}
}
