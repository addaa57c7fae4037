package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Audit;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.NodeSet;
import io.lighthouse.core.ledger.NodeTable;

/**
 * An index of the nodes: rows of bits, one bit a node, for what is left of each common resource
 * ({@link Levels}), for names, cordons and negatives ({@link Eligibility}), and for the nodes free
 * of an aversion group ({@link NodeSet#free}). A question ANDs a few rows and checks what survives
 * exactly ({@link Constraints}), but for rules whose rows are exact themselves.
 */
final class NodeIndex {
  /** A bound is remembered where it spares so many nodes, and one in 32 of the fleet. */
  private static final int WORTH = 512;

  private final NodeTable nodeTable;
  private final Constraints constraints;
  private final Levels levels;
  private final RareNames rareNames;
  private final BoundMemo bounds;
  private final RowScan rows = new RowScan();

  /** Survivors that did not fit since the levels were learned, and how many are too many. */
  private long misses;

  private long tooManyMisses;

  /** The first averse node that fits, of the search at hand. */
  private int averse;

  /** The first node with the resources for it that another rule forbids, as far as it matters. */
  private int forbidden;

  /** How many rows there are before those of aversion, and whether all rules have added theirs. */
  private int base;

  private boolean allRows;

  /** Learns levels from a sample; every bound is remembered, or only those that are worth it. */
  NodeIndex(Ledger ledger, Constraints constraints, NeedSample sample, boolean everyBound) {
    this.constraints = constraints;
    nodeTable = ledger.nodes();
    levels = new Levels(ledger, sample);
    constraints.resources.index(levels);
    rareNames = constraints.resources.rareNames();
    int slots = nodeTable.slotCount();
    bounds = new BoundMemo(levels, everyBound ? 1 : WORTH + slots / 32);
    tooManyMisses = 2L * Finder.PATIENCE * slots;
  }

  Levels levels() {
    return levels;
  }

  RareNames rareNames() {
    return rareNames;
  }

  /** Whether levels learned anew from a sample would spare misses. */
  boolean isStale(NeedSample sample) {
    if (misses <= tooManyMisses) {
      return false;
    }
    if (levels.matches(sample)) {
      tooManyMisses *= 2;
      return false;
    }
    return true;
  }

  /** So many survivors of rows did not fit. */
  void missed(long more) {
    misses += more;
  }

  // ---- questions ----

  /**
   * The first friendly node that fits, from a node on, wrapping round once; if there is none, the
   * first averse one. The rules have taken up the demand.
   */
  int first(Demand demand, int from) {
    int rare = rareNames.rarest(demand);
    if (rare >= 0) {
      return firstOfFew(rare, from);
    }
    int bound = bound(demand);
    int nodes = nodeTable.slotCount();
    if (bound >= nodes) {
      return Finder.NONE;
    }
    int begin = Math.max(from, bound);
    boolean all = constraints.remembers();
    forbidden = nodes;
    if (begin > 0 && begin < nodes && levels.covers(begin) && constraints.resources.admits(begin)) {
      if (!constraints.admitsBeside(begin)) {
        all = true; // The rows of all rules at once: the bound is told.
        forbidden = begin;
      } else if (!constraints.averse(begin)) {
        // Most often the node that a round or a shape has come to; it costs no row.
        return begin;
      }
    }
    averse = Finder.NONE;
    if (!chooseRows(all)) {
      if (forbidden == nodes) {
        bounds.learn(bound, nodes);
      }
      return Finder.NONE;
    }
    int found = search(begin, nodes, true);
    boolean round = found == Finder.NONE && from > bound;
    if (round) {
      chooseRows(constraints.remembers());
      found = search(bound, from, true);
    }
    if (round || from <= bound) {
      // What holds of its resources alone is remembered.
      bounds.learn(bound, found == Finder.NONE ? forbidden : Math.min(found, forbidden));
    }
    return found == Finder.NONE ? averse : found;
  }

  /** Among the few nodes that have a rare resource. */
  int firstOfFew(int rare, int from) {
    int count = rareNames.count(rare);
    int at = rareNames.before(rare, from);
    int first = Finder.NONE;
    for (int i = 0; i < count; i++, at++) {
      int node = rareNames.node(rare, at < count ? at : at - count);
      if (constraints.admits(node)) {
        if (!constraints.averse(node)) {
          return node;
        }
        first = first == Finder.NONE ? node : first;
      }
    }
    return first;
  }

  /** The next node that fits, without wrapping; the rules have taken up the demand. */
  int next(Demand demand, int from, boolean friendlyOnly) {
    int bound = bound(demand);
    averse = Finder.NONE;
    return chooseRows(true)
        ? search(Math.max(from, bound), nodeTable.slotCount(), friendlyOnly)
        : Finder.NONE;
  }

  /**
   * Sets the bit of every node that the rows say a workload may fit, and answers how many there
   * are; the rules have taken up the demand.
   */
  int mayFit(Demand demand, boolean friendlyOnly, long[] into) {
    int words = (nodeTable.slotCount() + 63) >> 6;
    levels.ask(demand);
    boolean any = chooseRows(true);
    int used = friendlyOnly ? rows.count() : base;
    int count = 0;
    for (int at = 0; at < words; at++) {
      into[at] = any ? rows.word(at, used) : 0;
      count += Long.bitCount(into[at]);
    }
    return count;
  }

  /** The required resource that is on the fewest nodes, where these are listed; else -1. */
  int rarest(Demand demand) {
    return rareNames.rarest(demand);
  }

  /** The place before which nothing fits, as far as is known. */
  int bound(Demand demand) {
    levels.ask(demand);
    return bounds.bound(demand, constraints.resources.uniform());
  }

  /** No node fits the demand whose bound this is. */
  void learnNone(int bound) {
    if (constraints.remembers()) {
      bounds.learn(bound, nodeTable.slotCount());
    }
  }

  /** Whether a friendly node fits; {@link #bound} has taken up the demand. */
  boolean hasFriend() {
    averse = Finder.NONE;
    return chooseRows(true) && search(0, nodeTable.slotCount(), true) != Finder.NONE;
  }

  /** Whether the rows without those of amounts say that nothing fits. */
  boolean nameRowsAreEmpty() {
    rows.clear();
    constraints.addNameRows(rows);
    return rows.empty();
  }

  /**
   * Chooses the rows of a demand that the levels have taken up, aversion last: those of all rules,
   * or only of those of which a search may be remembered. Answers whether every row has a bit.
   */
  private boolean chooseRows(boolean all) {
    rows.clear();
    allRows = all;
    constraints.addRows(rows, true, all);
    if (rows.count() == 0) {
      rows.add(levels.all());
    }
    return preferSome();
  }

  /** Chooses the rows of the other rules beside those of which a search may be remembered. */
  private boolean chooseOtherRows() {
    if (rows.count() > base) { // Those of aversion have to be the last.
      return chooseRows(true);
    }
    allRows = true;
    constraints.addRows(rows, false, true);
    return preferSome();
  }

  private boolean preferSome() {
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
        } else if (!constraints.admitsSurvivor(node)) {
          if (!allRows) {
            forbidden = node;
            if (!chooseOtherRows()) {
              return Finder.NONE;
            }
            word &= rows.word(at, used(friends, rivals));
          }
        } else if (!rivals || !constraints.averse(node)) {
          return node;
        } else if (averse == Finder.NONE) {
          averse = node;
        }
      }
    }
    return Finder.NONE;
  }

  /** How many rows count: where an averse node is wanted, too, not those of aversion. */
  private int used(boolean friends, boolean rivals) {
    return friends && (!rivals || averse != Finder.NONE) ? rows.count() : base;
  }

  // ---- following the ledger ----

  /** Something may fit that did not fit before. */
  void loosened() {
    bounds.clear();
  }

  /** A node has come, or has come back with other accounts. */
  void nodeCame(int node) {
    bounds.cut(node);
  }

  // ---- audit ----

  /** Checks the bounds; the rows are those of the rules. */
  void audit(Audit audit, Ledger ledger) {
    for (int level = 0; level < ledger.topology().levelCount(); level++) {
      if (ledger.topology().level(level).accounted()) {
        return; // The accounts of domains have a say in the bounds.
      }
    }
    bounds.audit(audit, nodeTable.slotCount(), levels::suffice);
  }
}
