package io.lighthouse.core.search;

import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.constraint.Constraints;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.index.BoundMemo;
import io.lighthouse.core.index.Eligibility;
import io.lighthouse.core.index.IndexPart;
import io.lighthouse.core.index.LevelNeeds;
import io.lighthouse.core.index.Levels;
import io.lighthouse.core.index.NeedSample;
import io.lighthouse.core.index.OpenNodes;
import io.lighthouse.core.index.RareNames;
import io.lighthouse.core.ledger.Clock;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.NodeSet;
import java.util.Set;

/**
 * An index of the nodes, in bitmaps with one bit per node. They cover what is left of each common
 * resource ({@link Levels}), and names and negative amounts ({@link Eligibility}). Others hold the
 * open nodes, those that keep rules, and the nodes free of an aversion group ({@link
 * NodeSet#free}). A query ANDs a few bitmaps and checks the survivors exactly ({@link Query}).
 *
 * <p>A search first checks the node where it begins. Usually it is the node that a round or a shape
 * has reached, and costs no bitmap. Without, {@code BatchBenchmark} ({@code ROUND_ROBIN}, 10,000
 * nodes) took 1.28 times as long on 2026-11-29.
 */
final class NodeIndex {
  /** A bound is remembered if it saves at least this many nodes plus one in 32 of the fleet. */
  private static final int WORTH = 512;

  /**
   * The least number of bounds. There is one for each 256 nodes of the index when it is built. With
   * 1,024 on 10,000 nodes, the slowest hundredth of the calls of round robin took 1.6 times as long
   * ({@code DecisionBenchmark}, 2026-11-27).
   */
  private static final int LEAST_BOUNDS = 64;

  /**
   * The largest number of bounds. On 200,000 nodes, a batch of workloads that all differ took half
   * the time with 1,024 in place of 64 (2026-11-27, docs/lab/engine.md).
   */
  private static final int MOST_BOUNDS = 1_024;

  private final Set<IndexPart> parts;
  private final NodeTable nodeTable;
  private final Levels levels;
  private final RareNames rareNames;
  private final OpenNodes openNodes;
  private final BoundMemo bounds;

  /** When the nodes and domains were last found changed. */
  private final Clock.Stamp shaped;

  private final RowScan scan = new RowScan();

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
   * @param everyBound whether every bound is remembered, or only those that save enough
   */
  NodeIndex(
      Ledger ledger,
      Constraints constraints,
      NeedSample sample,
      Set<IndexPart> parts,
      boolean everyBound) {
    this.parts = parts;
    nodeTable = ledger.nodes();
    levels = new Levels(ledger, sample);
    constraints.resourceRows.index(levels);
    rareNames = constraints.resourceRows.names().rareNames();
    openNodes = constraints.openNodes;
    int slots = nodeTable.slotCount();
    int worth = everyBound ? 1 : WORTH + slots / 32;
    bounds =
        new BoundMemo(
            levels,
            parts.contains(IndexPart.BOUNDS) ? worth : Integer.MAX_VALUE,
            Math.min(MOST_BOUNDS, Math.max(LEAST_BOUNDS, slots / 256)));
    shaped = ledger.clock().stamp(Clock.Scope.SHAPE);
  }

  Levels levels() {
    return levels;
  }

  RareNames rareNames() {
    return rareNames;
  }

  // ---- following the ledger ----

  /** A node may fit demands that it did not fit before. */
  void loosened(int node) {
    bounds.released(node);
  }

  /** Any node may fit demands that it did not fit before. */
  void loosened() {
    bounds.clear();
  }

  // ---- queries ----

  /**
   * The first friendly node that fits, from a node on, wrapping round once. If there is none, the
   * first averse one that fits.
   */
  int first(Query query, int from) {
    int rare = rarest(query.demand());
    if (rare >= 0) {
      return Scan.first(query, few(rare, from), null, false);
    }
    int bound = bound(query);
    int nodes = nodeTable.slotCount();
    if (bound >= nodes) {
      return NodeTable.NONE;
    }
    int begin = Math.max(from, bound);
    boolean all = query.isRemembered();
    forbidden = nodes;
    LevelNeeds needs = query.resources.amounts();
    if (begin > 0 && begin < nodes && needs.covers(begin) && query.resources.admits(begin)) {
      if (!query.fitsBeside(begin)) {
        all = true; // The bitmaps of all rules at once: the bound is already known.
        forbidden = begin;
      } else if (!query.averse(begin)) {
        return begin;
      }
    }
    averse = NodeTable.NONE;
    if (!chooseRows(query, all)) {
      if (forbidden == nodes) {
        bounds.learn(needs, bound, nodes);
      }
      return NodeTable.NONE;
    }
    int found = search(query, begin, nodes, true);
    boolean round = found == NodeTable.NONE && from > bound;
    if (round) {
      chooseRows(query, query.isRemembered());
      found = search(query, bound, from, true);
    }
    if (round || from <= bound) {
      // Only what depends on resources alone is remembered.
      bounds.learn(needs, bound, found == NodeTable.NONE ? forbidden : Math.min(found, forbidden));
    }
    return found == NodeTable.NONE ? averse : found;
  }

  /** The few nodes that have a rare resource, from a node on, wrapping round. */
  Scan.Nodes few(int rare, int from) {
    int count = rareNames.count(rare);
    int first = rareNames.before(rare, from);
    return new Scan.Nodes(
        count, i -> rareNames.node(rare, first + i < count ? first + i : first + i - count));
  }

  /** The next node that fits, without wrapping. */
  int next(Query query, int from, boolean friendlyOnly) {
    int bound = bound(query);
    averse = NodeTable.NONE;
    return chooseRows(query, true)
        ? search(query, Math.max(from, bound), nodeTable.slotCount(), friendlyOnly)
        : NodeTable.NONE;
  }

  /**
   * Sets the bit of every node that a workload may fit by the bitmaps, and returns how many there
   * are.
   */
  int mayFit(Query query, boolean friendlyOnly, long[] into) {
    int words = (nodeTable.slotCount() + 63) >> 6;
    boolean any = chooseRows(query, true);
    int used = friendlyOnly ? scan.count() : base;
    int count = 0;
    for (int at = 0; at < words; at++) {
      into[at] = any ? scan.word(at, used) : 0;
      count += Long.bitCount(into[at]);
    }
    return count;
  }

  /** The required resource that the fewest nodes have, if these nodes are listed; else -1. */
  int rarest(Demand demand) {
    return parts.contains(IndexPart.RARE_NAMES) ? rareNames.rarest(demand) : -1;
  }

  /** The place before which no node is known to fit. */
  int bound(Query query) {
    if (shaped.renew()) {
      bounds.clear();
    }
    return bounds.bound(query.resources.amounts());
  }

  /** Records that no node fits the demand with this bound. */
  void learnNone(Query query, int bound) {
    if (query.isRemembered()) {
      bounds.learn(query.resources.amounts(), bound, nodeTable.slotCount());
    }
  }

  /** Whether a friendly node fits. */
  boolean hasFriend(Query query) {
    averse = NodeTable.NONE;
    return chooseRows(query, true)
        && search(query, 0, nodeTable.slotCount(), true) != NodeTable.NONE;
  }

  /** Whether the bitmaps other than those of amounts show that nothing fits. */
  boolean nameRowsAreEmpty(Query query) {
    scan.clear();
    query.addNameRows(scan);
    return scan.empty();
  }

  /**
   * Chooses the bitmaps of a query, aversion last. They are those of all rules, or only of rules
   * whose searches may be remembered. Returns whether every bitmap has a bit set.
   */
  private boolean chooseRows(Query query, boolean all) {
    scan.clear();
    allRows = all;
    query.addRows(scan, all);
    if (scan.count() == 0) {
      scan.add(openNodes.row());
    }
    base = scan.count();
    boolean any = !scan.empty();
    query.addFriendlyRows(scan);
    return any;
  }

  /**
   * The first node that fits, from a node up to, but not including, another. If friendly nodes are
   * preferred, it is the first friendly one, and the first averse one is kept. Some bitmaps serve
   * one workload alone. They are added at the first node that has the resources but is rejected by
   * another rule.
   */
  private int search(Query query, int from, int to, boolean friends) {
    boolean friendlyFirst = friends && query.prefersFriendly();
    LevelNeeds needs = query.resources.amounts();
    int end = (to + 63) >> 6;
    for (int at = from >> 6; at < end; at++) {
      at = scan.next(at, end, used(friendlyFirst));
      if (at == end) {
        break;
      }
      long word = scan.word(at, used(friendlyFirst));
      if (at == from >> 6) {
        word &= -1L << from;
      }
      if (at == to >> 6) {
        word &= (1L << to) - 1;
      }
      while (word != 0) {
        int node = (at << 6) + Long.numberOfTrailingZeros(word);
        word &= word - 1;
        if (!needs.covers(node) || !query.resources.admits(node)) {
          levels.missed();
        } else if (!query.fitsBeside(node)) {
          if (!allRows) {
            forbidden = node;
            if (!chooseRows(query, true)) {
              return NodeTable.NONE;
            }
            word &= scan.word(at, used(friendlyFirst));
          }
        } else if (!friendlyFirst || !query.averse(node)) {
          return node;
        } else if (averse == NodeTable.NONE) {
          averse = node;
        }
      }
    }
    return NodeTable.NONE;
  }

  /**
   * How many bitmaps count; those of aversion do not where averse nodes are wanted, too.
   *
   * @param friendlyFirst whether some node is averse, and friendly ones are preferred
   */
  private int used(boolean friendlyFirst) {
    return friendlyFirst && averse != NodeTable.NONE ? scan.count() : base;
  }

  // ---- audit ----

  /** Checks the bounds; the rules check the bitmaps. */
  void audit(Audit audit) {
    if (shaped.isCurrent()) {
      bounds.audit(audit, nodeTable.slotCount(), levels::suffice);
    }
  }
}
