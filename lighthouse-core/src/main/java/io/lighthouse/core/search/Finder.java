package io.lighthouse.core.search;

import io.lighthouse.api.Rubric;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.constraint.Constraints;
import io.lighthouse.core.constraint.NamedRules;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.constraint.Within;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.index.DomainNodes;
import io.lighthouse.core.index.IndexCost;
import io.lighthouse.core.index.IndexPart;
import io.lighthouse.core.index.NeedSample;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.LedgerListener;
import io.lighthouse.core.ledger.PlacementListener;
import io.lighthouse.core.order.KeptOrders;
import io.lighthouse.core.order.ScoreOrder;
import io.lighthouse.core.order.Scores;
import java.util.EnumSet;
import java.util.Set;

/**
 * Finds the nodes that fit a workload, friendly ones first.
 *
 * <p>Each query scans all nodes ({@link Scan}) until as many nodes have been read as an index costs
 * to build. Then the index is built ({@link NodeIndex}) and answers the queries. One pass serves
 * friendly and averse nodes: until a friendly node is found, the first averse one that fits is
 * kept.
 *
 * <p>The ledger notifies the finder of every change. The index follows, also when nodes are added,
 * removed or resized. It is dropped when many nodes are added at once, slots are renumbered, or a
 * scale changes. Then scans start again and count towards a new index.
 */
public final class Finder implements LedgerListener, PlacementListener {
  /** With assertions on, plain scans of at most this many nodes also check the index. */
  static final int ASSERTED_NODES = 2048;

  private final Ledger ledger;

  /** What building an index costs, in scans of all nodes. */
  private final int scans;

  /** When the index pays. */
  private final IndexCost cost;

  private final Set<IndexPart> parts;
  private final KeptOrders orders;
  private final NeedSample sample;
  private final Scan scan;

  /** The candidates of a workload with preferences. */
  private final BestNodes best;

  private final Constraints constraints;

  /** Null before it is built. */
  private NodeIndex index;

  /** The number of workloads in the last batch. */
  private int batchSize;

  /**
   * A finder that follows a ledger from now on.
   *
   * @param ledger the accounts
   * @param named the rules of plug-ins
   */
  public Finder(Ledger ledger, NamedRules named) {
    this(ledger, IndexCost.SCANS, named, EnumSet.allOf(IndexPart.class));
  }

  /**
   * A finder without plug-ins.
   *
   * @param ledger the accounts
   * @param scans what an index costs, in scans of all nodes; 0 builds it at once
   */
  Finder(Ledger ledger, int scans) {
    this(ledger, scans, NamedRules.NONE, EnumSet.allOf(IndexPart.class));
  }

  /** A finder that uses only some parts of an index. */
  Finder(Ledger ledger, int scans, NamedRules named, Set<IndexPart> parts) {
    this.parts = parts;
    this.ledger = ledger;
    this.scans = scans;
    cost = new IndexCost(scans);
    constraints = new Constraints(ledger, named, parts.contains(IndexPart.NAMES));
    scan = new Scan(ledger);
    best = new BestNodes(ledger, this);
    sample = new NeedSample(ledger);
    orders = new KeptOrders(ledger);
    ledger.listen(this);
    ledger.listenToPlacements(this);
  }

  /**
   * Returns an order that is kept up to date from now on.
   *
   * @param rubric the weights
   * @return the order; the same one for an equal rubric
   */
  public ScoreOrder orderBy(Rubric rubric) {
    ScoreOrder order = orders.find(rubric);
    if (order == null) {
      order = new ScoreOrder(rubric, ledger, this::keep, scans, uses(IndexPart.RUN_MEMO));
      keep(order);
    }
    return order;
  }

  /** Keeps an order up to date, starting now if it is not kept yet. */
  void keep(ScoreOrder order) {
    orders.keep(order);
  }

  /**
   * Reads what a batch requires, to learn from it. Affects cost only.
   *
   * @param batch an open batch
   */
  public void expect(Batch batch) {
    sample.take(batch);
    batchSize = batch.size();
  }

  /** Whether a part of the index is used. */
  boolean uses(IndexPart part) {
    return parts.contains(part);
  }

  Ledger ledger() {
    return ledger;
  }

  Constraints constraints() {
    return constraints;
  }

  /**
   * The nodes by domain.
   *
   * @return the lists that follow the ledger
   */
  public DomainNodes domainNodes() {
    return constraints.standing;
  }

  BestNodes best() {
    return best;
  }

  // ---- queries ----

  /**
   * Binds a demand.
   *
   * @param demand what a workload needs
   * @return its query, which the caller must close
   */
  public Query bind(Demand demand) {
    return bind(demand, Within.FLEET);
  }

  /**
   * Binds a demand that is confined to domains.
   *
   * @param demand what a workload needs
   * @param within the domains
   * @return its query, which the caller must close
   */
  public Query bind(Demand demand, Within within) {
    return constraints.bind(demand, Query.Mode.HARD, within);
  }

  /**
   * Whether a workload fits a node, for a single question about it.
   *
   * @param node the slot of a node
   * @param demand what the workload needs
   * @return true if no hard rule rejects it
   */
  public boolean fits(int node, Demand demand) {
    try (Query query = bind(demand)) {
      return query.fits(node);
    }
  }

  /**
   * Whether a node is averse to a workload, for a single question about it.
   *
   * @param node the slot of a node
   * @param demand what the workload needs
   * @return true if the workload prefers other nodes to it
   */
  public boolean averse(int node, Demand demand) {
    try (Query query = bind(demand)) {
      return query.averse(node);
    }
  }

  /**
   * The first friendly node that fits, from a node on, wrapping round once. If there is none, the
   * first averse one that fits.
   *
   * @param query the query of a workload
   * @param from the index of the node to begin at, from 0 to the number of nodes
   * @return the slot of a node, or {@link NodeTable#NONE}
   */
  public int first(Query query, int from) {
    if (query.demand().requiresMissingResource()) {
      return NodeTable.NONE;
    }
    if (!query.hasPreferences()) {
      return firstFitting(query, from);
    }
    // A node that satisfies all preferences is among the best. If there is none, all are compared.
    try (Query strict = strict(query)) {
      int found = firstFitting(strict, from);
      if (found != NodeTable.NONE && !strict.averse(found)) {
        return found;
      }
    }
    return best.first(query, from);
  }

  /**
   * Binds the demand of a query again, with its preferences as hard rules. A friendly node that
   * fits is among the best by preferences then.
   *
   * @param query a query with preferences
   * @return the other query, which the caller must close
   */
  public Query strict(Query query) {
    return constraints.bind(query.demand(), Query.Mode.PREFERENCES_REQUIRED, query.within());
  }

  /** The same without regard to preferences. */
  private int firstFitting(Query query, int from) {
    int nodes = ledger.nodes().slotCount();
    if (!ready()) {
      int found = Scan.first(query, scan.from(from), null, false);
      boolean whole = found == NodeTable.NONE || query.averse(found);
      cost.read(whole ? nodes : Math.floorMod(found - from, nodes) + 1);
      return found;
    }
    int found = index.first(query, from);
    assert nodes > ASSERTED_NODES
            || found == Scan.first(query, scan.from(from), null, false)
            || isFaultOfRule(query)
        : unlike(found, query);
    return found;
  }

  /**
   * The first friendly node that fits, in a kept order. If there is none, the first averse one that
   * fits.
   *
   * @param query the query of a workload
   * @param order the order
   * @param descending whether from its other end
   * @return the slot of a node, or {@link NodeTable#NONE}
   */
  public int first(Query query, ScoreOrder order, boolean descending) {
    if (query.demand().requiresMissingResource()) {
      return NodeTable.NONE;
    }
    keep(order);
    if (!query.hasPreferences()) {
      return firstFitting(query, order, descending);
    }
    try (Query strict = strict(query)) {
      int found = firstFitting(strict, order, descending);
      if (found != NodeTable.NONE && !strict.averse(found)) {
        return found;
      }
    }
    return best.first(query, order.scores(), descending);
  }

  private int firstFitting(Query query, ScoreOrder order, boolean descending) {
    // Without blocks, every search of the batch reads all nodes.
    if (!ready(batchSize)) {
      cost.read(ledger.nodes().slotCount());
      return Scan.first(query, scan.from(0), order.scores(), descending);
    }
    int found;
    int rare = index.rarest(query.demand());
    if (rare >= 0) {
      found = Scan.first(query, index.few(rare, 0), order.scores(), descending);
    } else if (!uses(IndexPart.KEPT_ORDERS)
        || !order.ready(index.levels(), orders::names, batchSize)) {
      found = firstByComparing(query, order.scores(), descending);
    } else {
      found = firstByBlocks(query, order, descending);
    }
    assert ledger.nodes().slotCount() > ASSERTED_NODES
            || found == Scan.first(query, scan.from(0), order.scores(), descending)
            || isFaultOfRule(query)
        : unlike(found, query);
    return found;
  }

  private int firstByBlocks(Query query, ScoreOrder order, boolean descending) {
    int bound = index.bound(query);
    if (bound >= ledger.nodes().slotCount()) {
      return NodeTable.NONE;
    }
    boolean friends = query.prefersFriendly() && index.hasFriend(query);
    if (index.nameRowsAreEmpty(query)) {
      index.learnNone(query, bound);
      return NodeTable.NONE;
    }
    int found = order.first(query, friends, descending);
    if (found == NodeTable.NONE) {
      index.learnNone(query, bound);
    }
    return found;
  }

  /** Compares all nodes that fit. */
  private int firstByComparing(Query query, Scores scores, boolean descending) {
    int best = NodeTable.NONE;
    int first = firstFitting(query, 0);
    boolean friendly = first != NodeTable.NONE && !query.averse(first);
    for (int node = first; node != NodeTable.NONE; node = next(query, node + 1, friendly)) {
      best = Scan.earlier(scores, node, best, descending);
    }
    return best;
  }

  /**
   * The next candidate, without wrapping. Candidates are the best, by the workload's preferences,
   * of the nodes that fit. On request, averse nodes are skipped.
   *
   * @param query the query of a workload
   * @param from the slot to begin at
   * @param friendlyOnly whether averse nodes are skipped
   * @return the slot of a node, or {@link NodeTable#NONE}
   */
  public int nextCandidate(Query query, int from, boolean friendlyOnly) {
    return query.hasPreferences() ? best.next(query, from) : next(query, from, friendlyOnly);
  }

  /**
   * Whether a node that fits is a candidate.
   *
   * @param query the query of a workload
   * @param node the slot of a node that the workload fits
   * @param friendlyOnly whether averse nodes are excluded
   * @return true if it is one
   */
  public boolean isCandidate(Query query, int node, boolean friendlyOnly) {
    if (!query.hasPreferences()) {
      return !friendlyOnly || !query.averse(node);
    }
    // A friendly node that satisfies all preferences is among the best.
    return query.preferences.admits(node) && !query.averse(node) || best.has(query, node);
  }

  /**
   * The next node that fits, without wrapping.
   *
   * @param query the query of a workload
   * @param from the index of the node to begin at
   * @param friendlyOnly whether averse nodes are skipped
   * @return the slot of a node, or {@link NodeTable#NONE}
   */
  public int next(Query query, int from, boolean friendlyOnly) {
    if (query.demand().requiresMissingResource()) {
      return NodeTable.NONE;
    }
    int nodes = ledger.nodes().slotCount();
    if (!ready()) {
      int found = scan.next(query, from, friendlyOnly);
      cost.read((found == NodeTable.NONE ? nodes : found) - from);
      return found;
    }
    int found = index.next(query, from, friendlyOnly);
    assert nodes > ASSERTED_NODES
            || found == scan.next(query, from, friendlyOnly)
            || isFaultOfRule(query)
        : unlike(found, query);
    return found;
  }

  /**
   * For assertions that compare two searches: throws where a rule of a plug-in judges a node
   * differently each time.
   *
   * @param query the query of both searches
   * @return false, so that the assertion fails where no rule is to blame
   * @throws io.lighthouse.api.rule.RuleException if a rule is to blame
   */
  public boolean isFaultOfRule(Query query) {
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      if (ledger.nodes().alive(node)) {
        query.verifyRules(node);
      }
    }
    return false;
  }

  private static String unlike(int found, Query query) {
    return "the index found " + found + " for " + query.demand().workload();
  }

  /**
   * The nodes that a workload may fit, by the index: all that it fits, and a few others.
   *
   * @param query the query of a workload
   * @param friendlyOnly whether averse nodes are skipped
   * @param into where the bit of each of them is set, by slot; long enough for all slots
   * @return how many there are; {@link NodeTable#NONE} where this is not known: without an index,
   *     or for a workload that prefers some nodes
   */
  public int mayFit(Query query, boolean friendlyOnly, long[] into) {
    return !query.demand().requiresMissingResource() && ready() && !query.hasPreferences()
        ? index.mayFit(query, friendlyOnly, into)
        : NodeTable.NONE;
  }

  // ---- the index ----

  /** Prepares a pass over all nodes: builds the index if it is worth its cost. */
  void index() {
    if (!ready()) {
      cost.read(ledger.nodes().slotCount());
    }
  }

  private boolean ready() {
    return ready(0);
  }

  /**
   * Whether there is an index. Builds it as soon as it pays.
   *
   * @param scansAhead how many searches are sure to read all nodes without it
   */
  private boolean ready(int scansAhead) {
    if (index == null) {
      if (!cost.pays(ledger.nodes().slotCount(), scansAhead) || ledger.nodes().nodeCount() == 0) {
        return false;
      }
      learn();
    } else if (index.rareNames().many()) {
      constraints.reshaped();
      learn();
    } else if (cost.newLevelsPay(index.levels(), sample)) {
      learn();
    }
    return true;
  }

  private void learn() {
    NeedSample learned = uses(IndexPart.AMOUNTS) ? sample : new NeedSample(ledger);
    index = new NodeIndex(ledger, constraints.resourceRows, learned, parts, scans == 0);
    cost.learned(ledger.nodes().slotCount());
    orders.relevelled();
  }

  // ---- following the ledger ----

  @Override
  public void charged(int node, Demand demand, int times) {
    constraints.charged(node, demand, times);
    if (index != null) {
      orders.settled(node);
      if (times < 0 || demand.hasNegativeNeed()) {
        index.loosened(node);
      }
    }
  }

  @Override
  public void cordonChanged(int node) {
    constraints.cordonChanged(node);
  }

  @Override
  public void loosened() {
    if (index != null) {
      index.loosened();
    }
  }

  @Override
  public void nodeAdded(int node) {
    constraints.nodeCame(node);
    orders.nodeCame(node);
  }

  @Override
  public void nodeRemoving(int node) {
    if (index != null) {
      orders.nodeLeaving(node);
    }
    constraints.nodeLeaving(node);
  }

  @Override
  public void reshaped() {
    constraints.reshaped();
    index = null;
    cost.dropped();
    orders.reshaped();
  }

  // ---- audit ----

  /**
   * Compares the index and the kept orders with the accounts.
   *
   * @param audit receives the differences
   */
  public void audit(Audit audit) {
    constraints.audit(audit);
    orders.audit(audit);
    if (index != null) {
      index.audit(audit);
    }
  }
}
