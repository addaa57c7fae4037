package io.lighthouse.core.index;

import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.ledger.Demand;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * What one demand requires of the dimensions of {@link Levels}, exactly and roughly. It belongs to
 * one query, and the query reuses it for the next demand that it is bound to.
 */
public final class LevelNeeds {
  /** Null without a demand. */
  private Levels levels;

  private Demand demand;

  /** The dimensions that are required, without those that the demand is immune to. */
  private int[] dimensions = new int[8];

  private long[] needs = new long[8];
  private int count;

  /** The same in the lanes of {@link RoughAmounts}; 0 where nothing is required. */
  private long[] lanes = {};

  /** Reads what a demand requires of some levels. */
  public void take(Levels of, Demand wanted) {
    levels = of;
    demand = wanted;
    count = 0;
    RoughAmounts rough = of.rough();
    if (lanes.length < rough.longs()) {
      lanes = new long[rough.longs()];
    }
    Arrays.fill(lanes, 0);
    if (wanted.size() > needs.length) {
      dimensions = new int[wanted.size()];
      needs = new long[wanted.size()];
    }
    for (int i = 0; i < wanted.size(); i++) {
      int d = of.dimension(wanted.id(i));
      if (d >= 0 && !wanted.isImmune(i)) {
        dimensions[count] = d;
        needs[count++] = wanted.need(i);
        lanes[RoughAmounts.indexOf(d)] |= rough.lanes(d, wanted.need(i));
      }
    }
  }

  /** Whether needs were taken of these levels, and are not forgotten. */
  public boolean isOf(Levels of) {
    return levels == of;
  }

  /** Lets go of the demand and of the levels. */
  public void forget() {
    demand = null;
    levels = null;
  }

  Demand demand() {
    return demand;
  }

  /** How many dimensions are required. */
  int count() {
    return count;
  }

  /** The dimension of a requirement, by its index. */
  public int dimension(int index) {
    return dimensions[index];
  }

  long need(int index) {
    return needs[index];
  }

  /** What is required of the four dimensions of a long, in lanes. */
  long lanes(int at) {
    return lanes[at];
  }

  /** The first four dimensions in lanes; 0 where nothing is required of them. */
  long firstLanes() {
    return lanes.length == 0 ? 0 : lanes[0];
  }

  /** Adds a bitmap for each need that is not below the lowest level. */
  public void addRows(RowScan scan) {
    for (int i = 0; i < count; i++) {
      int level = levels.level(dimensions[i], needs[i]);
      if (level >= 0) {
        scan.add(levels.row(dimensions[i], level));
      }
    }
  }

  /** Adds a follower's bitmaps of the same levels instead. */
  public void addRows(RowScan scan, long[][][] from) {
    for (int i = 0; i < count; i++) {
      int d = dimensions[i];
      int level = levels.level(d, needs[i]);
      if (level >= 0) {
        scan.add(from[d][level], levels.row(d, level).count());
      }
    }
  }

  /** Whether a node may have enough; false is certain. */
  public boolean covers(int node) {
    return levels.rough().covers(node, this);
  }

  /** Whether rough amounts show which nodes fall short, and {@link #countShort} may be called. */
  public boolean showShort() {
    return count == demand.size() && !demand.hasNegativeNeed() && demand.immunityCount() == 0;
  }

  /**
   * Counts which nodes fall short of which requirements, as {@link RoughAmounts#countShort} does.
   */
  public int[][] countShort(NodeAccounts accounts, int slots, int[] broken, IntConsumer exactly) {
    return levels.rough().countShort(this, accounts, slots, broken, exactly);
  }
}
