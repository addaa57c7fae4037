package io.lighthouse.core.index;

import io.lighthouse.core.bitmap.BitRow;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.ledger.Demand;
import java.util.Arrays;

/**
 * The bitmaps of {@link Eligibility} that concern one demand. They belong to one query, and the
 * query reuses the object for the next demand that it is bound to.
 */
public final class NameRows {
  private Levels levels;
  private Demand demand;
  private BitRow[] rows = new BitRow[8];
  private int count;

  /** Negative names that the demand is exempt from; only while the bitmaps are chosen. */
  private int[] exempt = new int[8];

  private int exemptCount;

  /** Whether these are the bitmaps for a demand, beside those of some levels. */
  public boolean isOf(Levels of, Demand wanted) {
    return levels == of && demand == wanted;
  }

  /** Lets go of the demand, of the levels and of the bitmaps. */
  public void forget() {
    demand = null;
    levels = null;
    Arrays.fill(rows, null);
    count = 0;
  }

  void begin(Levels of, Demand wanted) {
    levels = of;
    demand = wanted;
    count = 0;
  }

  int count() {
    return count;
  }

  /** Drops all bitmaps but the first ones. */
  void cut(int first) {
    count = first;
  }

  void add(BitRow row) {
    if (count == rows.length) {
      rows = Arrays.copyOf(rows, 2 * count);
    }
    rows[count++] = row;
  }

  void beginExempt() {
    exemptCount = 0;
  }

  void addExempt(int id) {
    if (exemptCount == exempt.length) {
      exempt = Arrays.copyOf(exempt, 2 * exemptCount);
    }
    exempt[exemptCount++] = id;
  }

  /** The negative names that the demand is exempt from, ascending. */
  int[] exempt() {
    int[] ids = Arrays.copyOf(exempt, exemptCount);
    Arrays.sort(ids);
    return ids;
  }

  /** Adds the bitmaps to a scan. */
  public void addRows(RowScan scan) {
    for (int i = 0; i < count; i++) {
      scan.add(rows[i]);
    }
  }

  /** Whether all bitmaps admit a node. */
  public boolean admits(int node) {
    for (int i = 0; i < count; i++) {
      if (!rows[i].has(node)) {
        return false;
      }
    }
    return true;
  }
}
