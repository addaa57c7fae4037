package io.lighthouse.core.load;

import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.index.IndexCost;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.LedgerListener;
import io.lighthouse.core.ledger.PlacementListener;
import io.lighthouse.core.search.Finder;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The best node by a {@link LoadRule}, without checking most nodes.
 *
 * <p>A k-d tree (Bentley 1975) over the nodes, with a point for each: what is in use of its common
 * resources, as shares of its capacity. Each box of the tree knows the bounds of its points, and so
 * a bound of the rule for all of them. The search is branch and bound, the better box first.
 *
 * <p>Where something is placed on a node, the bounds of its boxes are computed anew up to the root,
 * and the node may move to another box. A node that was added or resized is checked beside the
 * tree. When there are such nodes, and a quarter of all nodes have changed, the tree is built anew.
 *
 * <p>Every node that would be better gets the exact check. Where several fail it (few nodes have
 * the tag), the finder's rows of bits give all nodes that may fit, and the search continues among
 * these. Where they are few, or too many of them do not fit either, all of them are checked. A tree
 * is built once the nodes checked without one have cost as much as building it. Every node is
 * checked while one has half a million times a capacity in use. The same holds where an immune
 * workload requires as much, or a workload gives as much.
 *
 * <p>Without the tree, {@code BatchBenchmark} ({@code spread}, 1,000 nodes) took 7 times as long on
 * 2026-11-24.
 */
public final class LoadIndex implements LedgerListener, PlacementListener {
  /** The number of better nodes that do not fit after which the rows of bits are read. */
  private static final int ROWS_AFTER = 4;

  /**
   * Where at most one node in {@code ONE_IN} may fit, checking these costs less than a search among
   * all. With 3, a pod of {@code KubernetesBenchmark} ({@code SPREAD}, three zones of which one is
   * open) took 1.63 times as long on 2026-11-25.
   */
  private static final int ONE_IN = 16;

  /** The number of better nodes that do not fit after which the search in the tree ends. */
  private static final int PATIENCE = 64;

  /** More nodes than this, and one in 256, are not checked beside the tree. */
  private static final int LOOSE = 256;

  /** The cost of building a tree, in passes over all nodes. */
  private static final int WORTH = 4;

  /** Where assertions are on, the trees of fleets up to this size are built, and checked. */
  private static final int ASSERTED_NODES = 2048;

  private final Ledger ledger;
  private final NodeTable nodes;
  private final Finder finder;
  private final LoadRule rule;

  /** Null while there is none. */
  private LoadTree tree;

  /** When a tree pays. */
  private final IndexCost cost = new IndexCost(WORTH);

  /**
   * Slots that changed since the tree was brought up to date, each once; the first {@code
   * dirtyCount} are in use.
   */
  private int[] dirty = new int[64];

  private int dirtyCount;
  private long[] dirtyBits = {};

  /** Changed nodes since the tree was built. */
  private int changes;

  /** Slots that are missing or outdated in the tree. */
  private final Set<Integer> loose = new LinkedHashSet<>();

  /** The best so far. */
  private int best;

  private long bestScore;

  private int misses;

  /** By slot a bit where the workload may fit, once {@link #narrowed}. */
  private long[] may = {};

  private boolean narrowed;

  /** Boxes that are still to be checked, and their bounds. */
  private final int[] boxes = new int[80];

  private final long[] bounds = new long[80];

  /**
   * The index of a ledger, which it follows from now on.
   *
   * @param finder the finder that decides what fits
   */
  public LoadIndex(Ledger ledger, Finder finder, LoadRule rule) {
    this.ledger = ledger;
    nodes = ledger.nodes();
    this.finder = finder;
    this.rule = rule;
    ledger.listen(this);
    ledger.listenToPlacements(this);
  }

  /**
   * The best of the nodes that a workload fits.
   *
   * <p>Where a node satisfies all preferences, the best nodes are those that do. Then the
   * preferences are hard rules for this search. Otherwise, all nodes that fit are compared by them.
   * Without this, a pod of {@code KubernetesBenchmark} ({@code SERVICE}) took 24 times as long on
   * 2026-11-25.
   *
   * @param known a node that fits, and is among the best by the preferences of the workload
   * @param friendly whether only friendly nodes count
   */
  public int best(Query query, int known, boolean friendly) {
    if (query.hasPreferences() && query.preferences.admits(known)) {
      try (Query strict = finder.strict(query)) {
        int found = best(strict, friendly);
        assert nodes.nodeCount() > ASSERTED_NODES
            || found == scan(query, friendly)
            || finder.isFaultOfRule(query);
        return found;
      }
    }
    return best(query, friendly);
  }

  private int best(Query query, boolean friendly) {
    assert agrees(query, friendly);
    return find(query, friendly, false);
  }

  /** The score of a node with a workload on it; the lowest is the best. */
  public long score(int node, Demand demand) {
    return rule.score(ledger.accounts(), node, demand);
  }

  /** Whether the tree finds what a check of every node finds. */
  private boolean agrees(Query query, boolean friendly) {
    return nodes.nodeCount() > ASSERTED_NODES
        || find(query, friendly, true) == scan(query, friendly)
        || finder.isFaultOfRule(query);
  }

  private int find(Query query, boolean friendly, boolean atOnce) {
    best = NodeTable.NONE;
    bestScore = Long.MAX_VALUE;
    if (atOnce || tree != null || cost.pays(nodes.nodeCount(), 0)) {
      bringUpToDate();
      tree.need.bind(query.demand());
      if (tree.need.meetsExtremeShares()) {
        return scan(query, friendly);
      }
      return search(query, friendly) ? best : checkAll(query, friendly);
    }
    return scan(query, friendly);
  }

  /** Checks every node that may fit. */
  private int checkAll(Query query, boolean friendly) {
    if (!narrowed) {
      return scan(query, friendly);
    }
    best = NodeTable.NONE;
    bestScore = Long.MAX_VALUE;
    checkLoose(query, friendly);
    for (int at = 0; at < may.length; at++) {
      for (long word = may[at]; word != 0; word &= word - 1) {
        int node = (at << 6) + Long.numberOfTrailingZeros(word);
        if (!tree.points.closed(node)) {
          checkNode(node, query, friendly);
        }
      }
    }
    return best;
  }

  private void checkLoose(Query query, boolean friendly) {
    for (int node : loose) {
      if (nodes.alive(node)) {
        checkNode(node, query, friendly);
      }
    }
  }

  /** Whether a node would be better than the best so far, but does not fit. */
  private boolean checkNode(int node, Query query, boolean friendly) {
    long score = tree.need.score(node);
    if (score > bestScore || (score == bestScore && node > best)) {
      return false;
    }
    if (!query.fits(node) || !finder.isCandidate(query, node, friendly)) {
      return true;
    }
    bestScore = score;
    best = node;
    return false;
  }

  /** Checks every node that fits. */
  private int scan(Query query, boolean friendly) {
    best = NodeTable.NONE;
    bestScore = Long.MAX_VALUE;
    for (int node = finder.nextCandidate(query, 0, friendly);
        node != NodeTable.NONE;
        node = finder.nextCandidate(query, node + 1, friendly)) {
      long score = tree == null ? score(node, query.demand()) : tree.need.score(node);
      if (score < bestScore) {
        bestScore = score;
        best = node;
      }
      cost.read(1);
    }
    cost.read(1);
    return best;
  }

  /** Answers false where too many nodes did not fit. */
  private boolean search(Query query, boolean friendly) {
    misses = 0;
    narrowed = false;
    checkLoose(query, friendly);
    boxes[0] = LoadTree.ROOT;
    bounds[0] = Long.MIN_VALUE;
    int open = 1;
    while (open > 0) {
      open--;
      int box = boxes[open];
      if (!promises(bounds[open], tree.bounds.least(box))) {
        continue;
      }
      while (!tree.leaf(box)) {
        int left = LoadTree.left(box);
        long boundLeft = tree.bounds.bound(left);
        long boundRight = tree.bounds.bound(left + 1);
        boolean rightFirst =
            boundRight < boundLeft
                || (boundRight == boundLeft
                    && tree.bounds.least(left + 1) < tree.bounds.least(left));
        int later = rightFirst ? left : left + 1;
        long laterBound = rightFirst ? boundLeft : boundRight;
        if (promises(laterBound, tree.bounds.least(later))) {
          boxes[open] = later;
          bounds[open++] = laterBound;
        }
        box = rightFirst ? left + 1 : left;
        if (!promises(rightFirst ? boundRight : boundLeft, tree.bounds.least(box))) {
          box = 0;
          break;
        }
      }
      if (box != 0 && !searchLeaf(box, query, friendly)) {
        return false;
      }
    }
    return best != NodeTable.NONE;
  }

  private boolean promises(long bound, int leastSlot) {
    return bound < bestScore || (bound == bestScore && leastSlot < best);
  }

  private boolean searchLeaf(int leaf, Query query, boolean friendly) {
    int to = tree.to(leaf);
    for (int at = tree.bounds.next(leaf, tree.from(leaf), to, bestScore, best);
        at < to;
        at = tree.bounds.next(leaf, at + 1, to, bestScore, best)) {
      int node = tree.node(at);
      if (tree.points.closed(node) || (narrowed && (may[node >> 6] >>> node & 1) == 0)) {
        continue;
      }
      if (checkNode(node, query, friendly)) {
        misses++;
        if (misses > PATIENCE || (misses == ROWS_AFTER && areFew(query, friendly))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Finds the nodes that may fit; returns whether they are few enough to check all. */
  private boolean areFew(Query query, boolean friendly) {
    int words = (nodes.slotCount() + 63) >> 6;
    may = may.length == words ? may : new long[words];
    int count = finder.mayFit(query, friendly, may);
    narrowed = count != NodeTable.NONE;
    return narrowed && count <= Math.max(PATIENCE, nodes.nodeCount() / ONE_IN);
  }

  private void bringUpToDate() {
    changes += dirtyCount;
    if (tree == null || (!loose.isEmpty() && changes > Math.max(64, nodes.nodeCount() / 4))) {
      dropTree();
      dirtyBits = new long[(nodes.slotCount() + 63) >> 6];
      tree = new LoadTree(ledger, rule);
      changes = 0;
    } else {
      for (int i = 0; i < dirtyCount; i++) {
        int node = dirty[i];
        dirtyBits[node >> 6] &= ~(1L << node);
        tree.changed(node);
      }
    }
    dirtyCount = 0;
  }

  // ---- following the ledger ----

  @Override
  public void charged(int node, Demand demand, int times) {
    touch(node);
  }

  private void touch(int node) {
    if (tree == null || !tree.points.has(node) || (dirtyBits[node >> 6] >>> node & 1) != 0) {
      return;
    }
    dirtyBits[node >> 6] |= 1L << node;
    if (dirtyCount == dirty.length) {
      dirty = Arrays.copyOf(dirty, 2 * dirtyCount);
    }
    dirty[dirtyCount++] = node;
  }

  @Override
  public void cordonChanged(int node) {
    touch(node);
  }

  @Override
  public void nodeAdded(int node) {
    leaveOut(node);
  }

  @Override
  public void nodeRemoving(int node) {
    leaveOut(node);
  }

  /** Checks a node beside the tree from now on, unless there are too many such nodes. */
  private void leaveOut(int node) {
    if (tree == null) {
      return;
    }
    if (loose.size() > LOOSE + nodes.nodeCount() / 256) {
      dropTree();
    } else if (loose.add(node)) {
      tree.points.leaveOut(node);
      touch(node);
    }
  }

  @Override
  public void reshaped() {
    dropTree();
    cost.dropped();
  }

  /** Nothing is kept in step with the ledger from now on. */
  private void dropTree() {
    tree = null;
    dirtyCount = 0;
    loose.clear();
  }

  // ---- audit ----

  /** Recomputes the tree, and the points of the nodes that have not changed since. */
  public void audit(Audit audit) {
    if (tree == null) {
      return;
    }
    tree.audit(audit);
    for (int node = 0; node < nodes.slotCount(); node++) {
      if (nodes.alive(node) && tree.points.has(node) && (dirtyBits[node >> 6] >>> node & 1) == 0) {
        tree.points.audit(audit, node);
      }
    }
  }
}
