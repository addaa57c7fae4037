package io.lighthouse.core.index;

import io.lighthouse.core.bitmap.BitRow;
import io.lighthouse.core.bitmap.RowScan;
import java.util.Arrays;

/**
 * The bitmaps of {@link Eligibility} that concern one demand. They belong to one query, and the
 * query reuses the object for the next demand that it is bound to.
 */
public final class NameRows {
  /** Null before bitmaps are chosen. */
  private Levels levels;

  private BitRow[] rows = new BitRow[8];
  private int count;

  /** Whether bitmaps were chosen beside those of these levels, and are not forgotten. */
  public boolean isOf(Levels of) {
    return levels == of;
  }

  /** Lets go of the levels and of the bitmaps. */
  public void forget() {
    begin(null);
  }

  /** Drops all bitmaps, for those beside these levels to be added. */
  void begin(Levels of) {
    levels = of;
    Arrays.fill(rows, 0, count, null);
    count = 0;
  }

  void add(BitRow row) {
    if (count == rows.length) {
      rows = Arrays.copyOf(rows, 2 * count);
    }
    rows[count++] = row;
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
