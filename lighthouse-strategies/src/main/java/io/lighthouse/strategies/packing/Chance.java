package io.lighthouse.strategies.packing;

/** Pseudo-random numbers that are the same on every machine: xorshift64* (Vigna 2016). */
final class Chance {
  private long state;

  Chance(long seed) {
    state = seed * 0x9E3779B97F4A7C15L ^ 0x2545F4914F6CDD1DL;
    state = state == 0 ? 1 : state;
  }

  /** The next number from 0 to {@code bound - 1}; the bound is at least 1. */
  int below(int bound) {
    state ^= state >>> 12;
    state ^= state << 25;
    state ^= state >>> 27;
    long mixed = state * 0x2545F4914F6CDD1DL;
    return (int) ((mixed >>> 32) * bound >>> 32);
  }
}
