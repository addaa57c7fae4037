package io.lighthouse.core.feasibility;

import io.lighthouse.api.Rubric;
import io.lighthouse.core.ledger.Audit;
import io.lighthouse.core.ledger.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.LedgerListener;
import io.lighthouse.core.ledger.NodeTable;

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
public final class Finder implements LedgerListener {
  /** How many recent changes are remembered; a power of two. */
  static final int RECENT = 64;

  /** The cost of building an index, in scans of all nodes. */
  static final int PATIENCE = 16;

  /** Expected rescans of the same nodes in a long batch whose queries start at the first node. */
  private static final long AGAIN = 4;

  /** With assertions on, plain scans of at most this many nodes also check the index. */
  private static final int ASSERTED_NODES = 2048;

  private final Ledger ledger;
  private final int patience;
  private final KeptOrders orders;
  private final NeedSample sample;
  private final Scan scan;

  /** The candidates of a workload with preferences. */
  private final BestNodes best;

  private final Constraints constraints;

  /** Null before it is built. */
  private NodeIndex index;

  /** Nodes read since there is no index. */
  private long work;

  /** The number of workloads in the last batch, which is the number of queries to expect. */
  private int expected;

  private long changes;
  private long givenBack;

  /** The nodes that the last changes were on, by change modulo its length. */
  private final int[] recent = new int[RECENT];

  /**
   * A finder that follows a ledger from now on.
   *
   * @param ledger the accounts
   * @param named the rules of plug-ins
   */
  public Finder(Ledger ledger, NamedRules named) {
    this(ledger, PATIENCE, named);
  }

  /**
   * A finder without plug-ins.
   *
   * @param ledger the accounts
   * @param patience how many scans of all nodes come before the index; 0 builds it at once
   */
  Finder(Ledger ledger, int patience) {
    this(ledger, patience, NamedRules.NONE);
  }

  private Finder(Ledger ledger, int patience, NamedRules named) {
    this.ledger = ledger;
    this.patience = patience;
    constraints = new Constraints(ledger, named);
    scan = new Scan(ledger, constraints);
    best = new BestNodes(ledger, this, constraints);
    sample = new NeedSample(ledger);
    orders = new KeptOrders(ledger);
    ledger.listen(this);
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
      order = new ScoreOrder(rubric, ledger, this);
      keep(order);
    }
    return order;
  }

  /** Keeps an order up to date, starting now if it is not kept yet. */
  void keep(ScoreOrder order) {
    orders.keep(order, index == null ? null : index.levels());
  }

  /**
   * Reads what a batch requires, to learn from it. Affects cost only.
   *
   * @param batch an open batch
   */
  public void expect(Batch batch) {
    sample.take(batch);
    expected = batch.size();
  }

  Ledger ledger() {
    return ledger;
  }

  Constraints constraints() {
    return constraints;
  }

  BestNodes best() {
    return best;
  }

  // ---- queries ----

  /**
   * Whether a workload fits a node, exactly.
   *
   * @param node the index of a node
   * @param demand what the workload needs
   * @return true if no hard rule rejects it
   */
  public boolean fits(int node, Demand demand) {
    constraints.take(demand);
    return constraints.admits(node);
  }

  /**
   * Whether a node holds a workload that shares an aversion group with this one.
   *
   * @param node the index of a node
   * @param demand what the workload needs
   * @return true if the node is averse to it
   */
  public boolean averse(int node, Demand demand) {
    if (demand.antiAffinityHolders().isEmpty()) {
      return false;
    }
    constraints.take(demand);
    return constraints.averse(node);
  }

  /**
   * The first friendly node that fits, from a node on, wrapping round once. If there is none, the
   * first averse one that fits.
   *
   * @param demand what the workload needs
   * @param from the index of the node to begin at, from 0 to the number of nodes
   * @return the index of a node, or {@link NodeTable#NONE}
   */
  public int first(Demand demand, int from) {
    if (demand.requiresMissingResource()) {
      return NodeTable.NONE;
    }
    constraints.take(demand);
    if (!constraints.narrows()) {
      return firstFitting(demand, from);
    }
    // A node that satisfies all preferences is among the best. If there is none, all are compared.
    constraints.insist(true);
    constraints.take(demand);
    int found = firstFitting(demand, from);
    boolean best = found != NodeTable.NONE && !averse(found, demand);
    constraints.insist(false);
    return best ? found : this.best.first(demand, from);
  }

  /** The same without regard to preferences; the rules have prepared the demand. */
  private int firstFitting(Demand demand, int from) {
    int nodes = ledger.nodes().slotCount();
    if (!ready(enough())) {
      int found = scan.first(from);
      boolean whole = found == NodeTable.NONE || constraints.averse(found);
      int looks = whole ? nodes : Math.floorMod(found - from, nodes) + 1;
      work += from == 0 && expected >= nodes ? AGAIN * looks : looks;
      return found;
    }
    int found = index.first(demand, from);
    assert ledger.nodes().slotCount() > ASSERTED_NODES || found == scan.first(from)
        : "index says " + found + " for " + demand.workload() + " from " + from;
    return found;
  }

  /**
   * The first friendly node that fits, in a kept order. If there is none, the first averse one that
   * fits.
   *
   * @param demand what the workload needs
   * @param order the order
   * @param descending whether from its other end
   * @return the index of a node, or {@link NodeTable#NONE}
   */
  public int first(Demand demand, ScoreOrder order, boolean descending) {
    if (demand.requiresMissingResource()) {
      return NodeTable.NONE;
    }
    keep(order);
    constraints.take(demand);
    if (!constraints.narrows()) {
      return firstFitting(demand, order, descending);
    }
    constraints.insist(true);
    constraints.take(demand);
    int found = firstFitting(demand, order, descending);
    boolean best = found != NodeTable.NONE && !averse(found, demand);
    constraints.insist(false);
    return best ? found : this.best.first(demand, order.scores(), descending);
  }

  private int firstFitting(Demand demand, ScoreOrder order, boolean descending) {
    // Without blocks every query reads all nodes, so a long batch builds them at once.
    long enough = expected < patience ? enough() : 0;
    if (!ready(enough)) {
      work += ledger.nodes().slotCount();
      return scan.first(order.scores(), descending);
    }
    int found;
    int rare = index.rarest(demand);
    if (rare >= 0 || !order.ready(index.levels(), orders::names, enough)) {
      found = firstByComparing(demand, order.scores(), rare, descending);
    } else {
      found = firstByBlocks(demand, order, descending);
    }
    assert ledger.nodes().slotCount() > ASSERTED_NODES
            || found == scan.first(order.scores(), descending)
        : "order says " + found + " for " + demand.workload();
    return found;
  }

  private int firstByBlocks(Demand demand, ScoreOrder order, boolean descending) {
    int bound = index.bound(demand);
    if (bound >= ledger.nodes().slotCount()) {
      return NodeTable.NONE;
    }
    boolean friends = constraints.prefers() && index.hasFriend();
    if (index.nameRowsAreEmpty()) {
      index.learnNone(bound);
      return NodeTable.NONE;
    }
    long missed = order.misses();
    int found = order.first(demand, this, friends, descending);
    index.missed(order.misses() - missed);
    if (found == NodeTable.NONE) {
      index.learnNone(bound);
    }
    return found;
  }

  /** Compares all nodes that fit, or only the few that have a rare resource. */
  private int firstByComparing(Demand demand, Scores scores, int rare, boolean descending) {
    int best = NodeTable.NONE;
    int first = rare >= 0 ? index.firstOfFew(rare, 0) : firstFitting(demand, 0);
    boolean friendly = first != NodeTable.NONE && !constraints.averse(first);
    if (rare >= 0) {
      RareNames rareNames = index.rareNames();
      for (int i = 0; i < rareNames.count(rare); i++) {
        int node = rareNames.node(rare, i);
        if (constraints.admits(node) && !(friendly && constraints.averse(node))) {
          best = Scan.earlier(scores, node, best, descending);
        }
      }
      return best;
    }
    for (int node = first; node != NodeTable.NONE; node = next(demand, node + 1, friendly)) {
      best = Scan.earlier(scores, node, best, descending);
    }
    return best;
  }

  /**
   * The next candidate, without wrapping. Candidates are the best, by the workload's preferences,
   * of the nodes that fit. On request, averse nodes are skipped.
   *
   * @param demand what the workload needs
   * @param from the slot to begin at
   * @param friendlyOnly whether averse nodes are skipped
   * @return the slot of a node, or {@link NodeTable#NONE}
   */
  public int nextCandidate(Demand demand, int from, boolean friendlyOnly) {
    constraints.take(demand);
    return constraints.narrows() ? best.next(demand, from) : next(demand, from, friendlyOnly);
  }

  /**
   * Whether a node that fits is a candidate.
   *
   * @param node the slot of a node that the workload fits
   * @param demand what the workload needs
   * @param friendlyOnly whether averse nodes are excluded
   * @return true if it is one
   */
  public boolean isCandidate(int node, Demand demand, boolean friendlyOnly) {
    constraints.take(demand);
    return constraints.narrows()
        ? best.has(demand, node)
        : !friendlyOnly || !constraints.averse(node);
  }

  /**
   * Confines all workloads to domains of a level, until {@link #liftConfinement}.
   *
   * @param level the name of a level
   * @param domain the slot of the one domain; -1 for any that has not been tried
   * @param tried by domain, whether it has been tried
   */
  public void confine(String level, int domain, boolean[] tried) {
    constraints.confine(level, domain, tried);
  }

  /** Ends what {@link #confine} began. */
  public void liftConfinement() {
    constraints.liftConfinement();
  }

  /**
   * The next node that fits, without wrapping.
   *
   * @param demand what the workload needs
   * @param from the index of the node to begin at
   * @param friendlyOnly whether averse nodes are skipped
   * @return the index of a node, or {@link NodeTable#NONE}
   */
  public int next(Demand demand, int from, boolean friendlyOnly) {
    if (demand.requiresMissingResource()) {
      return NodeTable.NONE;
    }
    constraints.take(demand);
    int nodes = ledger.nodes().slotCount();
    if (!ready(enough())) {
      int found = scan.next(from, friendlyOnly);
      work += (found == NodeTable.NONE ? nodes : found) - from;
      return found;
    }
    int found = index.next(demand, from, friendlyOnly);
    assert nodes > ASSERTED_NODES || found == scan.next(from, friendlyOnly)
        : "index says " + found + " for " + demand.workload() + " from " + from;
    return found;
  }

  /**
   * The nodes that a workload may fit, by the index: all that it fits, and a few others.
   *
   * @param demand what the workload needs
   * @param friendlyOnly whether averse nodes are skipped
   * @param into where the bit of each of them is set, by slot; long enough for all slots
   * @return how many there are; {@link NodeTable#NONE} where this is not
   *     known: without an index, or for a workload that prefers some nodes
   */
  public int mayFit(Demand demand, boolean friendlyOnly, long[] into) {
    if (demand.requiresMissingResource()) {
      return NodeTable.NONE;
    }
    constraints.take(demand);
    return ready(enough()) && !constraints.narrows()
        ? index.mayFit(demand, friendlyOnly, into)
        : NodeTable.NONE;
  }

  // ---- the index ----

  /** Prepares a pass over all nodes: builds the index if it is worth its cost. */
  void index() {
    if (!ready(enough())) {
      work += ledger.nodes().slotCount();
    }
  }

  /** The number of nodes read that justifies an index. */
  private long enough() {
    return (long) patience * ledger.nodes().slotCount();
  }

  /** Whether there is an index. Builds it once enough nodes have been read without one. */
  private boolean ready(long enough) {
    if (index == null) {
      if (work < enough || ledger.nodes().nodeCount() == 0) {
        return false;
      }
      learn();
    } else if (index.rareNames().many()) {
      constraints.reshaped();
      learn();
    } else if (index.isStale(sample)) {
      learn();
    }
    return true;
  }

  private void learn() {
    index = new NodeIndex(ledger, constraints, sample, patience == 0);
    orders.relevelled();
  }

  // ---- following the ledger ----

  /** How many placements and releases there have been. */
  long changes() {
    return changes;
  }

  /** How often something has been released. */
  long givenBack() {
    return givenBack;
  }

  /** The node of a change, which is one of the last {@link #RECENT}. */
  int settledAt(long change) {
    return recent[(int) (change & (RECENT - 1))];
  }

  @Override
  public void charged(int node, Demand demand, int times) {
    recent[(int) (changes++ & (RECENT - 1))] = node;
    constraints.charged(node, demand, times);
    boolean gives = times < 0 || demand.hasNegativeNeed();
    if (gives) {
      givenBack++;
    }
    if (index != null) {
      if (gives) {
        index.loosened();
      }
      orders.settled(node);
    }
  }

  @Override
  public void cordonChanged(int node) {
    changes++;
    givenBack++;
    constraints.cordonChanged(node);
    if (index != null) {
      index.loosened();
    }
  }

  /** Notes that what did not fit may fit now, though nothing was released on a node. */
  @Override
  public void loosened() {
    changes++;
    givenBack++;
    constraints.loosened();
    if (index != null) {
      index.loosened();
    }
  }

  @Override
  public void nodeAdded(int node) {
    changes++;
    givenBack++;
    constraints.nodeCame(node);
    if (index != null) {
      index.nodeCame(node);
    }
    orders.nodeCame(node);
  }

  @Override
  public void nodeRemoving(int node) {
    changes++;
    givenBack++;
    if (index != null) {
      orders.nodeLeaving(node);
    }
    constraints.nodeLeaving(node);
  }

  @Override
  public void reshaped() {
    changes++;
    givenBack++;
    constraints.reshaped();
    index = null;
    work = 0;
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
      index.audit(audit, ledger);
    }
  }
}
