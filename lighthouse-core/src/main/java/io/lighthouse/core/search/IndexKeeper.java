package io.lighthouse.core.search;

import io.lighthouse.api.Rubric;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.constraint.Constraints;
import io.lighthouse.core.constraint.NamedRules;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.index.IndexCost;
import io.lighthouse.core.index.IndexPart;
import io.lighthouse.core.index.NeedSample;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.LedgerListener;
import io.lighthouse.core.ledger.PlacementListener;
import io.lighthouse.core.order.KeptOrders;
import io.lighthouse.core.order.ScoreOrder;
import java.util.Set;

/**
 * Builds the index of a ledger once it pays, and has it follow every change, together with the kept
 * orders and what the constraints keep.
 *
 * <p>The index pays when as many nodes have been read as it costs to build. It follows also when
 * nodes are added, removed or resized, and is built anew when their number has doubled. It is
 * dropped when many nodes are added at once, slots are renumbered, or a scale changes. Then nodes
 * that are read count towards a new index.
 */
final class IndexKeeper implements LedgerListener, PlacementListener {
  private final Ledger ledger;

  /** What building an index costs, in scans of all nodes. */
  private final int scans;

  /** When the index pays. */
  private final IndexCost cost;

  private final Set<IndexPart> parts;
  final Constraints constraints;
  final KeptOrders orders;
  private final NeedSample sample;

  /** Null before it is built. */
  private NodeIndex index;

  /** The number of workloads in the last batch. */
  private int batchSize;

  /**
   * Follows a ledger from now on.
   *
   * @param scans what an index costs, in scans of all nodes; 0 builds it at once
   */
  IndexKeeper(Ledger ledger, int scans, NamedRules named, Set<IndexPart> parts) {
    this.ledger = ledger;
    this.scans = scans;
    this.parts = parts;
    cost = new IndexCost(scans);
    constraints = new Constraints(ledger, named, parts.contains(IndexPart.NAMES));
    sample = new NeedSample(ledger);
    orders = new KeptOrders(ledger);
    ledger.listen(this);
    ledger.listenToPlacements(this);
  }

  // ---- building ----

  /** Reads what a batch requires, to learn from it. */
  void expect(Batch batch) {
    sample.take(batch);
    batchSize = batch.size();
  }

  /** Counts nodes that were read without the index. */
  void read(int nodes) {
    cost.read(nodes);
  }

  /** The index; null before it pays. */
  NodeIndex index() {
    return index(0);
  }

  /** The same, where without it every search of the last batch reads all nodes. */
  NodeIndex indexForBatch() {
    return index(batchSize);
  }

  private NodeIndex index(int scansAhead) {
    if (index == null) {
      if (cost.pays(ledger.nodes().slotCount(), scansAhead) && ledger.nodes().nodeCount() > 0) {
        learn();
      }
    } else if (index.rareNames().isOutdated()) {
      constraints.resourceRows.reshaped();
      learn();
    } else if (cost.newLevelsPay(index.levels(), sample)) {
      learn();
    }
    return index;
  }

  private void learn() {
    NeedSample learned = parts.contains(IndexPart.AMOUNTS) ? sample : new NeedSample(ledger);
    index = new NodeIndex(ledger, constraints, learned, parts, scans == 0);
    cost.learned(ledger.nodes().slotCount());
    orders.relevelled();
  }

  // ---- kept orders ----

  /** An order that is kept up to date from now on, the same one for an equal rubric. */
  ScoreOrder orderBy(Rubric rubric) {
    ScoreOrder order = orders.find(rubric);
    if (order == null) {
      order =
          new ScoreOrder(rubric, ledger, orders::keep, scans, parts.contains(IndexPart.RUN_MEMO));
      orders.keep(order);
    }
    return order;
  }

  /** Whether an order has blocks beside the index; builds them as soon as they pay. */
  boolean hasBlocks(ScoreOrder order) {
    return parts.contains(IndexPart.KEPT_ORDERS)
        && order.ready(index.levels(), orders::names, batchSize);
  }

  // ---- following the ledger ----

  @Override
  public void charged(int node, Demand demand, int times) {
    constraints.resourceRows.charged(node, demand, times);
    if (index != null) {
      orders.settled(node);
      if (times < 0 || demand.hasNegativeNeed()) {
        index.loosened(node);
      }
    }
  }

  @Override
  public void cordonChanged(int node) {
    constraints.openNodes.cordonChanged(node);
  }

  @Override
  public void loosened() {
    if (index != null) {
      index.loosened();
    }
  }

  @Override
  public void nodeAdded(int node) {
    constraints.openNodes.nodeAdded(node);
    constraints.resourceRows.nodeAdded(node);
    orders.nodeAdded(node);
  }

  @Override
  public void nodeRemoving(int node) {
    if (index != null) {
      orders.nodeRemoving(node);
    }
    constraints.openNodes.nodeRemoving(node);
    constraints.resourceRows.nodeRemoving(node);
  }

  @Override
  public void reshaped() {
    constraints.openNodes.reshaped();
    constraints.resourceRows.reshaped();
    index = null;
    cost.dropped();
    orders.reshaped();
  }

  // ---- audit ----

  /** Compares the index and the kept orders with the accounts. */
  void audit(Audit audit) {
    constraints.audit(audit);
    orders.audit(audit);
    if (index != null) {
      index.audit(audit);
    }
  }
}
