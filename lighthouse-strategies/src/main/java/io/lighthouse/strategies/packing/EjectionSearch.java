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

  /** The most workloads of a node whose triples are tried for ejection. */
  private static final int TRIPLED = 16;

  /** The nodes after which a search stops at an ejection that is cheap enough. */
  private static final int ENOUGH_NODES = 128;

  /** The most ejections for one workload that the session may refuse. */
  private static final int REFUSALS = 4;

  private static final int MOST_PENALTY = 1 << 20;

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
        lookAt(load, node);
      } else if (!lookAndTest(load, node) && ++refused > REFUSALS) {
        break;
      }
    }
    return best;
  }

  private long cost(int load) {
    return penalty[load] * board.size[load];
  }

  /** Examines a node and tries out the ejection found; returns false if that was refused. */
  private boolean lookAndTest(int load, int node) {
    Found before = best;
    lookAt(load, node);
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

  /** Searches for the cheapest set of up to three workloads whose ejection makes room on a node. */
  private void lookAt(int load, int node) {
    int dims = board.dims;
    int held = board.held[node];
    int[] on = board.on[node];
    int forced = -1;
    if (board.groups[load].length > 0) {
      for (int i = 0; i < held; i++) {
        if (board.groups[on[i]].length > 0 && board.rivals(load, on[i])) {
          if (forced >= 0 || !board.movable[on[i]]) {
            return;
          }
          forced = on[i];
        }
      }
    }
    boolean lacks = false;
    for (int d = 0; d < dims; d++) {
      long asked = board.ask[load * dims + d];
      lack[d] = asked == Long.MIN_VALUE ? 0 : asked - board.left[node * dims + d];
      lack[d] -= forced < 0 ? 0 : board.need[forced * dims + d];
      lacks |= lack[d] > 0;
    }
    long base = forced < 0 ? 0 : cost(forced);
    if (base >= best.cost) {
      return;
    }
    if (!lacks) {
      if (forced >= 0) {
        keep(base, node, forced);
      }
      return;
    }
    if (members.length < held) {
      members = new int[2 * held];
      costs = new long[2 * held];
    }
    int count = 0;
    int shift = held > PAIRED ? chance.below(held) : 0;
    for (int k = 0; k < held; k++) {
      int other = on[k + shift < held ? k + shift : k + shift - held];
      long cost = cost(other) + base;
      if (other == forced || !board.movable[other] || cost >= best.cost || !helps(other)) {
        continue;
      }
      board.steps--;
      if (covers(other, -1, -1)) {
        keep(cost, node, other, forced);
      } else {
        members[count] = other;
        costs[count++] = cost;
      }
    }
    int paired = Math.min(count, PAIRED);
    for (int i = 0; i < paired; i++) {
      for (int j = i + 1; j < paired; j++) {
        long cost = costs[i] + costs[j] - base;
        if (cost < best.cost && covers(members[i], members[j], -1)) {
          keep(cost, node, members[i], members[j], forced);
        }
      }
    }
    board.steps -= paired * paired >> 3;
    if (count > TRIPLED) {
      return;
    }
    for (int i = 0; i < count; i++) {
      for (int j = i + 1; j < count; j++) {
        long two = costs[i] + costs[j] - 2 * base;
        if (two >= best.cost) {
          continue;
        }
        for (int k = j + 1; k < count; k++) {
          long cost = two + costs[k];
          if (cost < best.cost && covers(members[i], members[j], members[k])) {
            keep(cost, node, members[i], members[j], members[k], forced);
          }
        }
      }
    }
    board.steps -= count * count * count >> 4;
  }

  private void keep(long cost, int node, int... loads) {
    best = new Found(cost, node, Arrays.stream(loads).filter(load -> load >= 0).toArray());
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
        sum += two < 0 ? 0 : board.need[two * dims + d];
        sum += three < 0 ? 0 : board.need[three * dims + d];
        if (sum < lack[d]) {
          return false;
        }
      }
    }
    return true;
  }
}
