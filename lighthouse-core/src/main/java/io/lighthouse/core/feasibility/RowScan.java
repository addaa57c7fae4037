package io.lighthouse.core.feasibility;

import java.util.Arrays;

/**
 * The AND of a few rows of bits, 64 nodes a word. The loops only load, AND and OR, so that the
 * just-in-time compiler turns them into vector instructions by itself.
 *
 * <p>A row more is a tighter filter, a row less a looser one; whoever asks checks what survives. So
 * rows beyond {@value #MOST} are left out, and strips look at no more than {@value #STRIP_ROWS}.
 */
final class RowScan {
  private static final int MOST = 24;
  private static final int STRIP_ROWS = 8;
  private static final int STRIP_WORDS = 32;

  private final long[][] rows = new long[MOST][];
  private int count;

  /** A row with the bit of every node set. */
  static long[] everyNode(int nodes) {
    long[] row = new long[(nodes + 63) >> 6];
    Arrays.fill(row, -1L);
    if ((nodes & 63) != 0) {
      row[row.length - 1] = (1L << nodes) - 1;
    }
    return row;
  }

  void clear() {
    count = 0;
  }

  void add(long[] row) {
    if (count < MOST) {
      rows[count++] = row;
    }
  }

  int count() {
    return count;
  }

  /** A row, by the order in which they were added. */
  long[] row(int index) {
    return rows[index];
  }

  /** A word of the AND of the first so many rows. */
  long word(int at, int upTo) {
    long word = -1L;
    for (int i = 0; i < upTo; i++) {
      word &= rows[i][at];
    }
    return word;
  }

  /** The next word that may have a survivor of the first so many rows; {@code end} if none has. */
  int next(int from, int end, int upTo) {
    int used = Math.min(upTo, STRIP_ROWS);
    if (used == 0 || from >= end) {
      return from;
    }
    // A repeated row costs only loads from the nearest cache.
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
