package io.lighthouse.core.search;

import io.lighthouse.api.Rubric;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.constraint.NamedRules;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.constraint.Within;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.index.DomainNodes;
import io.lighthouse.core.index.IndexCost;
import io.lighthouse.core.index.IndexPart;
import io.lighthouse.core.index.PossibleNodes;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.order.ScoreOrder;
import io.lighthouse.core.order.Scores;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.Set;

/**
 * Finds the nodes that fit a workload, friendly ones first.
 *
 * <p>Each query scans all nodes ({@link Scan}) until there is an index ({@link IndexKeeper}). Then
 * the index answers it ({@link NodeIndex}). One pass serves friendly and averse nodes: until a
 * friendly node is found, the first averse one that fits is kept. A search returns the slot of a
 * node, or {@link NodeTable#NONE}.
 */
public final class Finder {
  /** With assertions on, plain scans of at most this many nodes also check the index. */
  static final int ASSERTED_NODES = 2048;

  private final Ledger ledger;

  final IndexKeeper keeper;

  /** A finder that follows a ledger from now on. */
  public Finder(Ledger ledger, NamedRules named) {
    this(ledger, IndexCost.SCANS, named, EnumSet.allOf(IndexPart.class));
  }

  /**
   * A finder without plug-ins.
   *
   * @param scans what an index costs, in scans of all nodes; 0 builds it at once
   */
  Finder(Ledger ledger, int scans) {
    this(ledger, scans, NamedRules.NONE, EnumSet.allOf(IndexPart.class));
  }

  /** A finder that uses only some parts of an index. */
  Finder(Ledger ledger, int scans, NamedRules named, Set<IndexPart> parts) {
    this.ledger = ledger;
    keeper = new IndexKeeper(ledger, scans, named, parts);
  }

  /** Returns an order that is kept up to date from now on, the same one for an equal rubric. */
  public ScoreOrder orderBy(Rubric rubric) {
    return keeper.orderBy(rubric);
  }

  /** Reads what a batch requires, to learn from it. Affects cost only. */
  public void expect(Batch batch) {
    keeper.expect(batch);
  }

  Ledger ledger() {
    return ledger;
  }

  /** The nodes by domain. */
  public DomainNodes domainNodes() {
    return keeper.constraints.domainNodes;
  }

  /** The nodes that are possible for a workload, by its shape. */
  public PossibleNodes possibleNodes() {
    return keeper.constraints.possible;
  }

  // ---- queries ----

  /** Binds a demand. The caller must close the query. */
  public Query bind(Demand demand) {
    return bind(demand, Within.FLEET);
  }

  /** Binds a demand that is confined to domains. The caller must close the query. */
  public Query bind(Demand demand, Within within) {
    return keeper.constraints.bind(demand, Query.Mode.HARD, within);
  }

  /** Whether a workload fits a node, for a single question about it. */
  public boolean fits(int node, Demand demand) {
    try (Query query = bind(demand)) {
      return query.fits(node);
    }
  }

  /** Whether a node is averse to a workload, for a single question about it. */
  public boolean averse(int node, Demand demand) {
    try (Query query = bind(demand)) {
      return query.averse(node);
    }
  }

  /**
   * The first friendly node that fits, from a node on, wrapping round once. If there is none, the
   * first averse one that fits.
   *
   * @param from the slot to begin at, from 0 to the number of slots
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
    int found = best(query).nextSetBit(from);
    return found == NodeTable.NONE ? best(query).nextSetBit(0) : found;
  }

  /**
   * Binds the demand of a query again, with its preferences as hard rules. A friendly node that
   * fits is among the best by preferences then. The caller must close the other query.
   */
  public Query strict(Query query) {
    return keeper.constraints.bind(query.demand(), Query.Mode.PREFERENCES_REQUIRED, query.within());
  }

  /** The same without regard to preferences. */
  private int firstFitting(Query query, int from) {
    int nodes = ledger.nodes().slotCount();
    NodeIndex index = keeper.index();
    if (index == null) {
      int found = Scan.first(query, Scan.from(from, ledger), null, false);
      boolean whole = found == NodeTable.NONE || query.averse(found);
      keeper.read(whole ? nodes : Math.floorMod(found - from, nodes) + 1);
      return found;
    }
    int found = index.first(query, from);
    assert nodes > ASSERTED_NODES
            || found == Scan.first(query, Scan.from(from, ledger), null, false)
            || isFaultOfRule(query)
        : unlike(found, query);
    return found;
  }

  /**
   * The first friendly node that fits, in a kept order. If there is none, the first averse one that
   * fits.
   *
   * @param descending whether from its other end
   */
  public int first(Query query, ScoreOrder order, boolean descending) {
    if (query.demand().requiresMissingResource()) {
      return NodeTable.NONE;
    }
    keeper.orders.keep(order);
    if (!query.hasPreferences()) {
      return firstFitting(query, order, descending);
    }
    try (Query strict = strict(query)) {
      int found = firstFitting(strict, order, descending);
      if (found != NodeTable.NONE && !strict.averse(found)) {
        return found;
      }
    }
    BitSet nodes = best(query);
    Scores scores = order.scores();
    int first = NodeTable.NONE;
    for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
      first = Scan.earlier(scores, node, first, descending);
    }
    return first;
  }

  private int firstFitting(Query query, ScoreOrder order, boolean descending) {
    NodeIndex index = keeper.indexForBatch();
    if (index == null) {
      keeper.read(ledger.nodes().slotCount());
      return Scan.first(query, Scan.from(0, ledger), order.scores(), descending);
    }
    int found;
    int rare = index.rarest(query.demand());
    if (rare >= 0) {
      found = Scan.first(query, index.few(rare, 0), order.scores(), descending);
    } else if (keeper.hasBlocks(order)) {
      found = firstByBlocks(index, query, order, descending);
    } else {
      found = Scan.first(query, Scan.from(0, ledger), order.scores(), descending);
    }
    assert ledger.nodes().slotCount() > ASSERTED_NODES
            || found == Scan.first(query, Scan.from(0, ledger), order.scores(), descending)
            || isFaultOfRule(query)
        : unlike(found, query);
    return found;
  }

  private int firstByBlocks(NodeIndex index, Query query, ScoreOrder order, boolean descending) {
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

  /**
   * The next candidate from a slot on, inclusive, without wrapping. Candidates are the best, by the
   * workload's preferences, of the nodes that fit. On request, averse nodes are skipped.
   */
  public int nextCandidate(Query query, int from, boolean friendlyOnly) {
    return query.hasPreferences() ? best(query).nextSetBit(from) : next(query, from, friendlyOnly);
  }

  /** Whether a node that fits is a candidate. */
  public boolean isCandidate(Query query, int node, boolean friendlyOnly) {
    if (!query.hasPreferences()) {
      return !friendlyOnly || !query.averse(node);
    }
    // A friendly node that satisfies all preferences is among the best.
    return query.preferences.admits(node) && !query.averse(node) || isBest(query, node);
  }

  /** Whether a node is among the best by the preferences of a workload. */
  boolean isBest(Query query, int node) {
    return best(query).get(node);
  }

  /**
   * The slots of the candidates of a workload with preferences. Friendly nodes that fit go before
   * averse ones; of these, the candidates are the best by the preferences. They are gathered once
   * per query, which costs one pass over the nodes that fit.
   */
  private BitSet best(Query query) {
    if (query.candidates() == null) {
      BitSet friendly = fitting(query, true);
      BitSet nodes = friendly.isEmpty() ? fitting(query, false) : friendly;
      query.preferences.narrow(nodes);
      query.candidates(nodes);
    }
    return query.candidates();
  }

  private BitSet fitting(Query query, boolean friendly) {
    BitSet nodes = new BitSet();
    for (int node = next(query, 0, friendly);
        node != NodeTable.NONE;
        node = next(query, node + 1, friendly)) {
      nodes.set(node);
    }
    return nodes;
  }

  /** The next node that fits from a slot on, inclusive, without wrapping. */
  public int next(Query query, int from, boolean friendlyOnly) {
    if (query.demand().requiresMissingResource()) {
      return NodeTable.NONE;
    }
    int nodes = ledger.nodes().slotCount();
    NodeIndex index = keeper.index();
    if (index == null) {
      int found = Scan.next(query, from, friendlyOnly, nodes);
      keeper.read((found == NodeTable.NONE ? nodes : found) - from);
      return found;
    }
    int found = index.next(query, from, friendlyOnly);
    assert nodes > ASSERTED_NODES
            || found == Scan.next(query, from, friendlyOnly, nodes)
            || isFaultOfRule(query)
        : unlike(found, query);
    return found;
  }

  /**
   * For assertions that compare two searches: throws where a rule of a plug-in judges a node
   * differently each time.
   *
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
   * @param into where the bit of each of them is set, by slot; long enough for all slots
   * @return how many there are; {@link NodeTable#NONE} where this is not known: without an index,
   *     or for a workload that prefers some nodes
   */
  public int mayFit(Query query, boolean friendlyOnly, long[] into) {
    NodeIndex index = query.demand().requiresMissingResource() ? null : keeper.index();
    return index != null && !query.hasPreferences()
        ? index.mayFit(query, friendlyOnly, into)
        : NodeTable.NONE;
  }

  // ---- the index ----

  /** Prepares a pass over all nodes: builds the index if it is worth its cost. */
  void index() {
    if (keeper.index() == null) {
      keeper.read(ledger.nodes().slotCount());
    }
  }

  // ---- audit ----

  /** Compares the index and the kept orders with the accounts. */
  public void audit(Audit audit) {
    keeper.audit(audit);
  }
}
