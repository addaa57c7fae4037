package io.lighthouse.scheduler;

import java.util.Arrays;

/**
 * How many job types fit on what is left, without walking over the types.
 *
 * <p>A type is a bit. Per column (a resource), the types' amounts are sorted; for each distinct
 * amount there is a row of bits with the types that ask for no more, or do not name the column at
 * all. A question finds its row in each column by binary search, ANDs the rows and counts the bits:
 * for 50 types and 3 resources some 18 comparisons instead of 150.
 */
final class TypeCounter {
  /** Distinct amounts that types ask for, ascending; [column][k]. */
  private final long[][] amounts;

  /** The types met by the k smallest amounts; [column][k][word], k from 0 to amounts.length. */
  private final long[][][] met;

  /** Bits of all types; [word]. */
  private final long[] all;

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
      for (int k = 0; k < met[c].length; k++) {
        long most = k == 0 ? Long.MIN_VALUE : amounts[c][k - 1];
        for (int type = 0; type < types.length; type++) {
          if (types[type][c] <= most) {
            met[c][k][type / Long.SIZE] |= 1L << type;
          }
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
    int count = 0;
    for (int word = 0; word < all.length; word++) {
      long bits = all[word];
      for (int column = 0; column < amounts.length && bits != 0; column++) {
        bits &= met[column][rank(amounts[column], left[at + column] - need[column])][word];
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
