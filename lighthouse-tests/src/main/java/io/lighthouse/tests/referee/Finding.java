package io.lighthouse.tests.referee;

/**
 * A law that was broken, and how. Immutable.
 *
 * @param law the law
 * @param about the thing that is wrong, such as {@code workload 'w1'}
 * @param expected what was expected of it
 * @param found what was found
 */
public record Finding(Law law, String about, String expected, String found) {
  @Override
  public String toString() {
    return about + ": expected " + expected + ", found " + found;
  }
}
