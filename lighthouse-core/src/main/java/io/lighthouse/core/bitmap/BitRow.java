package io.lighthouse.core.bitmap;

import io.lighthouse.core.account.Audit;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** A bitmap with one bit per slot of the ledger, which knows how many bits are set. */
public final class BitRow {
  /** 64 slots per word. */
  public long[] words;

  private int count;

  /** Makes a bitmap of this many words with no bit set. */
  public BitRow(int words) {
    this.words = new long[words];
  }

  /** Makes a bitmap of the slots below a limit that satisfy a condition. */
  public static BitRow of(int slots, IntPredicate condition) {
    BitRow row = new BitRow((slots + 63) >> 6);
    for (int slot = 0; slot < slots; slot++) {
      row.set(slot, condition.test(slot));
    }
    return row;
  }

  /** How many bits are set. */
  public int count() {
    return count;
  }

  public boolean has(int slot) {
    return (words[slot >> 6] >>> slot & 1) != 0;
  }

  public void set(int slot) {
    long before = words[slot >> 6];
    words[slot >> 6] = before | 1L << slot;
    count += (int) (~before >>> slot & 1);
  }

  public void clear(int slot) {
    long before = words[slot >> 6];
    words[slot >> 6] = before & ~(1L << slot);
    count -= (int) (before >>> slot & 1);
  }

  /** Clears all bits. */
  public void clear() {
    Arrays.fill(words, 0);
    count = 0;
  }

  public void set(int slot, boolean on) {
    if (on) {
      set(slot);
    } else {
      clear(slot);
    }
  }

  /** Copies the bits of another bitmap of the same length. */
  public void copy(BitRow other) {
    System.arraycopy(other.words, 0, words, 0, words.length);
    count = other.count;
  }

  /** Makes the bitmap long enough for a slot, with some room to spare. The new bits are not set. */
  public void reach(int slot) {
    if (slot >> 6 >= words.length) {
      words = Arrays.copyOf(words, (slot >> 6) + 1 + words.length / 4);
    }
  }

  /** Compares the first bits and the count with a recomputed bitmap. */
  public void audit(Audit audit, String what, IntPredicate recomputed, int slots) {
    int set = 0;
    for (int slot = 0; slot < slots; slot++) {
      boolean kept = slot >> 6 < words.length && has(slot);
      set += kept ? 1 : 0;
      if (recomputed.test(slot) != kept) {
        audit.equal(what + ", bit " + slot, !kept, kept);
      }
    }
    audit.equal(what + ", bits that are set", set, count);
  }
}
