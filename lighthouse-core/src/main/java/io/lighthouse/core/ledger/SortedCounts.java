package io.lighthouse.core.ledger;

import java.util.Arrays;

/**
 * Counts by a number, such as the slot of a domain: two short arrays, ascending by the number. A
 * count of 0 takes no room, so a group in few domains costs little and is read without hashing.
 * Reading a count is a binary search. Adding a new number moves the larger ones.
 */
public final class SortedCounts {
  private int[] numbers;
  private int[] counts;
  private int size;

  SortedCounts() {
    numbers = new int[2];
    counts = new int[2];
  }

  SortedCounts(SortedCounts other) {
    numbers = other.numbers.clone();
    counts = other.counts.clone();
    size = other.size;
  }

  /** The number of numbers that have a count. */
  public int size() {
    return size;
  }

  /** A number that has a count; ascending with the index, which is below {@link #size}. */
  public int number(int index) {
    return numbers[index];
  }

  /** The count of the number at an index, 1 or more. */
  public int count(int index) {
    return counts[index];
  }

  /** The count of any number, 0 or more. */
  public int of(int number) {
    int at = find(number);
    return at < 0 ? 0 : counts[at];
  }

  /** The index of a number, or the complement of its insertion point. Most are added at the end. */
  private int find(int number) {
    return size == 0 || numbers[size - 1] < number
        ? ~size
        : Arrays.binarySearch(numbers, 0, size, number);
  }

  /** Adds to the count of a number; the result is not negative. */
  void add(int number, int more) {
    int at = find(number);
    if (at >= 0) {
      counts[at] += more;
      if (counts[at] == 0) {
        size--;
        move(at + 1, at);
      }
    } else if (more != 0) {
      at = ~at;
      if (size == numbers.length) {
        counts = Arrays.copyOf(counts, 2 * size);
        numbers = Arrays.copyOf(numbers, 2 * size); // Last: its length is that of both.
      }
      move(at, at + 1);
      numbers[at] = number;
      counts[at] = more;
      size++;
    }
  }

  /** Moves the elements from one index to another; the size is that of the shorter state. */
  private void move(int from, int to) {
    int length = size - Math.min(from, to);
    System.arraycopy(numbers, from, numbers, to, length);
    System.arraycopy(counts, from, counts, to, length);
  }
}
