package io.lighthouse.core.order;

import io.lighthouse.core.ledger.Demand;
import java.util.Arrays;

/**
 * A table of fixed size for shapes, which are equal requirements without immunities and aversion
 * groups. The newest shape replaces an older one of the same hash. Shapes are compared in full.
 */
public final class ShapeTable {
  /** By place: a demand of the shape; null for none. */
  private final Demand[] shapes;

  /** How far to shift a hash of 64 bits. */
  private final int shift;

  /** A table of 2^bits places. */
  public ShapeTable(int bits) {
    shapes = new Demand[1 << bits];
    shift = Long.SIZE - bits;
  }

  public int places() {
    return shapes.length;
  }

  /** Forgets all shapes. */
  public void clear() {
    Arrays.fill(shapes, null);
  }

  /** The place of a demand's shape; -1 for a demand that has no shape. */
  public int place(Demand demand) {
    if (demand.hasImmunities() || demand.hasAversionGroups()) {
      return -1;
    }
    long hash = demand.size();
    for (int i = 0; i < demand.size(); i++) {
      hash = (hash ^ demand.need(i)) * 0x9E3779B97F4A7C15L + demand.id(i);
    }
    return (int) ((hash ^ hash >>> 29) * 0xBF58476D1CE4E5B9L >>> shift);
  }

  public boolean holds(int place, Demand demand) {
    return shapes[place] != null && shapes[place].hasEqualNeeds(demand);
  }

  /** A demand of the shape at a place; null where there is none. */
  Demand shape(int place) {
    return shapes[place];
  }

  public void put(int place, Demand demand) {
    shapes[place] = demand;
  }
}
