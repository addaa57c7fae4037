package io.lighthouse.core;

import io.lighthouse.api.Change;
import io.lighthouse.api.Reason;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.core.feasibility.Explainer;
import io.lighthouse.core.fleet.FleetView;
import io.lighthouse.core.ledger.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.List;

/**
 * Changes as values, each carried out on a ledger whole, or refused before anything has changed.
 */
final class AppliedChanges {
  private final Ledger ledger;
  private final FleetView fleet;
  private final Explainer explainer;

  /** Reused by every change. */
  private final Demand demand = new Demand();

  AppliedChanges(Ledger ledger, FleetView fleet) {
    this.ledger = ledger;
    this.fleet = fleet;
    explainer = new Explainer(fleet.finder());
  }

  /** Carries out one change; returns whether it has changed anything. */
  boolean carryOut(Change change) {
    if (change instanceof Change.Assign assign) {
      assign(assign);
    } else if (change instanceof Change.Move move) {
      move(move);
    } else if (change instanceof Change.Release release) {
      ledger.release(new int[] {ledger.placements().entryOf(release.workload())});
    } else if (change instanceof Change.AddNode add) {
      fleet.checkKnownTo(add.node().workloads());
      ledger.nodeChanges().add(List.of(add.node()));
    } else if (change instanceof Change.RemoveNode remove) {
      remove(remove);
    } else if (change instanceof Change.Resize resize) {
      return resize(resize);
    } else if (change instanceof Change.Cordon cordon) {
      return cordon(ledger.nodes().node(cordon.node()), true);
    } else if (change instanceof Change.Uncordon uncordon) {
      return cordon(ledger.nodes().node(uncordon.node()), false);
    } else if (change instanceof Change.Regroup regroup) {
      return regroup(regroup);
    } else {
      return carryOutOnDomain(change);
    }
    return true;
  }

  private boolean carryOutOnDomain(Change change) {
    if (change instanceof Change.Declare declare) {
      ledger.topology().declare(declare.domain());
    } else if (change instanceof Change.Undeclare undeclare) {
      ledger.topology().undeclare(undeclare.level(), undeclare.domain());
    } else if (change instanceof Change.ResizeDomain resize) {
      ledger.topology().resize(resize.level(), resize.domain(), resize.capacity());
    } else if (change instanceof Change.CordonDomain cordon) {
      return ledger.topology().cordon(cordon.level(), cordon.domain(), cordon.cordoned());
    }
    return true;
  }

  private boolean regroup(Change.Regroup change) {
    int entry = ledger.placements().entryOf(change.workload());
    if (ledger.placements().workload(entry).terms().groups().equals(change.groups())) {
      return false;
    }
    ledger.regroup(entry, change.groups());
    return true;
  }

  private boolean cordon(int node, boolean closed) {
    if (ledger.accounts().cordoned(node) == closed) {
      return false;
    }
    ledger.nodeChanges().cordon(node, closed);
    return true;
  }

  private boolean resize(Change.Resize change) {
    int node = ledger.nodes().node(change.node());
    boolean changes = !ledger.accounts().hasCapacity(node, change.capacity());
    ledger.nodeChanges().resize(node, change.capacity());
    return changes;
  }

  private void remove(Change.RemoveNode change) {
    int node = ledger.nodes().node(change.node());
    if (ledger.placements().count(node) > 0) {
      throw new InvalidInputException(
          Thing.node(change.node()),
          "workloads",
          ledger.placements().count(node) + " placed",
          "none, when a node is removed; release them first");
    }
    ledger.nodeChanges().remove(node);
  }

  private void assign(Change.Assign change) {
    int node = ledger.nodes().node(change.node());
    fleet.checkKnownTo(List.of(change.workload()));
    Batch batch = ledger.open(List.of(change.workload()));
    try {
      batch.load(0, demand);
      checkFits(node, demand, "node");
      ledger.place(batch.entry(0), node, demand);
    } finally {
      batch.close();
    }
  }

  private void move(Change.Move change) {
    int entry = ledger.placements().entryOf(change.workload());
    int from = ledger.placements().nodeOf(entry);
    int to = ledger.nodes().node(change.to());
    if (from != ledger.nodes().node(change.from())) {
      throw new InvalidInputException(
          Thing.workload(change.workload()),
          "from",
          "'" + change.from() + "'",
          "the node that it is on, '" + ledger.nodes().nodeName(from) + "'");
    }
    if (from == to) {
      throw new InvalidInputException(
          Thing.workload(change.workload()),
          "to",
          "'" + change.to() + "'",
          "another node than the one that it is on");
    }
    int before = ledger.savepoint();
    int position = ledger.lastPlaced();
    ledger.remove(entry, ledger.load(entry, demand));
    try {
      checkFits(to, ledger.load(entry, demand), "to");
    } catch (DoesNotFit wrong) {
      ledger.rollBack(before);
      throw wrong;
    }
    ledger.place(entry, to, demand);
    ledger.lastPlaced(position);
  }

  private void checkFits(int node, Demand needed, String field) {
    if (!fleet.finder().fits(node, needed)) {
      throw new DoesNotFit(
          needed.workload().name(),
          field,
          ledger.nodes().nodeName(node),
          explainer.broken(node, needed));
    }
  }

  /** A workload does not fit the node that the caller chose for it. */
  static final class DoesNotFit extends InvalidInputException {
    private static final long serialVersionUID = 1L;

    final transient List<Reason> reasons;

    DoesNotFit(String workload, String field, String node, List<Reason> reasons) {
      super(
          Thing.workload(workload),
          field,
          "'" + node + "', which it does not fit: " + reasons,
          "a node that it fits");
      this.reasons = reasons;
    }
  }
}
