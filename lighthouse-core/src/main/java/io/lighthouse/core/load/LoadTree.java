package io.lighthouse.core.load;

import io.lighthouse.core.account.Audit;
import io.lighthouse.core.ledger.Ledger;

/**
 * A k-d tree over points of load, by halves down to a few nodes a leaf: which node is in which
 * leaf. The boxes are numbered as in a heap: the children of a box b are 2b and 2b + 1. {@link
 * LoadDivisions} knows how a box is divided, and {@link LoadBounds} its bounds.
 *
 * <p>By {@link LoadRule#VARIANCE}, a node whose load changes moves to another leaf. A box of equal
 * capacities is divided anew once many changes have left nodes where they may not belong. What this
 * wins (docs/lab/engine.md and packings.md):
 *
 * <ul>
 *   <li>Without dividing anew, a batch of {@code spread} ({@code fleet-problem 100000 1000000 2
 *       80}) took 14 s on 2026-11-26, and 12.5 s with it.
 *   <li>Without moves, {@code balance} on 10,000 nodes of four kinds took 1.9 times as long on
 *       2026-11-28, and {@code BatchBenchmark} ({@code BALANCE}, 10,000 nodes) 1.4 times on
 *       2026-11-29.
 *   <li>With one count of misplaced nodes for all boxes, {@code BatchBenchmark} took 1.9 times as
 *       long ({@code BALANCE}) and 2.1 times ({@code SPREAD}) on 2026-11-29.
 * </ul>
 */
final class LoadTree {
  static final int ROOT = 1;

  /** A leaf has this many nodes at most where the tree is built by halves. */
  private static final int LEAF = 8;

  /** The number of places of a leaf. */
  private static final int PLACES = 12;

  /** For each of its leaves, a box has this many misplaced nodes before it is divided anew. */
  private static final int MOST_MISPLACED = 4;

  /** Where nodes do not move, a box with fewer levels below it is not divided anew alone. */
  private static final int FEW_LEVELS = 3;

  final LoadPoints points;

  /** What the workload of the search needs. */
  final LoadNeed need;

  final LoadBounds bounds;

  private final LoadDivisions divisions;

  /** Whether nodes move. */
  private final boolean movesNodes;

  /** Boxes from here on are leaves; there are twice as many boxes. */
  private final int leaves;

  /** The slots of the nodes, by place: those of a leaf are the first of its places. */
  private final int[] nodes;

  /** The number of nodes of each box. */
  private final int[] sizes;

  /** By slot its leaf; 0 where it has none. */
  private final int[] leafOf;

  /**
   * By box how many changes, since it was divided, have left a node of it where it may not belong,
   * in this box or in a box within.
   */
  private final int[] misplaced;

  /** The nodes of a box that is being divided. */
  private final int[] order;

  /** The coordinates of a node that moves. */
  private final long[] coordinates;

  /** Reads all nodes of a ledger. */
  LoadTree(Ledger ledger, LoadRule rule) {
    points = new LoadPoints(ledger, rule);
    need = new LoadNeed(ledger, points);
    movesNodes = rule == LoadRule.VARIANCE;
    order = points.byKind();
    int count = 1;
    while (count * LEAF < order.length) {
      count *= 2;
    }
    leaves = count;
    nodes = new int[leaves * PLACES];
    sizes = new int[2 * leaves];
    leafOf = new int[points.kinds.length];
    misplaced = new int[2 * leaves];
    coordinates = new long[points.dimensions];
    divisions = new LoadDivisions(points, leaves, order);
    bounds = new LoadBounds(points, need, leaves, nodes);
    split(ROOT, 0, order.length);
  }

  /** Divides some nodes of {@link #order} among the leaves of a box. */
  private void split(int box, int from, int to) {
    misplaced[box] = 0;
    bounds.readKind(box, order, from, to);
    if (leaf(box)) {
      sizes[box] = to - from;
      System.arraycopy(order, from, nodes, from(box), to - from);
      for (int at = from; at < to; at++) {
        leafOf[order[at]] = box;
      }
    } else {
      int middle =
          from == to || points.dimensions == 0
              ? (from + to) >>> 1
              : divisions.divide(box, bounds.isOneKind(box), from, to, PLACES << height(left(box)));
      split(left(box), from, middle);
      split(left(box) + 1, middle, to);
    }
    bind(box);
  }

  // ---- following changes ----

  /**
   * A node has changed. By {@link LoadRule#VARIANCE} it moves to the leaf where it belongs now. By
   * {@link LoadRule#FULLEST} the loads of all nodes grow together, and most leaves are outdated
   * before moves win anything. So there each change counts as misplaced.
   */
  void changed(int node) {
    points.read(node);
    int leaf = leafOf[node];
    if (leaf == 0) {
      return;
    }
    int around = movesNodes ? move(node, leaf) : leaf >> FEW_LEVELS;
    int outdated = around < leaves ? misplaced(around) : 0;
    if (outdated != 0) {
      split(outdated, 0, gather(outdated));
    }
    for (int box = outdated == 0 ? leafOf[node] : outdated >> 1; box >= ROOT; box >>= 1) {
      bind(box);
    }
  }

  /**
   * Moves a node to the leaf where it belongs, or near it where that leaf is full.
   *
   * @return the smallest box around its leaf in which it belongs
   */
  private int move(int node, int from) {
    int around = leafFor(node, from);
    while (isFull(around) && !contains(around, from)) {
      around >>= 1;
    }
    if (!contains(around, from)) {
      int to = around;
      while (!leaf(to)) {
        to = left(to) + (sizes[left(to)] <= sizes[left(to) + 1] ? 0 : 1);
      }
      remove(node, from);
      add(node, to);
      for (int box = from; !contains(box, to); box >>= 1) {
        bind(box);
      }
    }
    return around;
  }

  /** Counts a node as misplaced within a box; returns the largest box to be divided anew, or 0. */
  private int misplaced(int within) {
    int outdated = 0;
    for (int box = within; box >= ROOT && bounds.isOneKind(box); box >>= 1) {
      misplaced[box]++;
      if (misplaced[box] > MOST_MISPLACED << height(box)) {
        outdated = box;
      }
    }
    return outdated;
  }

  /** The leaf where a node belongs. In a box of several kinds it stays where it was. */
  private int leafFor(int node, int before) {
    points.locate(node, coordinates);
    int box = ROOT;
    for (int below = height(ROOT) - 1; below >= 0; below--) {
      boolean isRight =
          bounds.isOneKind(box) && points.dimensions > 0
              ? divisions.isRight(box, node, coordinates)
              : (before >> below & 1) != 0;
      box = left(box) + (isRight ? 1 : 0);
    }
    return box;
  }

  private void remove(int node, int leaf) {
    int at = from(leaf);
    while (nodes[at] != node) {
      at++;
    }
    sizes[leaf]--;
    nodes[at] = nodes[to(leaf)];
  }

  private void add(int node, int leaf) {
    nodes[to(leaf)] = node;
    sizes[leaf]++;
    leafOf[node] = leaf;
  }

  /** Reads the nodes of a box into {@link #order}; returns their number. */
  private int gather(int box) {
    int count = 0;
    for (int leaf = box << height(box); leaf < (box + 1) << height(box); leaf++) {
      System.arraycopy(nodes, from(leaf), order, count, sizes[leaf]);
      count += sizes[leaf];
    }
    return count;
  }

  /** Computes the size and the bounds of a box, those of its children being right. */
  private void bind(int box) {
    if (!leaf(box)) {
      sizes[box] = sizes[left(box)] + sizes[left(box) + 1];
    }
    bind(box, bounds);
  }

  private void bind(int box, LoadBounds into) {
    if (leaf(box)) {
      into.bindLeaf(box, from(box), to(box));
    } else {
      into.bindChildren(box);
    }
  }

  // ---- boxes ----

  /** The left one of the two boxes within a box. The other is the next. */
  static int left(int box) {
    return 2 * box;
  }

  boolean leaf(int box) {
    return box >= leaves;
  }

  private boolean isFull(int box) {
    return sizes[box] == PLACES << height(box);
  }

  private boolean contains(int box, int leaf) {
    return leaf >> height(box) == box;
  }

  /** The number of levels below a box. */
  private int height(int box) {
    return Integer.numberOfLeadingZeros(box) - Integer.numberOfLeadingZeros(leaves);
  }

  /** The first place of a leaf. */
  int from(int leaf) {
    return (leaf - leaves) * PLACES;
  }

  /** The place behind its last node. */
  int to(int leaf) {
    return from(leaf) + sizes[leaf];
  }

  /** The slot of the node in a place. */
  int node(int at) {
    return nodes[at];
  }

  // ---- audit ----

  /** Recomputes the bounds and the sizes of all boxes, and the places of the nodes. */
  void audit(Audit audit) {
    int inLeaves = 0;
    for (int node = 0; node < leafOf.length; node++) {
      inLeaves += leafOf[node] == 0 ? 0 : 1;
    }
    int inBoxes = 0;
    for (int leaf = leaves; leaf < 2 * leaves; leaf++) {
      inBoxes += sizes[leaf];
      for (int at = from(leaf); at < to(leaf); at++) {
        audit.equal("load: leaf of node", nodes[at], leaf, leafOf[nodes[at]]);
      }
    }
    audit.equal("load: nodes in the tree", ROOT, inLeaves, inBoxes);
    if (inLeaves == inBoxes) {
      auditBoxes(audit);
      auditPlaces(audit);
    }
  }

  private void auditBoxes(Audit audit) {
    LoadBounds fresh = bounds.ofSameKinds();
    for (int box = 2 * leaves - 1; box >= ROOT; box--) {
      int count = gather(box);
      audit.equal("load: nodes of box", box, count, sizes[box]);
      bounds.auditKind(audit, box, order, count);
      fresh.findInverses(box, order, 0, count);
      bind(box, fresh);
    }
    bounds.audit(audit, fresh);
  }

  /**
   * Checks that no box of equal capacities has more nodes in its wrong half than it has counted.
   */
  private void auditPlaces(Audit audit) {
    int[] elsewhere = new int[2 * leaves];
    for (int leaf = leaves; leaf < 2 * leaves; leaf++) {
      for (int at = from(leaf); at < to(leaf); at++) {
        int belongs = leafFor(nodes[at], leaf);
        int box = leaf;
        while (!contains(box, belongs)) {
          box >>= 1;
        }
        elsewhere[box]++;
      }
    }
    for (int box = ROOT; box < leaves; box++) {
      if (bounds.isOneKind(box) && (movesNodes || height(box) >= FEW_LEVELS)) {
        int most = Math.max(elsewhere[box], misplaced[box]);
        audit.equal("load: misplaced nodes of box", box, most, misplaced[box]);
      }
    }
  }
}
