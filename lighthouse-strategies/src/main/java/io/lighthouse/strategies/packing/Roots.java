package io.lighthouse.strategies.packing;

/** Square roots of whole numbers, rounded down, by Newton's iteration. */
final class Roots {
  private Roots() {}

  /** The root of a number of 0 or more. */
  static long of(long square) {
    if (square < 2) {
      return square;
    }
    long root = 1L << ((65 - Long.numberOfLeadingZeros(square)) >> 1);
    while (true) {
      long next = (root + square / root) >> 1;
      if (next >= root) {
        return root;
      }
      root = next;
    }
  }
}
