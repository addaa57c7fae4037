package io.lighthouse.core.bitmap;

import java.util.Arrays;

/**
 * The intersection of a few bitmaps, 64 nodes per word. The loops only load, AND and OR, so that
 * the just-in-time compiler turns them into vector instructions.
 *
 * <p>Strips read at most {@value #STRIP_ROWS} bitmaps, those with the fewest bits. The others are
 * ANDed where a word survives these. A bitmap without a bit set decides alone: nothing survives.
 *
 * <p>With strips that read 4 bitmaps at most, batches of {@code BatchBenchmark} ({@code
 * PRIORITIZED}, 10,000 nodes) took 1.76 times as long with 8 resources, and 1.15 times with rules
 * (2026-11-28). Without the order, a search for the last of 64 resources took 10 times as long on
 * 100,000 nodes ({@code CliffBenchmark}, {@code MANY_RESOURCES}, 2026-11-29).
 */
public final class RowScan {
  private static final int STRIP_ROWS = 8;
  private static final int STRIP_WORDS = 32;

  private long[][] rows = new long[24][];

  /** How many bits each bitmap has set; ascending if there are more bitmaps than strips read. */
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
    if (count > STRIP_ROWS) {
      for (int i = count == STRIP_ROWS + 1 ? 1 : at; i < count; i++) {
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
    int used = Math.min(upTo, STRIP_ROWS);
    if (used == 0 || from >= end) {
      return from;
    }
    // A repeated bitmap costs only loads from the nearest cache.
    long[] a = rows[0];
    long[] b = rows[used > 1 ? 1 : 0];
    long[] c = rows[used > 2 ? 2 : 0];
    long[] d = rows[used > 3 ? 3 : 0];
    if (used <= 4) {
      return next(a, b, c, d, from, end);
    }
    long[] e = rows[4];
    long[] f = rows[used > 5 ? 5 : 0];
    if (used <= 6) {
      return next(a, b, c, d, e, f, from, end);
    }
    return next(a, b, c, d, e, f, rows[6], rows[used > 7 ? 7 : 0], from, end);
  }

  private static int next(long[] a, long[] b, long[] c, long[] d, int from, int end) {
    int i = from;
    for (int near = Math.min(end, i + 8); i < near; i++) {
      if ((a[i] & b[i] & c[i] & d[i]) != 0) {
        return i;
      }
    }
    for (; i + STRIP_WORDS <= end; i += STRIP_WORDS) {
      long any = 0;
      for (int j = i; j < i + STRIP_WORDS; j++) {
        any |= a[j] & b[j] & c[j] & d[j];
      }
      if (any != 0) {
        break;
      }
    }
    while (i < end && (a[i] & b[i] & c[i] & d[i]) == 0) {
      i++;
    }
    return i;
  }

  private static int next(
      long[] a, long[] b, long[] c, long[] d, long[] e, long[] f, int from, int end) {
    int i = from;
    for (int near = Math.min(end, i + 8); i < near; i++) {
      if ((a[i] & b[i] & c[i] & d[i] & e[i] & f[i]) != 0) {
        return i;
      }
    }
    for (; i + STRIP_WORDS <= end; i += STRIP_WORDS) {
      long any = 0;
      for (int j = i; j < i + STRIP_WORDS; j++) {
        any |= a[j] & b[j] & c[j] & d[j] & e[j] & f[j];
      }
      if (any != 0) {
        break;
      }
    }
    while (i < end && (a[i] & b[i] & c[i] & d[i] & e[i] & f[i]) == 0) {
      i++;
    }
    return i;
  }

  private static int next(
      long[] a,
      long[] b,
      long[] c,
      long[] d,
      long[] e,
      long[] f,
      long[] g,
      long[] h,
      int from,
      int end) {
    int i = from;
    for (int near = Math.min(end, i + 8); i < near; i++) {
      if ((a[i] & b[i] & c[i] & d[i] & e[i] & f[i] & g[i] & h[i]) != 0) {
        return i;
      }
    }
    for (; i + STRIP_WORDS <= end; i += STRIP_WORDS) {
      long any = 0;
      for (int j = i; j < i + STRIP_WORDS; j++) {
        any |= a[j] & b[j] & c[j] & d[j] & e[j] & f[j] & g[j] & h[j];
      }
      if (any != 0) {
        break;
      }
    }
    while (i < end && (a[i] & b[i] & c[i] & d[i] & e[i] & f[i] & g[i] & h[i]) == 0) {
      i++;
    }
    return i;
  }
}
