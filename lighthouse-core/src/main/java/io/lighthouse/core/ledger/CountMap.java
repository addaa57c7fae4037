package io.lighthouse.core.ledger;

import java.util.Arrays;

/**
 * Counts by a 64-bit key: open addressing with linear probing. A count of 0 takes no room. The map
 * is never iterated, so no result depends on the order of its places.
 */
final class CountMap {
  /** Marks a free place; no key has this value. */
  private static final long FREE = Long.MIN_VALUE;

  /** Initial room: few groups have counts in many domains. */
  private static final int FIRST_ROOM = 4;

  private long[] keys = new long[FIRST_ROOM];
  private int[] counts = new int[FIRST_ROOM];
  private int size;

  CountMap() {
    Arrays.fill(keys, FREE);
  }

  CountMap(CountMap other) {
    keys = other.keys.clone();
    counts = other.counts.clone();
    size = other.size;
  }

  /** The number of keys that have a count. */
  int size() {
    return size;
  }

  int get(long key) {
    int at = find(key);
    return keys[at] == key ? counts[at] : 0;
  }

  /** Adds to a count, which is not negative afterwards. */
  void add(long key, int more) {
    int at = find(key);
    if (keys[at] == FREE) {
      if (2 * (size + 1) > keys.length) {
        rehash(2 * keys.length);
        at = find(key);
      }
      keys[at] = key;
      counts[at] = 0;
      size++;
    }
    counts[at] += more;
    if (counts[at] == 0) {
      remove(at);
    }
  }

  /** Replaces every key, which is a number from 0, with its new one. */
  void renumber(int[] renumbered) {
    for (int at = 0; at < keys.length; at++) {
      keys[at] = keys[at] == FREE ? FREE : renumbered[(int) keys[at]];
    }
    rehash(keys.length);
  }

  private int find(long key) {
    int mask = keys.length - 1;
    int at = home(key, mask);
    while (keys[at] != FREE && keys[at] != key) {
      at = (at + 1) & mask;
    }
    return at;
  }

  /** Frees a place and closes the gap in its run. */
  private void remove(int freed) {
    int mask = keys.length - 1;
    int hole = freed;
    size--;
    for (int at = (hole + 1) & mask; keys[at] != FREE; at = (at + 1) & mask) {
      if (((at - home(keys[at], mask)) & mask) >= ((at - hole) & mask)) {
        keys[hole] = keys[at];
        counts[hole] = counts[at];
        hole = at;
      }
    }
    keys[hole] = FREE;
  }

  private void rehash(int length) {
    long[] oldKeys = keys;
    int[] oldCounts = counts;
    long[] newKeys = new long[length];
    counts = new int[length]; // No count is lost where memory ends in these two lines.
    keys = newKeys;
    Arrays.fill(keys, FREE);
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != FREE) {
        int at = find(oldKeys[i]);
        keys[at] = oldKeys[i];
        counts[at] = oldCounts[i];
      }
    }
  }

  private static int home(long key, int mask) {
    long hash = (key ^ key >>> 32) * 0x9E3779B97F4A7C15L;
    return (int) (hash >>> 32) & mask;
  }
}
