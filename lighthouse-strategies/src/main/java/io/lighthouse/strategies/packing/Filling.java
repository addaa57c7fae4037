package io.lighthouse.strategies.packing;

import io.lighthouse.api.strategy.Amounts;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * One-pass rules: they place the unplaced workloads, and visit each once. Panigrahy and others 2011
 * ("Heuristics for Vector Bin Packing") compare such rules; {@link #fill} is their bin-centric one.
 */
final class Filling {
  /** The most workloads that are compared for one place on a node. */
  private static final int SAMPLE = 512;

  /** How many times the weights are recomputed during a pass. */
  private static final int WEIGHINGS = 24;

  /**
   * The binary logarithm of the nodes that one step pays for when a search begins with first fit.
   * It keeps steps for the workloads that first fit leaves out.
   */
  private static final int GLANCE_BITS = 4;

  private static final long ONE = 1L << 30;

  /** An order of workloads. */
  enum LoadOrder {
    GIVEN,
    SUM,
    LARGEST,
    SQUARES
  }

  /** How nodes are filled. */
  enum Score {
    ALIGNED,
    DOT
  }

  private final Board board;
  private final int dims;
  private final long mostPairs;

  /** Rules for a board, of which one round compares at most some pairs of a node and a workload. */
  Filling(Board board, long mostPairs) {
    this.board = board;
    this.mostPairs = mostPairs;
    dims = board.dims;
  }

  /** The workloads without a node: those with negative requirements first, then the largest. */
  private int[] order(LoadOrder by) {
    int[] unplaced = unplaced();
    long[] keys = new long[board.loads];
    for (int load : unplaced) {
      long key = board.movable[load] ? key(load, by) : Long.MAX_VALUE >> 24;
      keys[load] = (Long.MAX_VALUE >> 24) - Math.min(key, Long.MAX_VALUE >> 24);
    }
    return Units.sorted(Arrays.stream(unplaced), Comparator.comparingLong(load -> keys[load]));
  }

  /** The workloads without a node, in the order given. */
  private int[] unplaced() {
    return IntStream.range(0, board.loads)
        .filter(load -> board.home[load] == Board.NOWHERE)
        .toArray();
  }

  private long key(int load, LoadOrder by) {
    long key = 0;
    for (int d = 0; d < dims; d++) {
      long part = board.parts[load * dims + d];
      switch (by) {
        case GIVEN -> key = 0;
        case SUM -> key += part;
        case LARGEST -> key = Math.max(key, part);
        default -> key += (part * part >> 14) * board.scarcity[d] >> 10;
      }
    }
    return key;
  }

  /**
   * The largest workload first, on the node in use whose fullest resource stays emptiest. A node is
   * put into use only if none in use fits.
   */
  void openFirst() {
    for (int load : order(LoadOrder.LARGEST)) {
      int node = emptiest(load, true);
      node = node == Board.NOWHERE ? emptiest(load, false) : node;
      if (node != Board.NOWHERE) {
        board.place(load, node);
      }
    }
  }

  /** Each workload in turn, on the first node that it fits. */
  void firstFit(LoadOrder by) {
    for (int load : order(by)) {
      int node = 0;
      while (node < board.nodes && !board.fitsFriendly(load, node)) {
        node++;
      }
      int looked = Math.min(node + 1, board.nodes);
      board.steps -= by == LoadOrder.GIVEN ? 1 + (looked >> GLANCE_BITS) : looked;
      if (node < board.nodes) {
        board.place(load, node);
      }
    }
  }

  private int emptiest(int load, boolean inUse) {
    int found = Board.NOWHERE;
    long least = Long.MAX_VALUE;
    board.steps -= board.nodes >> 2;
    for (int node = 0; node < board.nodes; node++) {
      if (board.inUse(node) != inUse || !board.hasRoom(load, node)) {
        continue;
      }
      board.steps--;
      long fullest = 0;
      for (int d = 0; d < dims; d++) {
        long has = board.capacity[node * dims + d];
        if (has > 0) {
          long used = has - board.left[node * dims + d] + board.need[load * dims + d];
          fullest = Math.max(fullest, share(used, has));
        }
      }
      if (fullest < least && board.fitsFriendly(load, node)) {
        least = fullest;
        found = node;
      }
    }
    return found;
  }

  /** A share in parts of 2^30, rounded down; the capacity is cut to 31 bits. */
  private static long share(long used, long has) {
    int shift = Math.max(0, 32 - Long.numberOfLeadingZeros(Math.max(used, has)));
    return used <= 0 ? 0 : ((used >> shift) * ONE) / Math.max(1, has >> shift);
  }

  /** Whether a rule that compares each workload with each node would take too long. */
  boolean isLarge() {
    return (long) board.nodes * board.loads > mostPairs;
  }

  /**
   * Fills node after node with the workloads of the best score. A large problem is divided into
   * parts that are alike ({@link Partition}), and each comparison stays within its part. What the
   * parts leave out is divided again, as long as that places some.
   */
  void fill(int[] nodes, Score score) {
    int[] rest = order(LoadOrder.SUM);
    long[] roots = new long[board.loads];
    int before = Integer.MAX_VALUE;
    while (rest.length > 0 && rest.length < before) {
      before = rest.length;
      int parts = Math.toIntExact((long) nodes.length * before / mostPairs + 1);
      new Partition(board, parts, nodes, rest)
          .change(
              part -> new Filling(part, mostPairs).fillPart(score),
              (some, unplaced) -> fillPart(some, unplaced, roots, score));
      rest = parts > 1 ? order(LoadOrder.SUM) : rest;
    }
  }

  /** Fills the nodes of a part in their order; its unplaced workloads are in order already. */
  void fillPart(Score score) {
    fillPart(asGiven(), unplaced(), new long[board.loads], score);
  }

  private void fillPart(int[] nodes, int[] rest, long[] roots, Score score) {
    int restCount = rest.length;
    long[] weights = new long[dims];
    int[] listed = new int[Math.max(1, restCount)];
    int every = Math.max(1, nodes.length / WEIGHINGS);
    for (int n = 0; n < nodes.length && restCount > 0; n++) {
      if (n % every == 0) {
        weigh(rest, restCount, nodes, n, weights, roots, score);
      }
      boolean more = true;
      while (more) {
        more = fillOnce(nodes[n], rest, restCount, listed, weights, roots);
      }
      int kept = 0;
      for (int i = 0; i < restCount; i++) {
        if (board.home[rest[i]] == Board.NOWHERE) {
          rest[kept++] = rest[i];
        }
      }
      restCount = kept;
    }
  }

  /** Fills a node from a sample of the workloads that fit; returns whether others may fit, too. */
  private boolean fillOnce(
      int node, int[] rest, int restCount, int[] listed, long[] weights, long[] roots) {
    int count = 0;
    board.steps -= restCount >> 2;
    for (int i = 0; i < restCount; i++) {
      if (board.home[rest[i]] == Board.NOWHERE
          && board.hasRoom(rest[i], node)
          && board.allows(rest[i], node)) {
        listed[count++] = rest[i];
      }
    }
    int stride = (count + SAMPLE - 1) / SAMPLE;
    if (stride > 1) {
      int sampled = 0;
      for (int i = 0; i < count; i += stride) {
        listed[sampled++] = listed[i];
      }
      count = sampled;
    }
    boolean any = false;
    long[] room = new long[dims];
    while (count > 0) {
      for (int d = 0; d < dims; d++) {
        long left = board.left[node * dims + d];
        room[d] =
            left == Amounts.INFINITY ? 0 : Units.parts(left, board.mean[d]) * weights[d] >> 10;
      }
      int best = -1;
      long bestScore = -1;
      int kept = 0;
      board.steps -= count;
      for (int i = 0; i < count; i++) {
        int load = listed[i];
        if (board.home[load] != Board.NOWHERE || !board.hasRoom(load, node)) {
          continue;
        }
        long dot = 0;
        for (int d = 0; d < dims; d++) {
          dot += room[d] * board.parts[load * dims + d];
        }
        long score = (dot >> 16) * roots[load];
        if (score > bestScore) {
          bestScore = score;
          best = kept;
        }
        listed[kept++] = load;
      }
      count = kept;
      if (best >= 0) {
        int load = listed[best];
        if (board.fitsFriendly(load, node)) {
          board.place(load, node);
          any = true;
        }
        listed[best] = listed[--count];
      }
    }
    return any && stride > 1;
  }

  /**
   * Computes weights and roots. The weight of a resource is the remaining demand divided by the
   * remaining capacity, in parts of 2^10; on equal nodes it is the demand alone. A workload's root
   * is the factor that turns its dot product into its score.
   */
  private void weigh(
      int[] rest, int restCount, int[] nodes, int from, long[] weights, long[] roots, Score score) {
    long[] demand = new long[dims];
    long[] supply = new long[dims];
    for (int i = 0; i < restCount; i++) {
      for (int d = 0; d < dims; d++) {
        demand[d] += board.parts[rest[i] * dims + d];
      }
    }
    for (int n = from; n < nodes.length; n++) {
      for (int d = 0; d < dims; d++) {
        long left = board.left[nodes[n] * dims + d];
        supply[d] += left == Amounts.INFINITY ? 0 : Units.parts(left, board.mean[d]);
      }
    }
    long most = 1;
    for (int d = 0; d < dims; d++) {
      weights[d] = board.uniform ? demand[d] : (demand[d] << 12) / Math.max(1, supply[d]);
      most = Math.max(most, weights[d]);
    }
    for (int d = 0; d < dims; d++) {
      weights[d] = Math.max(1, (weights[d] << 10) / most);
    }
    for (int i = 0; i < restCount; i++) {
      int load = rest[i];
      long squares = 1;
      for (int d = 0; d < dims; d++) {
        long part = board.parts[load * dims + d];
        squares += part * part * weights[d] >> 10;
      }
      long root = score == Score.DOT ? 1 : root(root(squares) << 20);
      roots[load] = score == Score.DOT ? 1 << 10 : (1L << 30) / Math.max(1, root);
    }
  }

  /** The root of a number above 0, rounded down, by Newton's iteration. */
  private static long root(long square) {
    long root;
    long next = 1L << ((65 - Long.numberOfLeadingZeros(square)) >> 1);
    do {
      root = next;
      next = (root + square / root) >> 1;
    } while (next < root);
    return root;
  }

  /** The nodes as given. */
  int[] asGiven() {
    return IntStream.range(0, board.nodes).toArray();
  }

  /** The nodes in use first, then the others, the cheapest for their size first. */
  int[] cheapestFirst(long[] prices) {
    BigInteger[] costs = new BigInteger[board.nodes];
    for (int node = 0; node < costs.length; node++) {
      BigInteger price = BigInteger.valueOf(prices[node]).shiftLeft(Long.SIZE);
      costs[node] =
          board.inUse(node)
              ? BigInteger.ONE.negate()
              : price.divide(BigInteger.valueOf(board.sizeOf(node)));
    }
    return Units.sorted(IntStream.range(0, board.nodes), Comparator.comparing(node -> costs[node]));
  }

  /** The nodes in use first, then the others; both with the largest first. */
  int[] largestFirst() {
    long[] sizes = new long[board.nodes];
    Arrays.setAll(sizes, node -> board.sizeOf(node) + (board.inUse(node) ? 1L << 50 : 0));
    return Units.sorted(
        IntStream.range(0, board.nodes), Comparator.comparingLong(node -> -sizes[node]));
  }
}
