package io.lighthouse.core.feasibility;

import io.lighthouse.api.Reason;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Layout;
import io.lighthouse.core.ledger.Ledger;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows of bits "has at least this much left": for each resource that is asked for and not rare a
 * few levels, for each level a row, one bit a node.
 *
 * <p>The levels are quantiles of what is required. A workload asks for the row of the highest level
 * that is not above its need; what survives is checked exactly, so levels steer cost only. When
 * what is left of a node falls, the walk down the levels that it crosses clears their bits; when it
 * rises, the walk up sets them.
 */
final class Levels {
  /** More levels are more bits to flip, fewer are more survivors to check; 16 measured best. */
  private static final int MOST_LEVELS = 16;

  /**
   * All resources together have no more levels, but one each: else rows would outweigh accounts.
   */
  private static final int ALL_LEVELS = 1_024;

  /** Dimensions are compared roughly in lanes of 16 bits, whose upper ones are for borrowing. */
  private static final int LANES = 4;

  private static final long BORROWS = 0x8000_8000_8000_8000L;
  private static final int LANE_MOST = 0x7FFE;
  private static final int BUCKET_BITS = 7;

  private final Ledger ledger;

  /** By id: the dimension of a resource, or -1. */
  private int[] dimensions;

  /** How many levels a dimension has at most. */
  private final int most;

  /** Levels of each dimension, scaled, ascending. */
  private final long[][] levels;

  /** The highest level that a node has, or -1; [node * dimensions + dimension]. */
  private byte[] height;

  /**
   * Roughly what is left, four dimensions of a node in a long ({@link #lane}); [node * {@link
   * #longs} + dimension / 4]. Rough as it is, it never says too little, and one subtraction
   * compares all four.
   */
  private long[] room;

  /** So many slots have a place in these. */
  private int capacity;

  /** How many longs the lanes of all dimensions take. */
  private final int longs;

  /** How far each dimension is shifted, so that the levels take 15 bits. */
  private final int[] shifts;

  /** The highest level not above the least need of a bucket; [dimension][need, shifted / 128]. */
  private final byte[][] starts;

  /** The dimensions that the demand at hand requires, and how much; the first {@link #asked}. */
  private int[] askedDimensions = new int[8];

  private long[] askedNeeds = new long[8];
  private int asked;

  /** The same roughly, in lanes as those of a node; 0 where nothing is required. */
  private final long[] askedLanes;

  /** Which of these are not 0; the first {@link #askedLongCount}. */
  private final int[] askedLongs;

  private int askedLongCount;

  /** The least that a node is to have of each dimension, in lanes as well. */
  private final long[] least;

  /** One bit a node; [dimension][level]. */
  private final BitRow[][] rows;

  /** Every node; for a question that no other row narrows. */
  private final BitRow all;

  /** Orders whose own rows follow the same levels. */
  private final List<BlockOrder> followers = new ArrayList<>();

  /** Reads all nodes. Cost: nodes times dimensions times levels. */
  Levels(Ledger ledger, NeedSample sample) {
    this.ledger = ledger;
    int nodes = ledger.slotCount();
    int words = (nodes + 63) >> 6;
    dimensions = new int[ledger.resourceIds()];
    Arrays.fill(dimensions, -1);
    int count = 0;
    for (int id = 0; id < dimensions.length; id++) {
      if (wanted(id, sample)) {
        dimensions[id] = count++;
      }
    }
    most = Math.max(1, Math.min(MOST_LEVELS, ALL_LEVELS / Math.max(1, count)));
    levels = new long[count][];
    for (int id = 0; id < dimensions.length; id++) {
      if (dimensions[id] >= 0) {
        levels[dimensions[id]] = sample.levels(id, most);
      }
    }
    longs = (count + LANES - 1) / LANES;
    askedLanes = new long[longs];
    askedLongs = new int[longs];
    least = new long[longs];
    shifts = new int[count];
    starts = new byte[count][(LANE_MOST >> BUCKET_BITS) + 1];
    rows = new BitRow[count][];
    for (int d = 0; d < count; d++) {
      long highest = levels[d][levels[d].length - 1];
      shifts[d] = Math.max(0, Long.SIZE - 15 - Long.numberOfLeadingZeros(Math.max(highest, 1)));
      for (int bucket = 0; bucket < starts[d].length; bucket++) {
        starts[d][bucket] = (byte) climb(d, -1, (long) bucket << BUCKET_BITS + shifts[d]);
      }
      rows[d] = new BitRow[levels[d].length];
      for (int level = 0; level < rows[d].length; level++) {
        rows[d][level] = new BitRow(words);
      }
    }
    capacity = nodes;
    height = new byte[count * nodes];
    Arrays.fill(height, (byte) -1);
    room = new long[longs * nodes];
    all = new BitRow(words);
    fill(nodes);
  }

  private boolean wanted(int id, NeedSample sample) {
    return ledger.resource(id) != null && sample.has(id) && !RareNames.isRare(ledger, id);
  }

  private void fill(int nodes) {
    long[][] topped = new long[levels.length][most];
    for (int node = 0; node < nodes; node++) {
      Layout layout = ledger.layout(node);
      all.set(node, ledger.alive(node));
      for (int slot = 0; slot < layout.size(); slot++) {
        int d = dimensions[layout.id(slot)];
        if (d >= 0) {
          long left = ledger.left(node, slot);
          int level = level(d, left);
          height[node * levels.length + d] = (byte) level;
          room[node * longs + d / LANES] |= lane(d, left) << d % LANES * Short.SIZE;
          if (level >= 0) {
            topped[d][level] |= 1L << node;
          }
        }
      }
      if ((node & 63) == 63 || node == nodes - 1) {
        fillWord(node >> 6, topped);
      }
    }
  }

  /** A node that has a level has those below it. */
  private void fillWord(int at, long[][] topped) {
    for (int d = 0; d < rows.length; d++) {
      long word = 0;
      for (int level = rows[d].length - 1; level >= 0; level--) {
        word |= topped[d][level];
        rows[d][level].fill(at, word);
        topped[d][level] = 0;
      }
    }
  }

  /** Whether the sample would give the same levels again. */
  boolean matches(NeedSample sample) {
    for (int id = 0; id < ledger.resourceIds(); id++) {
      int d = dimension(id);
      if (d < 0 ? wanted(id, sample) : changed(d, id, sample)) {
        return false;
      }
    }
    return true;
  }

  private boolean changed(int d, int id, NeedSample sample) {
    return sample.has(id) && !Arrays.equals(levels[d], sample.levels(id, most));
  }

  BitRow all() {
    return all;
  }

  int dimensions() {
    return levels.length;
  }

  int levels(int dimension) {
    return levels[dimension].length;
  }

  int height(int dimension, int node) {
    return height[node * levels.length + dimension];
  }

  BitRow row(int dimension, int level) {
    return rows[dimension][level];
  }

  void follow(BlockOrder order) {
    followers.add(order);
  }

  /** Takes up a demand, for {@link #addRows}, {@link #covers} and {@link BoundMemo}. */
  void ask(Demand demand) {
    asked = 0;
    if (demand.size() > askedNeeds.length) {
      askedDimensions = new int[demand.size()];
      askedNeeds = new long[demand.size()];
    }
    while (askedLongCount > 0) {
      askedLanes[askedLongs[--askedLongCount]] = 0;
    }
    for (int i = 0; i < demand.size(); i++) {
      int d = dimension(demand.id(i));
      if (d >= 0 && !demand.immune(i)) {
        askedDimensions[asked] = d;
        askedNeeds[asked++] = demand.need(i);
        askLane(d, demand.need(i));
      }
    }
  }

  private void askLane(int d, long need) {
    long lane = lane(d, need) << d % LANES * Short.SIZE;
    if (lane != 0 && askedLanes[d / LANES] == 0) {
      askedLongs[askedLongCount++] = d / LANES;
    }
    askedLanes[d / LANES] |= lane;
  }

  /** Whether there is a row for what a demand requires of one of its resources. */
  boolean hasRow(Demand demand, int index) {
    int d = dimension(demand.id(index));
    return d >= 0 && !demand.immune(index) && level(d, demand.need(index)) >= 0;
  }

  /** How many dimensions the demand at hand requires and is not immune to. */
  int asked() {
    return asked;
  }

  int askedDimension(int index) {
    return askedDimensions[index];
  }

  long askedNeed(int index) {
    return askedNeeds[index];
  }

  /** Roughly what the demand at hand requires of the first four dimensions. */
  long askedLanes() {
    return longs == 0 ? 0 : askedLanes[0];
  }

  /** Adds the rows of the demand at hand. */
  void addRows(RowScan scan) {
    for (int i = 0; i < asked; i++) {
      int d = askedDimensions[i];
      int level = level(d, askedNeeds[i]);
      if (level >= 0) {
        scan.add(rows[d][level]);
      }
    }
  }

  /** Adds a follower's rows of the same levels instead. */
  void addRows(RowScan scan, long[][][] from) {
    for (int i = 0; i < asked; i++) {
      int d = askedDimensions[i];
      int level = level(d, askedNeeds[i]);
      if (level >= 0) {
        scan.add(from[d][level], rows[d][level].count());
      }
    }
  }

  /** Whether a node may have enough of what the demand at hand requires; a no is sure. */
  boolean covers(int node) {
    for (int i = 0; i < askedLongCount; i++) {
      int at = askedLongs[i];
      if (!atMost(askedLanes[at], room[node * longs + at])) {
        return false;
      }
    }
    return true;
  }

  /** Whether each lane of one is at most that of the other. */
  static boolean atMost(long some, long other) {
    return ((other | BORROWS) - some & BORROWS) == BORROWS;
  }

  /**
   * Counts for each node how many requirements it falls short of, and for each requirement how many
   * nodes do, where every requirement has levels and no node gives. One subtraction tells four of
   * them; only where rough amounts are equal, or something is negative, a node is asked exactly.
   *
   * @return false where it cannot, and has counted nothing
   */
  boolean countShort(Demand demand, Tally tally, NodeResources exact) {
    ask(demand);
    if (asked < demand.size() || demand.giving() || demand.immunityCount() > 0) {
      return false;
    }
    long[] unsure = new long[askedLongCount];
    for (int i = 0; i < asked; i++) {
      int d = askedDimensions[i];
      if (shifts[d] > 0 || lane(d, askedNeeds[i]) > LANE_MOST) {
        unsure[at(d)] |= 0x8000L << d % LANES * Short.SIZE;
      }
    }
    int[] lacking = new int[dimensions()];
    int[] missing = new int[dimensions()];
    for (int node = 0; node < tally.nodes(); node++) {
      if (!ledger.alive(node)) {
        continue;
      }
      if (ledger.negatives(node) > 0 || anyEqual(node, unsure)) {
        tally.count(node, exact);
        continue;
      }
      for (int i = 0; i < askedLongCount; i++) {
        long need = askedLanes[askedLongs[i]];
        long have = room[node * longs + askedLongs[i]];
        long less = ~((have | BORROWS) - need) & BORROWS;
        if (less != 0) {
          tally.broken(node, Long.bitCount(less));
          for (; less != 0; less &= less - 1) {
            int lane = Long.numberOfTrailingZeros(less) / Short.SIZE;
            boolean none = (have >>> lane * Short.SIZE & 0xFFFF) == 0;
            (none ? missing : lacking)[askedLongs[i] * LANES + lane]++;
          }
        }
      }
    }
    for (int i = 0; i < asked; i++) {
      int d = askedDimensions[i];
      tally.add(exact, Reason.Kind.SHORT, demand.id(i), lacking[d]);
      tally.add(exact, Reason.Kind.MISSING, demand.id(i), missing[d]);
    }
    return true;
  }

  /** Which of the asked longs a dimension is in. */
  private int at(int dimension) {
    int at = 0;
    while (askedLongs[at] != dimension / LANES) {
      at++;
    }
    return at;
  }

  /**
   * Whether a node has in some lane just what is required, of those in which that tells nothing.
   */
  private boolean anyEqual(int node, long[] unsure) {
    for (int i = 0; i < unsure.length; i++) {
      long differs = room[node * longs + askedLongs[i]] ^ askedLanes[askedLongs[i]];
      if ((~(differs + ~BORROWS) & unsure[i]) != 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Prepares {@link #within}: which nodes lack at most a fraction of each requirement of the demand
   * at hand.
   */
  void bound(long numerator, long denominator) {
    Arrays.fill(least, 0);
    if (numerator >= denominator) {
      return; // As much as is required, or infinitely far.
    }
    BigInteger rest = BigInteger.valueOf(denominator - numerator);
    for (int i = 0; i < asked; i++) {
      int d = askedDimensions[i];
      BigInteger product = BigInteger.valueOf(askedNeeds[i]).multiply(rest);
      // Rather too little: a node is never left out that lacks just so much.
      long enough = product.divide(BigInteger.valueOf(denominator)).longValue() - 1;
      if (enough > 0) {
        least[d / LANES] |= lane(d, enough) << d % LANES * Short.SIZE;
      }
    }
  }

  /** Whether a node may lack so little; a no is sure. */
  boolean within(int node) {
    for (int i = 0; i < askedLongCount; i++) {
      int at = askedLongs[i];
      if (!atMost(least[at], room[node * longs + at])) {
        return false;
      }
    }
    return true;
  }

  /** An amount in 15 bits: 0 for less than nothing, the most for more than the levels. */
  private long lane(int dimension, long amount) {
    return amount < 0 ? 0 : Math.min(amount >> shifts[dimension], LANE_MOST) + 1;
  }

  int dimension(int id) {
    return id < dimensions.length ? dimensions[id] : -1;
  }

  /** The highest level not above a need; -1 where even the lowest is above it. */
  int level(int dimension, long need) {
    int from = need < 0 ? -1 : starts[dimension][(int) lane(dimension, need) - 1 >> BUCKET_BITS];
    return climb(dimension, from, need);
  }

  private int climb(int dimension, int from, long need) {
    long[] of = levels[dimension];
    int level = from;
    while (level + 1 < of.length && of[level + 1] <= need) {
      level++;
    }
    return level;
  }

  /** What is left of a resource on a node has changed. */
  void leftChanged(int node, int id, long after) {
    int d = dimension(id);
    if (d >= 0) {
      int at = node * longs + d / LANES;
      int shift = d % LANES * Short.SIZE;
      room[at] = room[at] & ~(0xFFFFL << shift) | lane(d, after) << shift;
      move(node, d, after);
    }
  }

  /** A node has come. */
  void nodeCame(int node) {
    if (node >= capacity) {
      reach(node);
    }
    all.set(node);
    Layout layout = ledger.layout(node);
    for (int slot = 0; slot < layout.size(); slot++) {
      leftChanged(node, layout.id(slot), ledger.left(node, slot));
    }
  }

  private void reach(int node) {
    int before = capacity;
    capacity = node + 1 + node / 4;
    height = Arrays.copyOf(height, levels.length * capacity);
    Arrays.fill(height, levels.length * before, height.length, (byte) -1);
    room = Arrays.copyOf(room, longs * capacity);
    all.reach(capacity);
    for (BitRow[] of : rows) {
      for (BitRow row : of) {
        row.reach(capacity);
      }
    }
  }

  /** A node leaves; the dimension of a resource that only it has goes with it. */
  void nodeLeaving(int node) {
    all.clear(node);
    Layout layout = ledger.layout(node);
    for (int slot = 0; slot < layout.size(); slot++) {
      int id = layout.id(slot);
      int d = dimension(id);
      if (d >= 0) {
        move(node, d, Long.MIN_VALUE);
        if (ledger.nodesWith(id) == 1) {
          dimensions[id] = -1; // The id may be another resource's soon.
        }
      }
    }
    Arrays.fill(room, node * longs, (node + 1) * longs, 0);
  }

  private void move(int node, int d, long after) {
    long[] of = levels[d];
    int at = node * levels.length + d;
    int now = height[at];
    while (now >= 0 && of[now] > after) {
      rows[d][now].clear(node);
      for (int i = 0; i < followers.size(); i++) {
        followers.get(i).flip(d, now, node, false);
      }
      now--;
    }
    while (now + 1 < of.length && of[now + 1] <= after) {
      now++;
      rows[d][now].set(node);
      for (int i = 0; i < followers.size(); i++) {
        followers.get(i).flip(d, now, node, true);
      }
    }
    height[at] = (byte) now;
  }
}
