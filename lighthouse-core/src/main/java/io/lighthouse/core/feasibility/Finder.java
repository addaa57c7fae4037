package io.lighthouse.core.feasibility;

import io.lighthouse.api.Rubric;
import io.lighthouse.core.ledger.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.LedgerListener;
import io.lighthouse.core.ledger.NodeSet;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the nodes that fit a workload, friendly ones first.
 *
 * <p>A young fleet is scanned plainly. Once as many nodes have been looked at as an index costs to
 * build, it is built: rows of bits, one bit a node, for what is left of each common resource
 * ({@link Levels}), for names, cordons and negatives ({@link Eligibility}), and for the nodes free
 * of an aversion group ({@link NodeSet#free}). A question ANDs a few rows and checks what survives
 * exactly ({@link Constraints}), so that no row can make an answer wrong. Both passes of aversion
 * are one: while no friendly node is found, the first averse one that fits is kept.
 *
 * <p>The ledger tells of every change, and the rows follow, also of nodes that come, go or are
 * resized. The index is dropped, and earned again, when many nodes come at once, slots are numbered
 * anew, or a scale changes.
 */
public final class Finder implements LedgerListener {
  /** What a question answers where nothing fits. */
  public static final int NONE = -1;

  /** So many changes are remembered; a power of two. */
  static final int RECENT = 64;

  /** An index costs about as much as looking at every node so often. */
  private static final int PATIENCE = 16;

  /** Plain scans of at most so many nodes also check the index where assertions are on. */
  private static final int ASSERTED_NODES = 2048;

  /** So many orders are kept up to date. */
  static final int MOST_ORDERS = 16;

  /** A bound is remembered where it spares so many nodes, and one in 32 of the fleet. */
  private static final int WORTH = 512;

  private final Ledger ledger;
  private final int patience;
  private final List<ScoreOrder> orders = new ArrayList<>();

  /** Counts the questions put to orders. */
  private long asked;

  private final NeedSample sample;
  private final RowScan rows = new RowScan();
  private final Scan scan;

  /** The candidates of a workload with preferences. */
  private final BestNodes best;

  private final Constraints constraints;

  /** The index; all null while there is none. */
  private Levels levels;

  private RareNames rareNames;
  private BoundMemo bounds;

  /** The nodes by name; null while no order is kept in blocks. */
  private NameOrder names;

  /** Nodes looked at since there is no index. */
  private long work;

  /** Survivors that did not fit since the levels were learned, and how many are too many. */
  private long misses;

  private long tooManyMisses;

  /** How many workloads the last batch has, as many questions are to be expected. */
  private int expected;

  /** The first averse node that fits, of the search at hand. */
  private int averse;

  /** The first node with the resources for it that another rule forbids. */
  private int forbidden;

  /** How many rows there are before those of aversion, and whether all rules have added theirs. */
  private int base;

  private boolean allRows;

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

  /** One that builds its index after looking at every node so often; 0 for at once. No plug-ins. */
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
    ledger.listen(this);
  }

  /**
   * An order that is kept from now on.
   *
   * @param rubric the weights
   * @return the order; the same one for an equal rubric
   */
  public ScoreOrder orderBy(Rubric rubric) {
    for (ScoreOrder order : orders) {
      if (order.rubric().equals(rubric)) {
        return order;
      }
    }
    ScoreOrder order = new ScoreOrder(rubric, ledger, this);
    keep(order);
    return order;
  }

  /**
   * Keeps an order up to date from now on, and drops another one where there are too many: the one
   * least recently used. A dropped order is kept again as soon as it is asked.
   */
  void keep(ScoreOrder order) {
    order.used(asked++);
    if (order.kept()) {
      return;
    }
    order.keep();
    if (orders.size() < MOST_ORDERS) {
      orders.add(order);
      return;
    }
    int oldest = 0;
    for (int i = 1; i < orders.size(); i++) {
      if (orders.get(i).lastUse() < orders.get(oldest).lastUse()) {
        oldest = i;
      }
    }
    orders.set(oldest, order).drop(levels);
  }

  /** How many orders are told of every change. */
  int keptOrders() {
    return orders.size();
  }

  /**
   * Looks at what a batch requires, to learn from it. Steers cost only.
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

  // ---- questions ----

  /**
   * Whether a workload fits a node, exactly.
   *
   * @param node the index of a node
   * @param demand what the workload needs
   * @return true if no hard rule says no
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
    constraints.take(demand);
    return constraints.averse(node);
  }

  /**
   * The first friendly node that fits, from a node on, wrapping round once; if there is none, the
   * first averse one.
   *
   * @param demand what the workload needs
   * @param from the index of the node to begin at, from 0 to the number of nodes
   * @return the index of a node, or {@link #NONE}
   */
  public int first(Demand demand, int from) {
    if (demand.missing()) {
      return NONE;
    }
    constraints.take(demand);
    if (!constraints.narrows()) {
      return firstFitting(demand, from);
    }
    // A node that meets all preferences is among the best; where there is none, all are compared.
    constraints.insist(true);
    constraints.take(demand);
    int found = firstFitting(demand, from);
    boolean best = found != NONE && !averse(found, demand);
    constraints.insist(false);
    return best ? found : this.best.first(demand, from);
  }

  /** The same without regard to preferences; the rules have taken up the demand. */
  private int firstFitting(Demand demand, int from) {
    if (!ready(enough())) {
      int found = scan.first(from);
      int nodes = ledger.slotCount();
      boolean whole = found == NONE || constraints.averse(found);
      work += whole ? nodes : Math.floorMod(found - from, nodes) + 1;
      return found;
    }
    int found = indexed(demand, from);
    assert ledger.slotCount() > ASSERTED_NODES || found == scan.first(from)
        : "index says " + found + " for " + demand.workload() + " from " + from;
    return found;
  }

  private int indexed(Demand demand, int from) {
    int rare = rareNames.rarest(demand);
    if (rare >= 0) {
      return firstOfFew(demand, rare, from);
    }
    int bound = bound(demand);
    int nodes = ledger.slotCount();
    if (bound >= nodes) {
      return NONE;
    }
    int begin = Math.max(from, bound);
    if (begin > 0
        && begin < nodes
        && levels.covers(begin)
        && constraints.admits(begin)
        && !constraints.averse(begin)) {
      // Most often the node that a round or a shape has come to; it costs no row.
      return begin;
    }
    averse = NONE;
    forbidden = nodes;
    if (!chooseRows(constraints.remembers())) {
      bounds.learn(bound, nodes);
      return NONE;
    }
    int found = search(begin, nodes, true);
    boolean round = found == NONE && from > bound;
    if (round) {
      chooseRows(constraints.remembers());
      found = search(bound, from, true);
    }
    if (round || from <= bound) {
      // What holds of its resources alone is remembered.
      bounds.learn(bound, found == NONE ? forbidden : Math.min(found, forbidden));
    }
    return found == NONE ? averse : found;
  }

  /** Among the few nodes that have a rare resource. */
  private int firstOfFew(Demand demand, int rare, int from) {
    int count = rareNames.count(rare);
    int at = rareNames.before(rare, from);
    int first = NONE;
    for (int i = 0; i < count; i++, at++) {
      int node = rareNames.node(rare, at < count ? at : at - count);
      if (constraints.admits(node)) {
        if (!constraints.averse(node)) {
          return node;
        }
        first = first == NONE ? node : first;
      }
    }
    return first;
  }

  /**
   * The first friendly node that fits, in a kept order; if there is none, the first averse one.
   *
   * @param demand what the workload needs
   * @param order the order
   * @param descending whether from its other end
   * @return the index of a node, or {@link #NONE}
   */
  public int first(Demand demand, ScoreOrder order, boolean descending) {
    if (demand.missing()) {
      return NONE;
    }
    keep(order);
    constraints.take(demand);
    if (!constraints.narrows()) {
      return firstFitting(demand, order, descending);
    }
    constraints.insist(true);
    constraints.take(demand);
    int found = firstFitting(demand, order, descending);
    boolean best = found != NONE && !averse(found, demand);
    constraints.insist(false);
    return best ? found : this.best.first(demand, order.scores(), descending);
  }

  private int firstFitting(Demand demand, ScoreOrder order, boolean descending) {
    // Without blocks every question looks at all nodes, so a long batch need not be waited for.
    long enough = expected < patience ? enough() : 0;
    if (!ready(enough)) {
      work += ledger.slotCount();
      return scan.first(order.scores(), descending);
    }
    int found;
    int rare = rareNames.rarest(demand);
    if (rare >= 0 || !order.ready(levels, this::names, enough)) {
      found = firstByComparing(demand, order.scores(), rare, descending);
    } else {
      found = firstByBlocks(demand, order, descending);
    }
    assert ledger.slotCount() > ASSERTED_NODES || found == scan.first(order.scores(), descending)
        : "order says " + found + " for " + demand.workload();
    return found;
  }

  /** The place before which nothing fits, as far as is known. */
  private int bound(Demand demand) {
    levels.ask(demand);
    return bounds.bound(demand, constraints.resources.uniform());
  }

  private int firstByBlocks(Demand demand, ScoreOrder order, boolean descending) {
    int bound = bound(demand);
    if (bound >= ledger.slotCount()) {
      return NONE;
    }
    boolean friends = constraints.prefers();
    if (friends) {
      averse = NONE;
      friends = chooseRows(true) && search(0, ledger.slotCount(), true) != NONE;
    }
    rows.clear();
    constraints.addNameRows(rows);
    if (rows.empty()) {
      if (constraints.remembers()) {
        bounds.learn(bound, ledger.slotCount());
      }
      return NONE;
    }
    long missed = order.misses();
    int found = order.first(demand, this, friends, descending);
    misses += order.misses() - missed;
    if (found == NONE && constraints.remembers()) {
      bounds.learn(bound, ledger.slotCount());
    }
    return found;
  }

  private NameOrder names() {
    if (names == null) {
      names = new NameOrder(ledger);
    }
    return names;
  }

  /** Compares all nodes that fit, or all of the few that have a rare resource. */
  private int firstByComparing(Demand demand, Scores scores, int rare, boolean descending) {
    int best = NONE;
    int first = rare >= 0 ? firstOfFew(demand, rare, 0) : firstFitting(demand, 0);
    boolean friendly = first != NONE && !constraints.averse(first);
    if (rare >= 0) {
      for (int i = 0; i < rareNames.count(rare); i++) {
        int node = rareNames.node(rare, i);
        if (constraints.admits(node) && !(friendly && constraints.averse(node))) {
          best = Scan.earlier(scores, node, best, descending);
        }
      }
      return best;
    }
    for (int node = first; node != NONE; node = next(demand, node + 1, friendly)) {
      best = Scan.earlier(scores, node, best, descending);
    }
    return best;
  }

  /**
   * The next candidate, without wrapping: of the nodes that fit, the friendly ones where friends
   * are wanted, and the best by the workload's preferences.
   *
   * @param demand what the workload needs
   * @param from the slot to begin at
   * @param friendlyOnly whether averse nodes are passed over
   * @return the slot of a node, or {@link #NONE}
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
   * @param friendlyOnly whether averse nodes are none
   * @return true if so
   */
  public boolean isCandidate(int node, Demand demand, boolean friendlyOnly) {
    constraints.take(demand);
    return constraints.narrows()
        ? best.has(demand, node)
        : !friendlyOnly || !constraints.averse(node);
  }

  /**
   * Confines whoever is asked about to domains of a level, until {@link #liftConfinement}.
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
   * @param friendlyOnly whether averse nodes are passed over
   * @return the index of a node, or {@link #NONE}
   */
  public int next(Demand demand, int from, boolean friendlyOnly) {
    if (demand.missing()) {
      return NONE;
    }
    constraints.take(demand);
    int nodes = ledger.slotCount();
    if (!ready(enough())) {
      int found = scan.next(from, friendlyOnly);
      work += (found == NONE ? nodes : found) - from;
      return found;
    }
    int bound = bound(demand);
    averse = NONE;
    int found = chooseRows(true) ? search(Math.max(from, bound), nodes, friendlyOnly) : NONE;
    assert nodes > ASSERTED_NODES || found == scan.next(from, friendlyOnly)
        : "index says " + found + " for " + demand.workload() + " from " + from;
    return found;
  }

  // ---- the index ----

  /** A pass over all nodes is to come: with an index, if one is worth it. */
  void index() {
    if (!ready(enough())) {
      work += ledger.slotCount();
    }
  }

  /** As many nodes looked at as an index is worth. */
  private long enough() {
    return (long) patience * ledger.slotCount();
  }

  /** Whether there is an index; builds it once enough nodes have been looked at without. */
  private boolean ready(long enough) {
    if (levels == null) {
      if (work < enough || ledger.nodeCount() == 0) {
        return false;
      }
      learn();
    } else if (rareNames.many()) {
      constraints.reshaped();
      learn();
    } else if (misses > tooManyMisses) {
      if (levels.matches(sample)) {
        tooManyMisses *= 2;
      } else {
        learn();
      }
    }
    return true;
  }

  private void learn() {
    levels = new Levels(ledger, sample);
    constraints.resources.index(levels);
    rareNames = constraints.resources.rareNames();
    bounds = new BoundMemo(levels, patience == 0 ? 1 : WORTH + ledger.slotCount() / 32);
    misses = 0;
    tooManyMisses = 2L * PATIENCE * ledger.slotCount();
    orders.forEach(ScoreOrder::relevelled);
  }

  /**
   * Chooses the rows of a demand that the levels have taken up, aversion last: those of all rules,
   * or only of those of which a search may be remembered. Answers whether every row has a bit.
   */
  private boolean chooseRows(boolean all) {
    rows.clear();
    allRows = all;
    constraints.addRows(rows, all);
    if (rows.count() == 0) {
      rows.add(levels.all());
    }
    base = rows.count();
    boolean any = !rows.empty();
    constraints.addPreferredRows(rows);
    return any;
  }

  /**
   * The first node that fits, from a node to before another; where friends are wanted, the first
   * friendly one, and the first averse one is kept. Rows that are for the workload at hand alone
   * come in at the first node that it has the resources for and another rule forbids.
   */
  private int search(int from, int to, boolean friends) {
    boolean rivals = friends && constraints.prefers();
    int end = (to + 63) >> 6;
    for (int at = from >> 6; at < end; at++) {
      at = rows.next(at, end, used(friends, rivals));
      if (at == end) {
        break;
      }
      long word = rows.word(at, used(friends, rivals));
      if (at == from >> 6) {
        word &= -1L << from;
      }
      if (at == to >> 6) {
        word &= (1L << to) - 1;
      }
      while (word != 0) {
        int node = (at << 6) + Long.numberOfTrailingZeros(word);
        word &= word - 1;
        if (!levels.covers(node) || !constraints.resources.admits(node)) {
          misses++;
        } else if (!constraints.admitsBeside(node)) {
          if (!allRows) {
            forbidden = node;
            if (!chooseRows(true)) {
              return NONE;
            }
            word &= rows.word(at, used(friends, rivals));
          }
        } else if (!rivals || !constraints.averse(node)) {
          return node;
        } else if (averse == NONE) {
          averse = node;
        }
      }
    }
    return NONE;
  }

  /** How many rows count: where an averse node is wanted, too, not those of aversion. */
  private int used(boolean friends, boolean rivals) {
    return friends && (!rivals || averse != NONE) ? rows.count() : base;
  }

  // ---- following the ledger ----

  /** How many placements and ends of placements there have been. */
  long changes() {
    return changes;
  }

  /** How often something has been given back. */
  long givenBack() {
    return givenBack;
  }

  /** The node that a change was on; one of the last {@link #RECENT}. */
  int settledAt(long change) {
    return recent[(int) (change & (RECENT - 1))];
  }

  @Override
  public void charged(int node, Demand demand, int sign) {
    recent[(int) (changes++ & (RECENT - 1))] = node;
    constraints.charged(node, demand, sign);
    boolean gives = sign < 0 || demand.giving();
    if (gives) {
      givenBack++;
    }
    if (levels != null) {
      if (gives) {
        bounds.clear();
      }
      for (int i = 0; i < orders.size(); i++) {
        orders.get(i).settled(node);
      }
    }
  }

  @Override
  public void cordonChanged(int node) {
    changes++;
    givenBack++;
    constraints.cordonChanged(node);
    if (levels != null) {
      bounds.clear();
    }
  }

  /** What did not fit may fit now, though no node has got anything back. */
  @Override
  public void loosened() {
    changes++;
    givenBack++;
    constraints.loosened();
    if (levels != null) {
      bounds.clear();
    }
  }

  @Override
  public void nodeCame(int node) {
    changes++;
    givenBack++;
    constraints.nodeCame(node);
    if (levels != null) {
      bounds.cut(node);
    }
    if (names != null) {
      int before = names.relabelled();
      names.came(node);
      if (names.relabelled() != before) {
        orders.forEach(ScoreOrder::relabelled);
      }
    }
    for (int i = 0; i < orders.size(); i++) {
      orders.get(i).nodeCame(node);
    }
  }

  @Override
  public void nodeLeaving(int node) {
    changes++;
    givenBack++;
    if (levels != null) {
      for (int i = 0; i < orders.size(); i++) {
        orders.get(i).nodeLeaving(node);
      }
      if (names != null) {
        names.leaving(node);
      }
    }
    constraints.nodeLeaving(node);
  }

  @Override
  public void reshaped() {
    changes++;
    givenBack++;
    constraints.reshaped();
    levels = null;
    names = null;
    work = 0;
    orders.forEach(ScoreOrder::reshaped);
  }
}
