package io.lighthouse.core.order;

import io.lighthouse.api.Names;
import java.util.Arrays;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;

/**
 * Sorts indexes by keys, by names or by an order, without boxing them. All sorts are stable.
 *
 * <p>Where keys and names are compared, not sorted by digits, and without {@link RunMemo}, {@code
 * BatchBenchmark} ({@code BIN_PACK}, 10,000 nodes) took 1.24 times as long on 2026-11-29.
 */
public final class IndexSort {
  /**
   * The bits of a digit of a key. Fewer than {@link #MANY} keys use small digits, since the table
   * for large ones would cost more.
   */
  private static final int DIGIT_BITS = 11;

  private static final int SMALL_DIGIT_BITS = 8;
  private static final int MANY = 1024;

  /** For runs shorter than this, the tables of digits cost too much. */
  private static final int SHORT = 64;

  private IndexSort() {}

  /** Sorts by the unsigned key at each place, digit by digit. The keys are sorted, too. */
  public static void byKey(int[] indexes, long[] keys) {
    if (keys.length < SHORT) {
      insertByKey(indexes, keys);
      return;
    }
    long bits = 0;
    for (long key : keys) {
      bits |= key ^ keys[0];
    }
    long[] fromKeys = keys;
    long[] toKeys = new long[keys.length];
    int[] from = indexes;
    int[] to = new int[indexes.length];
    int digitBits = keys.length < MANY ? SMALL_DIGIT_BITS : DIGIT_BITS;
    int[] ends = new int[1 << digitBits];
    int most = ends.length - 1;
    for (int shift = 0; shift < Long.SIZE; shift += digitBits) {
      if ((bits >>> shift & most) == 0) {
        continue; // All keys have the same digit here.
      }
      Arrays.fill(ends, 0);
      for (long key : fromKeys) {
        ends[(int) (key >>> shift) & most]++;
      }
      for (int digit = 1; digit <= most; digit++) {
        ends[digit] += ends[digit - 1];
      }
      for (int i = fromKeys.length - 1; i >= 0; i--) {
        int at = --ends[(int) (fromKeys[i] >>> shift) & most];
        toKeys[at] = fromKeys[i];
        to[at] = from[i];
      }
      long[] swapKeys = fromKeys;
      fromKeys = toKeys;
      toKeys = swapKeys;
      int[] swap = from;
      from = to;
      to = swap;
    }
    if (from != indexes) {
      System.arraycopy(from, 0, indexes, 0, indexes.length);
      System.arraycopy(fromKeys, 0, keys, 0, keys.length);
    }
  }

  private static void insertByKey(int[] indexes, long[] keys) {
    for (int i = 1; i < keys.length; i++) {
      long key = keys[i];
      int index = indexes[i];
      int at = i;
      for (; at > 0 && Long.compareUnsigned(keys[at - 1], key) > 0; at--) {
        keys[at] = keys[at - 1];
        indexes[at] = indexes[at - 1];
      }
      keys[at] = key;
      indexes[at] = index;
    }
  }

  /** Sorts a part by the names of the indexes, in the order of {@link Names#order}. */
  public static void byName(int[] indexes, int start, int end, IntFunction<String> names) {
    IntBinaryOperator order = (a, b) -> Names.compare(names.apply(a), names.apply(b));
    if (sorted(indexes, start, end, order)) {
      return;
    }
    int[] part = Arrays.copyOfRange(indexes, start, end);
    long[] keys = part.length < SHORT ? null : keys(part, names);
    if (keys == null) {
      by(part, order);
    } else {
      byKey(part, keys);
      for (int from = 0, to = 1; to <= part.length; to++) {
        if (to == part.length || keys[to] != keys[from]) {
          if (!sorted(part, from, to, order)) {
            int[] alike = Arrays.copyOfRange(part, from, to);
            by(alike, order);
            System.arraycopy(alike, 0, part, from, alike.length);
          }
          from = to;
        }
      }
    }
    System.arraycopy(part, 0, indexes, start, part.length);
  }

  private static boolean sorted(int[] indexes, int start, int end, IntBinaryOperator order) {
    for (int i = start + 1; i < end; i++) {
      if (order.applyAsInt(indexes[i - 1], indexes[i]) > 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * The eight characters of each name after the common prefix of all names, one byte each; null
   * where a character does not fit a byte. Such keys are ordered as the names are, or are equal.
   */
  private static long[] keys(int[] part, IntFunction<String> names) {
    String first = names.apply(part[0]);
    int common = first.length();
    for (int index : part) {
      String name = names.apply(index);
      common = Math.min(common, name.length());
      int same = 0;
      while (same < common && name.charAt(same) == first.charAt(same)) {
        same++;
      }
      common = same;
    }
    long[] keys = new long[part.length];
    for (int i = 0; i < part.length; i++) {
      String name = names.apply(part[i]);
      int end = Math.min(name.length(), common + Long.BYTES);
      for (int at = common; at < end; at++) {
        char c = name.charAt(at);
        if (c >= 1 << Byte.SIZE) {
          return null;
        }
        keys[i] |= (long) c << (Long.BYTES - 1 - (at - common)) * Byte.SIZE;
      }
    }
    return keys;
  }

  /**
   * Sorts by an order. Runs that are already in order are not touched.
   *
   * @param indexes the indexes to sort
   * @param order compares two indexes: negative, zero or positive
   */
  public static void by(int[] indexes, IntBinaryOperator order) {
    int[] from = indexes;
    int[] to = new int[indexes.length];
    for (int width = 1; width < indexes.length; width *= 2) {
      for (int start = 0; start < indexes.length; start += 2 * width) {
        int middle = Math.min(start + width, indexes.length);
        int end = Math.min(start + 2 * width, indexes.length);
        if (middle == end || order.applyAsInt(from[middle - 1], from[middle]) <= 0) {
          System.arraycopy(from, start, to, start, end - start);
          continue;
        }
        int left = start;
        int right = middle;
        for (int at = start; at < end; at++) {
          boolean takeLeft =
              left < middle && (right == end || order.applyAsInt(from[left], from[right]) <= 0);
          to[at] = takeLeft ? from[left++] : from[right++];
        }
      }
      int[] swap = from;
      from = to;
      to = swap;
    }
    if (from != indexes) {
      System.arraycopy(from, 0, indexes, 0, indexes.length);
    }
  }
}
