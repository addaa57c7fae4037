package io.lighthouse.core.order;

import io.lighthouse.core.ledger.Demand;
import java.util.Arrays;

/**
 * A table of fixed size for shapes, which are equal requirements without immunities and aversion
 * groups. The newest shape replaces an older one of the same hash. Shapes are compared in full.
 */
public final class ShapeTable {
  /** Shapes of more requirements than this are not kept. */
  private static final int WIDTH = 8;

  private final int[] sizes;
  private final int[] ids;
  private final long[] needs;

  /** How far to shift a hash of 64 bits. */
  private final int shift;

  /** A table of 2^bits places. */
  public ShapeTable(int bits) {
    sizes = new int[1 << bits];
    ids = new int[WIDTH << bits];
    needs = new long[WIDTH << bits];
    shift = Long.SIZE - bits;
    clear();
  }

  public int places() {
    return sizes.length;
  }

  /** Forgets all shapes. */
  public void clear() {
    Arrays.fill(sizes, -1);
  }

  /** The place of a demand's shape; -1 for a demand that has no shape. */
  public int place(Demand demand) {
    if (demand.size() > WIDTH || demand.hasImmunities() || demand.hasAversionGroups()) {
      return -1;
    }
    long hash = demand.size();
    for (int i = 0; i < demand.size(); i++) {
      hash = (hash ^ demand.need(i)) * 0x9E3779B97F4A7C15L + demand.id(i);
    }
    return (int) ((hash ^ hash >>> 29) * 0xBF58476D1CE4E5B9L >>> shift);
  }

  public boolean holds(int place, Demand demand) {
    if (sizes[place] != demand.size()) {
      return false;
    }
    for (int i = 0; i < demand.size(); i++) {
      int at = place * WIDTH + i;
      if (needs[at] != demand.need(i) || ids[at] != demand.id(i)) {
        return false;
      }
    }
    return true;
  }

  /** The resources that the shape at a place requires; null where there is none. */
  int[] ids(int place) {
    return sizes[place] < 0
        ? null
        : Arrays.copyOfRange(ids, place * WIDTH, place * WIDTH + sizes[place]);
  }

  /** How much of each it requires. */
  long[] needs(int place) {
    return Arrays.copyOfRange(needs, place * WIDTH, place * WIDTH + sizes[place]);
  }

  public void put(int place, Demand demand) {
    sizes[place] = demand.size();
    for (int i = 0; i < demand.size(); i++) {
      ids[place * WIDTH + i] = demand.id(i);
      needs[place * WIDTH + i] = demand.need(i);
    }
  }
}
