package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Audit;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.NodeSet;
import io.lighthouse.core.ledger.NodeTable;

/**
 * An index of the nodes, in bitmaps with one bit per node. They cover what is left of each common
 * resource ({@link Levels}), and names, cordons and negatives ({@link Eligibility}). Others hold
 * the nodes free of an aversion group ({@link NodeSet#free}). A query ANDs a few bitmaps and checks
 * the survivors exactly ({@link Constraints}). Rules whose bitmaps are exact need no check.
 */
final class NodeIndex {
  /** A bound is remembered if it saves at least this many nodes plus one in 32 of the fleet. */
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

  /** The first averse node that fits in the current search. */
  private int averse;

  /**
   * The first node that has the resources but is rejected by another rule, as far as it matters.
   */
  private int forbidden;

  /** How many bitmaps come before those of aversion, and whether all rules have added theirs. */
  private int base;

  private boolean allRows;

  /**
   * Learns levels from a sample.
   *
   * @param ledger the accounts
   * @param constraints the rules of the ledger
   * @param sample the recent requirements
   * @param everyBound whether every bound is remembered, or only those that save enough
   */
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

  /** Whether new levels learned from a sample would avoid misses. */
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

  /** Adds to the number of survivors that did not fit. */
  void missed(long more) {
    misses += more;
  }

  // ---- queries ----

  /**
   * The first friendly node that fits, from a node on, wrapping round once. If there is none, the
   * first averse one that fits. The rules have prepared the demand.
   */
  int first(Demand demand, int from) {
    int rare = rareNames.rarest(demand);
    if (rare >= 0) {
      return firstOfFew(rare, from);
    }
    int bound = bound(demand);
    int nodes = nodeTable.slotCount();
    if (bound >= nodes) {
      return NodeTable.NONE;
    }
    int begin = Math.max(from, bound);
    boolean all = constraints.remembers();
    forbidden = nodes;
    if (begin > 0 && begin < nodes && levels.covers(begin) && constraints.resources.admits(begin)) {
      if (!constraints.admitsBeside(begin)) {
        all = true; // The bitmaps of all rules at once: the bound is already known.
        forbidden = begin;
      } else if (!constraints.averse(begin)) {
        // Usually this is the node that a round or a shape has reached. It costs no bitmap.
        return begin;
      }
    }
    averse = NodeTable.NONE;
    if (!chooseRows(all)) {
      if (forbidden == nodes) {
        bounds.learn(bound, nodes);
      }
      return NodeTable.NONE;
    }
    int found = search(begin, nodes, true);
    boolean round = found == NodeTable.NONE && from > bound;
    if (round) {
      chooseRows(constraints.remembers());
      found = search(bound, from, true);
    }
    if (round || from <= bound) {
      // Only what depends on resources alone is remembered.
      bounds.learn(bound, found == NodeTable.NONE ? forbidden : Math.min(found, forbidden));
    }
    return found == NodeTable.NONE ? averse : found;
  }

  /** As {@link #first}, among the few nodes that have a rare resource. */
  int firstOfFew(int rare, int from) {
    int count = rareNames.count(rare);
    int at = rareNames.before(rare, from);
    int first = NodeTable.NONE;
    for (int i = 0; i < count; i++, at++) {
      int node = rareNames.node(rare, at < count ? at : at - count);
      if (constraints.admits(node)) {
        if (!constraints.averse(node)) {
          return node;
        }
        first = first == NodeTable.NONE ? node : first;
      }
    }
    return first;
  }

  /** The next node that fits, without wrapping; the rules have prepared the demand. */
  int next(Demand demand, int from, boolean friendlyOnly) {
    int bound = bound(demand);
    averse = NodeTable.NONE;
    return chooseRows(true)
        ? search(Math.max(from, bound), nodeTable.slotCount(), friendlyOnly)
        : NodeTable.NONE;
  }

  /**
   * Sets the bit of every node that a workload may fit by the bitmaps, and returns how many there
   * are. The rules have prepared the demand.
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

  /** The required resource that the fewest nodes have, if these nodes are listed; else -1. */
  int rarest(Demand demand) {
    return rareNames.rarest(demand);
  }

  /** The place before which no node is known to fit. */
  int bound(Demand demand) {
    levels.ask(demand);
    return bounds.bound(demand, constraints.resources.uniform());
  }

  /** Records that no node fits the demand with this bound. */
  void learnNone(int bound) {
    if (constraints.remembers()) {
      bounds.learn(bound, nodeTable.slotCount());
    }
  }

  /** Whether a friendly node fits; {@link #bound} has prepared the demand. */
  boolean hasFriend() {
    averse = NodeTable.NONE;
    return chooseRows(true) && search(0, nodeTable.slotCount(), true) != NodeTable.NONE;
  }

  /** Whether the bitmaps other than those of amounts show that nothing fits. */
  boolean nameRowsAreEmpty() {
    rows.clear();
    constraints.addNameRows(rows);
    return rows.empty();
  }

  /**
   * Chooses the bitmaps of a demand that the levels have prepared, aversion last. They are those of
   * all rules, or only of rules whose searches may be remembered. Returns whether every bitmap has
   * a bit set.
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

  /** Adds the bitmaps of the rules whose searches may not be remembered. */
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
   * The first node that fits, from a node up to, but not including, another. If friendly nodes are
   * preferred, it is the first friendly one, and the first averse one is kept. Some bitmaps serve
   * the current workload alone. They are added at the first node that has the resources but is
   * rejected by another rule.
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
              return NodeTable.NONE;
            }
            word &= rows.word(at, used(friends, rivals));
          }
        } else if (!rivals || !constraints.averse(node)) {
          return node;
        } else if (averse == NodeTable.NONE) {
          averse = node;
        }
      }
    }
    return NodeTable.NONE;
  }

  /** How many bitmaps count; those of aversion do not where averse nodes are wanted, too. */
  private int used(boolean friends, boolean rivals) {
    return friends && (!rivals || averse != NodeTable.NONE) ? rows.count() : base;
  }

  // ---- following the ledger ----

  /** Notes that something may fit that did not fit before. */
  void loosened() {
    bounds.clear();
  }

  /** Follows a node that was added, or that got new accounts. */
  void nodeCame(int node) {
    bounds.cut(node);
  }

  // ---- audit ----

  /** Checks the bounds; the rules check the bitmaps. */
  void audit(Audit audit, Ledger ledger) {
    for (int level = 0; level < ledger.topology().levelCount(); level++) {
      if (ledger.topology().level(level).hasAccounts()) {
        return; // The bounds also depend on the accounts of domains.
      }
    }
    bounds.audit(audit, nodeTable.slotCount(), levels::suffice);
  }
}
