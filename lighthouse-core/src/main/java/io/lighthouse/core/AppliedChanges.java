package io.lighthouse.core;

import io.lighthouse.api.Change;
import io.lighthouse.api.Reason;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.view.FleetView;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Changes as values, each carried out on a ledger whole, or refused before anything has changed.
 */
final class AppliedChanges implements Change.Cases<Boolean> {
  private final Ledger ledger;
  private final FleetView fleet;

  AppliedChanges(Ledger ledger, FleetView fleet) {
    this.ledger = ledger;
    this.fleet = fleet;
  }

  /** Carries out one change; returns whether it has changed anything. */
  boolean carryOut(Change change) {
    return change.match(this);
  }

  // ---- nodes ----

  @Override
  public Boolean addNode(Change.AddNode change) {
    fleet.checkKnownToPlaced(change.node().workloads());
    ledger.nodeChanges().add(List.of(change.node()));
    return true;
  }

  @Override
  public Boolean removeNode(Change.RemoveNode change) {
    int node = ledger.nodes().node(change.node());
    if (ledger.placements().count(node) > 0) {
      throw new InvalidInputException(
          Thing.node(change.node()),
          "workloads",
          ledger.placements().count(node) + " placed",
          "none, when a node is removed; release them first");
    }
    ledger.nodeChanges().remove(node);
    return true;
  }

  @Override
  public Boolean resize(Change.Resize change) {
    return ledger.nodeChanges().resize(ledger.nodes().node(change.node()), change.capacity());
  }

  @Override
  public Boolean cordon(Change.Cordon change) {
    return ledger.nodeChanges().cordon(ledger.nodes().node(change.node()), true);
  }

  @Override
  public Boolean uncordon(Change.Uncordon change) {
    return ledger.nodeChanges().cordon(ledger.nodes().node(change.node()), false);
  }

  // ---- domains ----

  @Override
  public Boolean declare(Change.Declare change) {
    ledger.domainChanges().declare(change.domain());
    return true;
  }

  @Override
  public Boolean undeclare(Change.Undeclare change) {
    ledger.domainChanges().undeclare(change.level(), change.domain());
    return true;
  }

  @Override
  public Boolean resizeDomain(Change.ResizeDomain change) {
    return ledger.domainChanges().resize(change.level(), change.domain(), change.capacity());
  }

  @Override
  public Boolean cordonDomain(Change.CordonDomain change) {
    return ledger.domainChanges().cordon(change.level(), change.domain(), change.cordoned());
  }

  // ---- workloads ----

  @Override
  public Boolean release(Change.Release change) {
    ledger.release(new int[] {ledger.placements().entryOf(change.workload())});
    return true;
  }

  @Override
  public Boolean regroup(Change.Regroup change) {
    int entry = ledger.placements().entryOf(change.workload());
    if (ledger.placements().workload(entry).terms().groups().equals(change.groups())) {
      return false;
    }
    ledger.regroup(entry, change.groups());
    return true;
  }

  @Override
  public Boolean assign(Change.Assign change) {
    int node = ledger.nodes().node(change.node());
    fleet.checkKnownToPlaced(List.of(change.workload()));
    Batch batch = Batch.open(ledger, List.of(change.workload()));
    try {
      Demand demand = batch.demand(0);
      checkFits(node, demand, "node");
      ledger.place(batch.entry(0), node, demand);
    } finally {
      batch.close();
    }
    return true;
  }

  @Override
  public Boolean move(Change.Move change) {
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
    ledger.remove(entry, ledger.demand(entry));
    Demand demand = ledger.demand(entry);
    try {
      checkFits(to, demand, "to");
    } catch (InvalidInputException wrong) {
      ledger.rollBack(before);
      fleet.checkKnownToPlaced(
          List.of(ledger.placements().workload(entry))); // It names the workload.
      throw wrong;
    }
    ledger.place(entry, to, demand);
    ledger.lastPlaced(position);
    return true;
  }

  private void checkFits(int node, Demand needed, String field) {
    try (Query query = fleet.finder().bind(needed)) {
      if (!query.fits(node)) {
        throw new DoesNotFit(
            needed.workload().name(),
            field,
            ledger.nodes().nodeName(node),
            fleet.explainer().broken(node, query));
      }
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
          "'" + node + "', which it does not fit (" + words(reasons) + ")",
          "a node that it fits");
      this.reasons = reasons;
    }

    /** Such as {@code short cpu, crowded web at zone}. */
    private static String words(List<Reason> reasons) {
      return reasons.stream()
          .map(
              reason ->
                  reason.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                      + (reason.about().isEmpty() ? "" : " " + reason.about())
                      + reason.level().map(level -> " at " + level).orElse(""))
          .collect(Collectors.joining(", "));
    }
  }
}
