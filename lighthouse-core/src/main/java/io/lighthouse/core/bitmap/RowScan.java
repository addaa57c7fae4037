package io.lighthouse.core.bitmap;

import java.util.Arrays;

/**
 * The intersection of a few bitmaps, 64 nodes per word. The {@value #SIDE_BY_SIDE} bitmaps with the
 * fewest bits are read side by side. The others are ANDed where a word survives these. A bitmap
 * without a bit set decides alone: nothing survives.
 *
 * <p>Where they are read one after the other, batches of {@code BatchBenchmark} ({@code
 * PRIORITIZED}, 10,000 nodes) took 1.19 times as long with 8 resources, and 1.08 times with 4
 * (2026-11-29). Where up to 4 are read as 8, {@code BIN_PACK} took 1.11 times as long on 100,000
 * nodes (the same day). Without the order, a search for the last of 64 resources took 10 times as
 * long on 100,000 nodes ({@code CliffBenchmark}, {@code MANY_RESOURCES}, 2026-11-29).
 */
public final class RowScan {
  /** How many bitmaps are read side by side. */
  private static final int SIDE_BY_SIDE = 8;

  private long[][] rows = new long[24][];

  /** How many bits each bitmap has set; ascending if there are more than are read side by side. */
  private int[] bits = new int[24];

  private int count;
  private boolean empty;

  public void clear() {
    count = 0;
    empty = false;
  }

  /** Adds a bitmap of nodes. */
  public void add(BitRow row) {
    add(row.words, row.count());
  }

  /**
   * Adds a bitmap.
   *
   * @param row its words
   * @param set how many bits are set
   */
  public void add(long[] row, int set) {
    int at = room();
    bits[at] = set;
    rows[at] = row;
    empty |= set == 0;
    if (count > SIDE_BY_SIDE) {
      for (int i = count == SIDE_BY_SIDE + 1 ? 1 : at; i < count; i++) {
        sortIn(i);
      }
    }
  }

  /** Moves a bitmap before those that have more bits set. */
  private void sortIn(int from) {
    long[] row = rows[from];
    int set = bits[from];
    int at = from;
    for (; at > 0 && bits[at - 1] > set; at--) {
      bits[at] = bits[at - 1];
      rows[at] = rows[at - 1];
    }
    bits[at] = set;
    rows[at] = row;
  }

  /** Adds a bitmap behind all others. After that, no more may be sorted in. */
  public void append(long[] row) {
    int at = room();
    bits[at] = Integer.MAX_VALUE;
    rows[at] = row;
  }

  private int room() {
    if (count == rows.length) {
      rows = Arrays.copyOf(rows, 2 * count);
      bits = Arrays.copyOf(bits, 2 * count);
    }
    return count++;
  }

  public int count() {
    return count;
  }

  /** Whether a bitmap has no bit set, so that nothing survives. */
  public boolean empty() {
    return empty;
  }

  /** Returns a bitmap, in the order in which they are ANDed. */
  public long[] row(int index) {
    return rows[index];
  }

  /** Returns a word of the AND of the first {@code upTo} bitmaps. */
  public long word(int at, int upTo) {
    long word = -1L;
    for (int i = 0; i < upTo && word != 0; i++) {
      word &= rows[i][at];
    }
    return word;
  }

  /**
   * Returns the next word that may have a survivor of the first {@code upTo} bitmaps, or {@code
   * end}.
   */
  public int next(int from, int end, int upTo) {
    int used = Math.min(upTo, SIDE_BY_SIDE);
    if (used == 0 || from >= end) {
      return from;
    }
    // A repeated bitmap costs only loads from the nearest cache.
    long[] a = rows[0];
    long[] b = rows[used > 1 ? 1 : 0];
    long[] c = rows[used > 2 ? 2 : 0];
    long[] d = rows[used > 3 ? 3 : 0];
    if (used <= 4) {
      int at = from;
      while (at < end && (a[at] & b[at] & c[at] & d[at]) == 0) {
        at++;
      }
      return at;
    }
    long[] e = rows[4];
    long[] f = rows[used > 5 ? 5 : 0];
    long[] g = rows[used > 6 ? 6 : 0];
    long[] h = rows[used > 7 ? 7 : 0];
    int at = from;
    while (at < end && (a[at] & b[at] & c[at] & d[at] & e[at] & f[at] & g[at] & h[at]) == 0) {
      at++;
    }
    return at;
  }
}
