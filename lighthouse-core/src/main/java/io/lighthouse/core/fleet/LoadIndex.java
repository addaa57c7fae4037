package io.lighthouse.core.fleet;

import io.lighthouse.core.feasibility.Finder;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.LedgerListener;
import io.lighthouse.core.ledger.NodeTable;
import java.util.Arrays;

/**
 * The best node by a {@link LoadRule}, without looking at most nodes.
 *
 * <p>A k-d tree (Bentley 1975) over the nodes, with a point for each: what is in use of its common
 * resources, as shares of its capacity. Each box of the tree knows the bounds of its points, and so
 * a bound of the rule for all of them; the search is branch and bound, the better box first. A node
 * that changes stays in its box, whose bounds are counted anew up to the root; when half of the
 * nodes have changed, the tree is built anew.
 *
 * <p>Every node that would be better is put to the exact check. Where too many say no (few nodes
 * have the tag), the nodes that fit are asked from the finder instead, all of them. Trees are built
 * when so many nodes have been looked at without one as it costs.
 */
final class LoadIndex implements LedgerListener {
  /** So many nodes that are better and do not fit are too many. */
  private static final int PATIENCE = 64;

  /** A tree costs about as much as looking at every node so often. */
  private static final int WORTH = 4;

  /** Where assertions are on, the trees of fleets up to this size are built, and checked. */
  private static final int ASSERTED_NODES = 2048;

  private final NodeTable nodes;
  private final Finder finder;
  private final LoadPoints points;

  /** Null while there is none. */
  private LoadTree tree;

  /** Nodes looked at since there is no tree. */
  private long work;

  /** Slots that changed since the tree was brought up to date; the first so many, each once. */
  private int[] dirty = new int[64];

  private int dirtyCount;
  private long[] dirtyBits = {};

  /** Changed nodes since the tree was built. */
  private int changes;

  /** The best so far. */
  private int best;

  private long bestScore;
  private int misses;

  /** Boxes that are still to be looked at, and their bounds. */
  private final int[] boxes = new int[80];

  private final long[] bounds = new long[80];

  LoadIndex(Ledger ledger, Finder finder, LoadRule rule) {
    nodes = ledger.nodes();
    this.finder = finder;
    points = new LoadPoints(ledger, rule);
    ledger.listen(this);
  }

  /**
   * The best of the nodes that a workload fits.
   *
   * @param demand what the workload needs; some node fits
   * @param friendly whether only friendly nodes count
   */
  int best(Demand demand, boolean friendly) {
    assert agrees(demand, friendly);
    return find(demand, friendly, false);
  }

  /** Whether the tree finds what a look at every node finds. */
  private boolean agrees(Demand demand, boolean friendly) {
    return nodes.nodeCount() > ASSERTED_NODES
        || find(demand, friendly, true) == scan(demand, friendly);
  }

  private int find(Demand demand, boolean friendly, boolean atOnce) {
    best = Finder.NONE;
    bestScore = Long.MAX_VALUE;
    if (atOnce || tree != null || work >= (long) WORTH * nodes.nodeCount()) {
      bringUpToDate();
      points.take(demand);
      if (search(demand, friendly)) {
        return best;
      }
    } else {
      points.take(demand);
    }
    return scan(demand, friendly);
  }

  /** Looks at every node that fits. */
  private int scan(Demand demand, boolean friendly) {
    best = Finder.NONE;
    bestScore = Long.MAX_VALUE;
    for (int node = finder.nextCandidate(demand, 0, friendly);
        node != Finder.NONE;
        node = finder.nextCandidate(demand, node + 1, friendly)) {
      long score = points.score(node, demand);
      if (score < bestScore) {
        bestScore = score;
        best = node;
      }
      work++;
    }
    work++;
    return best;
  }

  /** Answers false where too many nodes did not fit. */
  private boolean search(Demand demand, boolean friendly) {
    misses = 0;
    boxes[0] = LoadTree.ROOT;
    bounds[0] = Long.MIN_VALUE;
    int open = 1;
    while (open > 0) {
      open--;
      int box = boxes[open];
      if (!promises(bounds[open], tree.least(box))) {
        continue;
      }
      while (!tree.leaf(box)) {
        int left = LoadTree.left(box);
        long boundLeft = tree.bound(left);
        long boundRight = tree.bound(left + 1);
        boolean rightFirst =
            boundRight < boundLeft
                || (boundRight == boundLeft && tree.least(left + 1) < tree.least(left));
        int later = rightFirst ? left : left + 1;
        long laterBound = rightFirst ? boundLeft : boundRight;
        if (promises(laterBound, tree.least(later))) {
          boxes[open] = later;
          bounds[open++] = laterBound;
        }
        box = rightFirst ? left + 1 : left;
        if (!promises(rightFirst ? boundRight : boundLeft, tree.least(box))) {
          box = 0;
          break;
        }
      }
      if (box != 0 && !searchLeaf(box, demand, friendly)) {
        return false;
      }
    }
    return best != Finder.NONE;
  }

  private boolean promises(long bound, int leastSlot) {
    return bound < bestScore || (bound == bestScore && leastSlot < best);
  }

  private boolean searchLeaf(int leaf, Demand demand, boolean friendly) {
    for (int at = tree.from(leaf); at < tree.to(leaf); at++) {
      int node = tree.node(at);
      if (points.closed(node) || !points.mayHaveRoom(node)) {
        continue;
      }
      long score = points.score(node, demand);
      if (score < bestScore || (score == bestScore && node < best)) {
        if (finder.fits(node, demand) && finder.isCandidate(node, demand, friendly)) {
          bestScore = score;
          best = node;
        } else if (++misses > PATIENCE) {
          return false;
        }
      }
    }
    return true;
  }

  private void bringUpToDate() {
    changes += dirtyCount;
    if (tree == null || changes > Math.max(64, nodes.nodeCount() / 4)) {
      points.readAll();
      tree = new LoadTree(points);
      dirtyBits = new long[(nodes.slotCount() + 63) >> 6];
      changes = 0;
    } else {
      for (int i = 0; i < dirtyCount; i++) {
        int node = dirty[i];
        dirtyBits[node >> 6] &= ~(1L << node);
        points.read(node);
        tree.changed(node);
      }
    }
    dirtyCount = 0;
  }

  // ---- following the ledger ----

  @Override
  public void charged(int node, Demand demand, int sign) {
    touch(node);
  }

  private void touch(int node) {
    if (tree == null || (dirtyBits[node >> 6] >>> node & 1) != 0) {
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
  public void nodeCame(int node) {
    forget();
  }

  @Override
  public void nodeLeaving(int node) {
    forget();
  }

  @Override
  public void renumbered(int[] renumbered) {
    forget();
  }

  @Override
  public void reshaped() {
    forget();
  }

  private void forget() {
    tree = null;
    points.forget();
    dirtyCount = 0;
    work = 0;
  }
}
