package io.lighthouse.strategies.packing;

import java.util.Arrays;

/**
 * Searches for the cheapest ejection that makes room for a workload on one node: up to three
 * workloads, and a rival of it where one is there. The cost of a workload is its size multiplied by
 * its penalty, which grows with each turn in which it has found no room itself.
 */
final class EjectionSearch {
  /** The most workloads of a node whose pairs are tried for ejection. */
  private static final int PAIRED = 64;

  /**
   * The most workloads of a node whose triples are tried for ejection. They are tried on equal
   * nodes alone; on others the steps win more elsewhere (docs/decisions, 181).
   */
  private static final int TRIPLED = 16;

  /** The nodes after which a search stops at an ejection that is cheap enough. */
  private static final int ENOUGH_NODES = 128;

  /** The most ejections for one workload that the session may refuse. */
  private static final int REFUSALS = 4;

  private static final int MOST_PENALTY = 1 << 20;

  /** Stands for no workload. */
  private static final int NONE = -1;

  /** Stands for rivals that cannot be ejected. */
  private static final int STAYS = -2;

  private static final Found NOTHING = new Found(Long.MAX_VALUE, Board.NOWHERE, new int[0]);

  private final Board board;
  private final Chance chance;

  /** By workload: 1 plus the turns in which it found no room. */
  private final int[] penalty;

  /** The cheapest ejection found for the present workload. */
  private Found best = NOTHING;

  /** The workloads of a node that may be ejected. */
  private int[] members = new int[64];

  /** The cost of ejecting each of {@link #members}. */
  private long[] costs = new long[64];

  private final long[] lack;

  /** The workloads to take off a node, and what that costs. */
  record Found(long cost, int node, int[] loads) {}

  EjectionSearch(Board board, Chance chance) {
    this.board = board;
    this.chance = chance;
    penalty = new int[board.loads];
    lack = new long[board.dims];
  }

  /** Forgets the penalties. */
  void clear() {
    Arrays.fill(penalty, 1);
  }

  /** Notes that a workload has found no room. */
  void penalize(int load) {
    penalty[load] = Math.min(penalty[load] + 1, MOST_PENALTY);
  }

  /** Searches for the ejection that makes room for a workload. */
  Found find(int load) {
    best = NOTHING;
    int count = board.openCount;
    int start = chance.below(Math.max(1, count));
    int refused = 0;
    for (int i = 0; i < count; i++) {
      int node = board.open[start + i < count ? start + i : start + i - count];
      if (i >= ENOUGH_NODES && best.cost < cost(load)) {
        break;
      }
      if (board.held[node] == 0 || !board.allows(load, node) || !couldFit(load, node)) {
        continue;
      }
      if (board.groups[load].length == 0) {
        examine(load, node);
      } else if (!examineAndTryOut(load, node) && ++refused > REFUSALS) {
        break;
      }
    }
    return best;
  }

  private long cost(int load) {
    return penalty[load] * board.size[load];
  }

  /** Examines a node and tries out the ejection found; returns false if that was refused. */
  private boolean examineAndTryOut(int load, int node) {
    Found before = best;
    examine(load, node);
    if (best == before) {
      return true;
    }
    Board.Mark mark = board.mark();
    for (int other : best.loads) {
      board.take(other);
    }
    boolean fits = board.fitsFriendly(load, node);
    board.back(mark);
    best = fits ? best : before; // The session may refuse for a reason that is not mirrored.
    return fits;
  }

  private boolean couldFit(int load, int node) {
    for (int d = 0; d < board.dims; d++) {
      long has = board.capacity[node * board.dims + d];
      if (has > 0 && has < board.ask[load * board.dims + d]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Searches for the cheapest set of up to three workloads whose ejection makes room on a node. The
   * only rival there is ejected as well.
   */
  private void examine(int load, int node) {
    int rival = rivalOf(load, node);
    if (rival == STAYS) {
      return;
    }
    boolean lacks = measureLack(load, node, rival);
    long base = rival == NONE ? 0 : cost(rival);
    if (base >= best.cost) {
      return;
    }
    if (lacks) {
      int count = trySingles(node, rival, base);
      tryPairs(node, rival, base, Math.min(count, PAIRED));
      if (board.uniform && count <= TRIPLED) {
        tryTriples(node, rival, base, count);
      }
    } else if (rival != NONE) {
      keep(base, node, rival);
    }
  }

  /**
   * The workload on a node that shares an aversion group with another one. {@link #NONE} without
   * one; {@link #STAYS} if there are several, or it cannot be moved.
   */
  private int rivalOf(int load, int node) {
    int rival = NONE;
    for (int i = 0; board.groups[load].length > 0 && i < board.held[node]; i++) {
      int other = board.on[node][i];
      if (board.rivals(load, other)) {
        if (rival != NONE || !board.movable[other]) {
          return STAYS;
        }
        rival = other;
      }
    }
    return rival;
  }

  /**
   * Computes what a node lacks for a workload without the rival. Returns whether it lacks anything.
   */
  private boolean measureLack(int load, int node, int rival) {
    int dims = board.dims;
    boolean lacks = false;
    for (int d = 0; d < dims; d++) {
      long asked = board.ask[load * dims + d];
      lack[d] = asked == Long.MIN_VALUE ? 0 : asked - board.left[node * dims + d];
      lack[d] -= rival == NONE ? 0 : board.need[rival * dims + d];
      lacks |= lack[d] > 0;
    }
    return lacks;
  }

  /**
   * Tries each workload of a node alone. Lists those that help, but not enough, in {@link
   * #members}; returns their number.
   */
  private int trySingles(int node, int rival, long base) {
    int held = board.held[node];
    if (members.length < held) {
      members = new int[2 * held];
      costs = new long[2 * held];
    }
    int count = 0;
    int shift = held > PAIRED ? chance.below(held) : 0;
    for (int k = 0; k < held; k++) {
      int other = board.on[node][k + shift < held ? k + shift : k + shift - held];
      long cost = cost(other) + base;
      if (other == rival || !board.movable[other] || cost >= best.cost || !helps(other)) {
        continue;
      }
      board.steps--;
      if (covers(other, NONE, NONE)) {
        keep(cost, node, other, rival);
      } else {
        members[count] = other;
        costs[count++] = cost;
      }
    }
    return count;
  }

  private void tryPairs(int node, int rival, long base, int count) {
    for (int i = 0; i < count; i++) {
      for (int j = i + 1; j < count; j++) {
        long cost = costs[i] + costs[j] - base;
        if (cost < best.cost && covers(members[i], members[j], NONE)) {
          keep(cost, node, members[i], members[j], rival);
        }
      }
    }
    board.steps -= count * count >> 3;
  }

  private void tryTriples(int node, int rival, long base, int count) {
    for (int i = 0; i < count; i++) {
      for (int j = i + 1; j < count; j++) {
        long two = costs[i] + costs[j] - 2 * base;
        for (int k = j + 1; k < count && two < best.cost; k++) {
          long cost = two + costs[k];
          if (cost < best.cost && covers(members[i], members[j], members[k])) {
            keep(cost, node, members[i], members[j], members[k], rival);
          }
        }
      }
    }
    board.steps -= count * count * count >> 4;
  }

  private void keep(long cost, int node, int... loads) {
    best = new Found(cost, node, Arrays.stream(loads).filter(load -> load != NONE).toArray());
  }

  private boolean helps(int other) {
    for (int d = 0; d < lack.length; d++) {
      if (lack[d] > 0 && board.need[other * lack.length + d] > 0) {
        return true;
      }
    }
    return false;
  }

  private boolean covers(int one, int two, int three) {
    int dims = lack.length;
    for (int d = 0; d < dims; d++) {
      if (lack[d] > 0) {
        long sum = board.need[one * dims + d];
        sum += two == NONE ? 0 : board.need[two * dims + d];
        sum += three == NONE ? 0 : board.need[three * dims + d];
        if (sum < lack[d]) {
          return false;
        }
      }
    }
    return true;
  }
}
