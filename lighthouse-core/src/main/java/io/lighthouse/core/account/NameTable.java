package io.lighthouse.core.account;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;

/**
 * A map from names to small numbers, which in turn identify the names. A place takes 8 bytes, and
 * at most half of the places are taken.
 *
 * <p>Open addressing with linear probing by {@link String#hashCode}, which a string caches. A place
 * holds the hash and the number. The name itself is read only where the hashes are equal. If names
 * are chosen to collide, the table switches to a hash with a secret multiplier. No method depends
 * on the order of places, so neither hash affects a result.
 */
public final class NameTable {
  /** The result of {@link #get} for an unknown name. */
  public static final int NONE = -1;

  /**
   * A run of more taken places than this is no accident. Eight million numbered names had runs of
   * up to 303 places (2026-11-28), names chosen to collide have runs of their number.
   */
  private static final int LONGEST_RUN = 1_000;

  /**
   * How many of the lowest bits of a hash are kept unchanged. Names that differ in the last digit,
   * as those of replicas do, then get neighbouring places. More bits would make runs longer. With
   * none, {@code BatchBenchmark} ({@code PRIORITIZED}, 10,000 nodes) took 1.19 times as long on
   * 2026-11-29.
   */
  private static final int NEIGHBOURS = 2;

  private static final long MULTIPLIER = ThreadLocalRandom.current().nextLong() | 1;

  /** Returns the name of a number that is in the table. */
  private final IntFunction<String> names;

  /**
   * Hash in the upper half, number plus one in the lower; 0 for a free place. The length is a power
   * of two.
   */
  private long[] places;

  private int size;
  private boolean keyed;

  public NameTable(IntFunction<String> names) {
    this.names = names;
    places = new long[16];
  }

  /** A copy that gets the names of its numbers from another function. */
  public NameTable copy(IntFunction<String> named) {
    NameTable copy = new NameTable(named);
    copy.places = places.clone();
    copy.size = size;
    copy.keyed = keyed;
    return copy;
  }

  public int size() {
    return size;
  }

  public int get(String name) {
    return number(places[find(name, hash(name))]);
  }

  /** Adds a name; returns false, and changes nothing, where it is in the table already. */
  public boolean add(String name, int number) {
    if (2 * size >= places.length) {
      rehash(2 * places.length, false);
    }
    int hash = hash(name);
    int at = find(name, hash);
    if (places[at] != 0) {
      return false;
    }
    if (((at - hash) & (places.length - 1)) > LONGEST_RUN && !keyed) {
      rehash(places.length, true);
      return add(name, number);
    }
    places[at] = place(hash, number);
    size++;
    return true;
  }

  /** Replaces every number with its new one; none of those in the table becomes negative. */
  void renumber(int[] renumbered) {
    for (int at = 0; at < places.length; at++) {
      if (places[at] != 0) {
        places[at] = place((int) (places[at] >>> 32), renumbered[number(places[at])]);
      }
    }
  }

  /** Removes a name that is in the table, and closes the gap in its run. */
  public void remove(String name) {
    int mask = places.length - 1;
    int hole = find(name, hash(name));
    size--;
    for (int at = (hole + 1) & mask; places[at] != 0; at = (at + 1) & mask) {
      int home = (int) (places[at] >>> 32);
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        places[hole] = places[at];
        hole = at;
      }
    }
    places[hole] = 0;
  }

  public void reserve(int more) {
    int wanted = places.length;
    while (wanted < 2L * (size + (long) more)) {
      wanted *= 2;
    }
    if (wanted > places.length) {
      rehash(wanted, false);
    }
  }

  private int find(String name, int hash) {
    int mask = places.length - 1;
    int at = hash & mask;
    while (places[at] != 0
        && ((int) (places[at] >>> 32) != hash || !name.equals(names.apply(number(places[at]))))) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private void rehash(int length, boolean otherwise) {
    long[] fresh = new long[length];
    for (long place : places) {
      if (place != 0) {
        int hash = otherwise ? keyedHash(names.apply(number(place))) : (int) (place >>> 32);
        int at = hash & (length - 1);
        while (fresh[at] != 0) {
          at = (at + 1) & (length - 1);
        }
        fresh[at] = place(hash, number(place));
      }
    }
    places = fresh; // The stack may have ended before, and no name is lost.
    keyed |= otherwise;
  }

  private static int number(long place) {
    return (int) place - 1;
  }

  private static long place(int hash, int number) {
    return (long) hash << 32 | (number + 1);
  }

  private int hash(String name) {
    if (keyed) {
      return keyedHash(name);
    }
    int hash = (name.hashCode() >>> NEIGHBOURS) * 0x9E3779B9;
    return (hash ^ hash >>> 15) << NEIGHBOURS | name.hashCode() & (1 << NEIGHBOURS) - 1;
  }

  /** A hash with a secret multiplier, so that nobody can choose names that collide. */
  private static int keyedHash(String name) {
    long hash = name.length();
    for (int i = 0; i < name.length(); i++) {
      hash = (hash + name.charAt(i)) * MULTIPLIER;
    }
    return (int) (hash >>> 32) ^ (int) (hash >>> 47);
  }
}
