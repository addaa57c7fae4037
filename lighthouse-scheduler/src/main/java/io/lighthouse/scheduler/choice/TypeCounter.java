package io.lighthouse.scheduler.choice;

import java.util.Arrays;

/**
 * How many job types fit on what is left, without walking over the types.
 *
 * <p>A type is a bit. The types' amounts of each column (a resource) are sorted. Each distinct
 * amount has a row of bits: the types that ask for no more, or do not name the column at all. A
 * question finds its row in each column by binary search, ANDs the rows and counts the bits: for 50
 * types and 3 resources some 18 comparisons instead of 150. Not thread-safe.
 */
final class TypeCounter {
  /** Distinct amounts that types ask for, ascending; [column][k]. */
  private final long[][] amounts;

  /** The types met by the k smallest amounts; [column][k][word], k from 0 to amounts.length. */
  private final long[][][] met;

  /** Bits of all types; [word]. */
  private final long[] all;

  /** The row found in each column, while a question is answered; [column][word]. */
  private final long[][] rows;

  /**
   * A counter.
   *
   * @param types amounts of each type; [type][column], {@link Long#MIN_VALUE} where it does not
   *     name the column
   * @param columns the number of columns
   */
  TypeCounter(long[][] types, int columns) {
    int words = (types.length + Long.SIZE - 1) / Long.SIZE;
    amounts = new long[columns][];
    met = new long[columns][][];
    rows = new long[columns][];
    all = new long[words];
    for (int type = 0; type < types.length; type++) {
      all[type / Long.SIZE] |= 1L << type;
    }
    for (int column = 0; column < columns; column++) {
      int c = column;
      amounts[c] =
          Arrays.stream(types)
              .mapToLong(type -> type[c])
              .filter(amount -> amount != Long.MIN_VALUE)
              .sorted()
              .distinct()
              .toArray();
      met[c] = new long[amounts[c].length + 1][words];
      for (int type = 0; type < types.length; type++) {
        int first = types[type][c] == Long.MIN_VALUE ? 0 : rank(amounts[c], types[type][c]);
        met[c][first][type / Long.SIZE] |= 1L << type;
      }
      for (int k = 1; k < met[c].length; k++) {
        for (int word = 0; word < words; word++) {
          met[c][k][word] |= met[c][k - 1][word];
        }
      }
    }
  }

  /**
   * Counts.
   *
   * @param left what is left, of all nodes
   * @param at where the row of the node begins in {@code left}
   * @param need what is taken away first, by column
   * @return how many types are covered by the difference
   */
  int count(long[] left, int at, long[] need) {
    for (int column = 0; column < rows.length; column++) {
      rows[column] = met[column][rank(amounts[column], left[at + column] - need[column])];
    }
    int count = 0;
    for (int word = 0; word < all.length; word++) {
      long bits = all[word];
      for (long[] row : rows) {
        bits &= row[word];
      }
      count += Long.bitCount(bits);
    }
    return count;
  }

  /** How many of the ascending amounts are no more than a value. */
  private static int rank(long[] ascending, long value) {
    int low = 0;
    int high = ascending.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ascending[middle] <= value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
