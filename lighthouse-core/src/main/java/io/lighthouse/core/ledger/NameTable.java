package io.lighthouse.core.ledger;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A map from names to small numbers, in two flat arrays: 8 bytes an entry at full load.
 *
 * <p>Open addressing with linear probing. The hash is a polynomial with a multiplier drawn once a
 * JVM, so that nobody can choose names that all collide. Nothing iterates it, so the multiplier
 * never shows in an answer.
 */
final class NameTable {
  /** What {@link #get} answers for a name that is not there. */
  static final int NONE = -1;

  private static final long MULTIPLIER = ThreadLocalRandom.current().nextLong() | 1;

  /** A power of two long; null where free. */
  private String[] keys;

  /** The number of each key, by the same index. */
  private int[] values;

  private int size;

  NameTable() {
    keys = new String[16];
    values = new int[16];
  }

  private NameTable(NameTable other) {
    keys = other.keys.clone();
    values = other.values.clone();
    size = other.size;
  }

  NameTable copy() {
    return new NameTable(this);
  }

  int size() {
    return size;
  }

  int get(String name) {
    int at = find(name);
    return keys[at] == null ? NONE : values[at];
  }

  /** Adds a name that is not there yet; else changes nothing and answers false. */
  boolean add(String name, int value) {
    if (3 * (size + 1) > 2 * keys.length) {
      grow(2 * keys.length);
    }
    int at = find(name);
    if (keys[at] != null) {
      return false;
    }
    keys[at] = name;
    values[at] = value;
    size++;
    return true;
  }

  /** Gives a name that is there another number. */
  void set(String name, int value) {
    values[find(name)] = value;
  }

  /** Removes a name that is there; those behind it in its run close up. */
  void remove(String name) {
    int mask = keys.length - 1;
    int hole = find(name);
    size--;
    for (int at = (hole + 1) & mask; keys[at] != null; at = (at + 1) & mask) {
      int home = hash(keys[at]) & mask;
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        keys[hole] = keys[at];
        values[hole] = values[at];
        hole = at;
      }
    }
    keys[hole] = null;
  }

  void reserve(int more) {
    int wanted = keys.length;
    while (2L * wanted < 3L * (size + (long) more)) {
      wanted *= 2;
    }
    if (wanted > keys.length) {
      grow(wanted);
    }
  }

  void clear() {
    Arrays.fill(keys, null);
    size = 0;
  }

  private int find(String name) {
    int mask = keys.length - 1;
    int at = hash(name) & mask;
    while (keys[at] != null && !keys[at].equals(name)) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private void grow(int length) {
    String[] oldKeys = keys;
    int[] oldValues = values;
    keys = new String[length];
    values = new int[length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != null) {
        int at = find(oldKeys[i]);
        keys[at] = oldKeys[i];
        values[at] = oldValues[i];
      }
    }
  }

  private static int hash(String name) {
    long hash = name.length();
    for (int i = 0; i < name.length(); i++) {
      hash = (hash + name.charAt(i)) * MULTIPLIER;
    }
    return (int) (hash >>> 32) ^ (int) (hash >>> 47);
  }
}
