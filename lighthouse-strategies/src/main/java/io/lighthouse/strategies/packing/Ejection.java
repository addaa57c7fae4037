package io.lighthouse.strategies.packing;

import io.lighthouse.api.strategy.Amounts;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Makes room for workloads without a node by ejecting smaller ones, which are then placed
 * elsewhere: an ejection pool with guided penalties (Nagata and Braysy 2009), with sizes as
 * weights. Between ejections, a few random swaps and moves perturb the placement.
 */
final class Ejection {
  /** The most workloads of a node whose pairs are tried for ejection. */
  private static final int PAIRED = 64;

  /** The most workloads of a node whose triples are tried for ejection. */
  private static final int TRIPLED = 16;

  /** The nodes after which a search stops at an ejection that is cheap enough. */
  private static final int ENOUGH_NODES = 128;

  /** The most ejections for one workload that the session may refuse. */
  private static final int REFUSALS = 4;

  /** The random swaps and moves tried between ejections. */
  private static final int SHAKES = 20;

  /** The same on equal nodes. */
  private static final int UNIFORM_SHAKES = 100;

  private final Board board;
  private final Chance chance;

  /** Whether the smaller of two pools is the one with fewer workloads, and not with less size. */
  private final boolean byNumber;

  /** By workload: 1 plus the turns in which it found no room. */
  private final int[] penalty;

  /** The workloads without a node; the last is placed next. */
  private int[] pool = new int[16];

  private int poolSize;
  private long poolWeight;

  /** The cost of the cheapest ejection found for the present workload. */
  private long best;

  private int bestNode;
  private final int[] bestSet = new int[4];
  private int bestCount;

  /** The workloads of a node that may be ejected. */
  private int[] members = new int[64];

  /** The cost of ejecting each of {@link #members}. */
  private long[] costs = new long[64];

  private final long[] lack;

  Ejection(Board board, Chance chance, boolean byNumber) {
    this.board = board;
    this.chance = chance;
    this.byNumber = byNumber;
    penalty = new int[board.loads];
    lack = new long[board.dims];
  }

  /** The random numbers of the search. */
  Chance chance() {
    return chance;
  }

  void clear() {
    poolSize = 0;
    poolWeight = 0;
    Arrays.fill(penalty, 1);
  }

  /** Adds all workloads without a node that may move; returns whether there are any. */
  boolean addUnplaced() {
    boolean any = false;
    for (int load = 0; load < board.loads; load++) {
      if (board.home[load] == Board.NOWHERE && board.movable[load]) {
        add(load);
        any = true;
      }
    }
    return any;
  }

  /** Adds a workload without a node. */
  void add(int load) {
    if (poolSize == pool.length) {
      pool = Arrays.copyOf(pool, 2 * poolSize);
    }
    pool[poolSize++] = load;
    poolWeight += board.size[load];
  }

  /** Sorts the pool so that the largest workload is placed next. */
  void sort() {
    int[] sorted =
        Arrays.stream(pool, 0, poolSize)
            .boxed()
            .sorted(
                (a, b) ->
                    board.size[a] != board.size[b]
                        ? Long.compare(board.size[a], board.size[b])
                        : Integer.compare(b, a))
            .mapToInt(Integer::intValue)
            .toArray();
    System.arraycopy(sorted, 0, pool, 0, poolSize);
  }

  /**
   * Searches for room for all workloads in the pool. Returns whether all have a node. If not, it
   * restores the state with the smallest pool that occurred.
   *
   * @param turns the most turns
   * @param follows whether the session is brought to each such state; if it refuses one, the search
   *     ends in the last state that it accepted
   * @param onPlaced receives each node on which a turn has placed a workload
   */
  boolean run(long turns, boolean follows, IntConsumer onPlaced) {
    Board.Mark smallest = board.mark();
    int smallestSize = poolSize;
    long smallestWeight = poolWeight;
    for (long turn = 0; turn < turns && poolSize > 0 && board.steps > 0; turn++) {
      board.checkBudget();
      int load = pool[--poolSize];
      poolWeight -= board.size[load];
      int node = room(load);
      if (node != Board.NOWHERE) {
        board.place(load, node);
        onPlaced.accept(node);
        if (byNumber && poolSize != smallestSize
            ? poolSize < smallestSize
            : poolWeight < smallestWeight) {
          if (follows && !board.carryOut(smallest)) {
            board.back(smallest);
            return false;
          }
          smallestSize = poolSize;
          smallestWeight = poolWeight;
          board.forget(smallest);
          smallest = board.mark();
        }
        continue;
      }
      penalty[load] += penalty[load] < 1 << 20 ? 1 : 0;
      if (eject(load)) {
        onPlaced.accept(bestNode);
      } else {
        pool = Arrays.copyOf(pool, Math.max(pool.length, poolSize + 1));
        System.arraycopy(pool, 0, pool, 1, poolSize); // It waits until all others have had a turn.
        pool[0] = load;
        poolSize++;
        poolWeight += board.size[load];
      }
      shake();
    }
    if (poolSize == 0) {
      board.forget(smallest);
      return true;
    }
    board.back(smallest);
    return false;
  }

  /** The friendly node that a workload fits with the least left over; prefers nodes in use. */
  private int room(int load) {
    int found = Board.NOWHERE;
    long least = Long.MAX_VALUE;
    int dims = board.dims;
    board.steps -= board.openCount >> 2;
    for (int i = 0; i < board.openCount; i++) {
      int node = board.open[i];
      if (!board.hasRoom(load, node)) {
        continue;
      }
      long rest = board.inUse(node) ? 0 : 1L << 50;
      for (int d = 0; d < dims; d++) {
        long over = board.left[node * dims + d] - board.need[load * dims + d];
        rest += board.scarcity[d] * Units.parts(over, board.mean[d]);
      }
      board.steps--;
      if (rest < least && board.fitsFriendly(load, node)) {
        least = rest;
        found = node;
      }
    }
    return found;
  }

  /**
   * Puts a workload in the place of others, on {@link #bestNode}; returns false if no ejection
   * makes room for it.
   */
  private boolean eject(int load) {
    best = Long.MAX_VALUE;
    bestNode = Board.NOWHERE;
    int count = board.openCount;
    int start = chance.below(Math.max(1, count));
    int refused = 0;
    for (int i = 0; i < count; i++) {
      int node = board.open[start + i < count ? start + i : start + i - count];
      if (i >= ENOUGH_NODES && best < penalty[load] * board.size[load]) {
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
    return bestNode != Board.NOWHERE && commit(load);
  }

  /** Examines a node and tries out the ejection found; returns false if that was refused. */
  private boolean lookAndTest(int load, int node) {
    long before = best;
    int nodeBefore = bestNode;
    int countBefore = bestCount;
    int[] setBefore = bestSet.clone();
    lookAt(load, node);
    if (best == before) {
      return true;
    }
    Board.Mark mark = board.mark();
    for (int i = 0; i < bestCount; i++) {
      board.take(bestSet[i]);
    }
    boolean fits = board.fitsFriendly(load, bestNode);
    board.back(mark);
    if (!fits) { // The session refuses for a reason that is not mirrored.
      best = before;
      bestNode = nodeBefore;
      bestCount = countBefore;
      System.arraycopy(setBefore, 0, bestSet, 0, setBefore.length);
    }
    return fits;
  }

  private boolean commit(int load) {
    Board.Mark mark = board.mark();
    for (int i = 0; i < bestCount; i++) {
      board.take(bestSet[i]);
    }
    if (!board.fitsFriendly(load, bestNode)) {
      board.back(mark);
      return false;
    }
    board.place(load, bestNode);
    board.forget(mark);
    for (int i = 1; i < bestCount; i++) { // The largest is placed next.
      for (int k = i; k > 0 && board.size[bestSet[k]] < board.size[bestSet[k - 1]]; k--) {
        int moved = bestSet[k];
        bestSet[k] = bestSet[k - 1];
        bestSet[k - 1] = moved;
      }
    }
    for (int i = 0; i < bestCount; i++) {
      add(bestSet[i]);
    }
    return true;
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
    long base = forced < 0 ? 0 : penalty[forced] * board.size[forced];
    if (base >= best) {
      return;
    }
    if (!lacks) {
      if (forced >= 0) {
        keep(base, node, forced, -1, -1, -1);
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
      long cost = penalty[other] * board.size[other] + base;
      if (other == forced || !board.movable[other] || cost >= best || !helps(other)) {
        continue;
      }
      board.steps--;
      if (covers(other, -1, -1)) {
        keep(cost, node, other, -1, -1, forced);
      } else {
        members[count] = other;
        costs[count++] = cost;
      }
    }
    int paired = Math.min(count, PAIRED);
    for (int i = 0; i < paired; i++) {
      for (int j = i + 1; j < paired; j++) {
        long cost = costs[i] + costs[j] - base;
        if (cost < best && covers(members[i], members[j], -1)) {
          keep(cost, node, members[i], members[j], -1, forced);
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
        if (two >= best) {
          continue;
        }
        for (int k = j + 1; k < count; k++) {
          long cost = two + costs[k];
          if (cost < best && covers(members[i], members[j], members[k])) {
            keep(cost, node, members[i], members[j], members[k], forced);
          }
        }
      }
    }
    board.steps -= count * count * count >> 4;
  }

  private void keep(long cost, int node, int one, int two, int three, int forced) {
    best = cost;
    bestNode = node;
    bestCount = 0;
    for (int each : new int[] {one, two, three, forced}) {
      if (each >= 0) {
        bestSet[bestCount++] = each;
      }
    }
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

  /** Swaps and moves a few workloads at random, if they fit. */
  private void shake() {
    int shakes = board.uniform ? UNIFORM_SHAKES : SHAKES;
    for (int i = 0; i < shakes; i++) {
      int one = chance.below(board.loads);
      int other = chance.below(board.loads);
      int from = board.home[one];
      int to = board.home[other];
      board.steps--;
      if (from < 0 || to < 0 || from == to || !board.movable[one] || board.closed(to)) {
        continue;
      }
      if (board.hasRoom(one, to)) {
        move(one, to);
      } else if (board.movable[other]
          && !board.closed(from)
          && swapHasRoom(one, other)
          && (!board.uniform || gathersRest(one, other))) {
        swap(one, other);
      }
    }
  }

  /**
   * Whether a swap brings the larger workload to the fuller node. The second workload counts as the
   * larger of two equal ones, and its node as the fuller of two equal ones. On equal nodes, what is
   * left over gathers on few nodes that way, where it is of use.
   */
  private boolean gathersRest(int one, int other) {
    boolean isLarger = board.size[one] > board.size[other];
    return isLarger == rest(board.home[one]) >= rest(board.home[other]);
  }

  /** What is left over on a node, as parts of the mean capacity weighted by scarcity. */
  private long rest(int node) {
    long rest = 0;
    for (int d = 0; d < board.dims; d++) {
      long left = board.left[node * board.dims + d];
      rest += board.scarcity[d] * Units.parts(left, board.mean[d]);
    }
    return rest;
  }

  private boolean swapHasRoom(int one, int other) {
    int dims = board.dims;
    int from = board.home[one] * dims;
    int to = board.home[other] * dims;
    for (int d = 0; d < dims; d++) {
      long gives = board.need[one * dims + d];
      long takes = board.need[other * dims + d];
      if (!hasRoom(board.left[to + d], takes, board.ask[one * dims + d])
          || !hasRoom(board.left[from + d], gives, board.ask[other * dims + d])) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasRoom(long left, long freed, long asked) {
    return left == Amounts.INFINITY || left + freed >= asked;
  }

  private void move(int load, int to) {
    if (!board.allows(load, to)) {
      return;
    }
    Board.Mark mark = board.mark();
    board.take(load);
    if (board.fitsFriendly(load, to)) {
      board.place(load, to);
      board.forget(mark);
    } else {
      board.back(mark);
    }
  }

  private void swap(int one, int other) {
    int from = board.home[one];
    int to = board.home[other];
    if (!board.allows(one, to) || !board.allows(other, from)) {
      return;
    }
    Board.Mark mark = board.mark();
    board.take(one);
    board.take(other);
    if (board.fitsFriendly(one, to)) {
      board.place(one, to);
      if (board.fitsFriendly(other, from)) {
        board.place(other, from);
        board.forget(mark);
        return;
      }
    }
    board.back(mark);
  }
}
