package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Demand;

/**
 * Where the first node that fits was found for each shape. As long as nothing has been given back
 * since, no node before it fits, so the next search of the shape starts there. Where shapes do not
 * repeat, the memo switches itself off for a while.
 */
final class ShapeMemo {
  /** So many questions are watched; with fewer hits than one in eight it pauses. */
  private static final int WATCH = 4096;

  private static final int PAUSE = 16 * WATCH;

  private final ShapeTable shapes = new ShapeTable(10);
  private final int[] found = new int[shapes.places()];

  /** By place: the state of affairs that {@link #found} belongs to. */
  private final long[] epochs = new long[shapes.places()];

  /** Grows whenever something has been given back. */
  private long epoch = 1;

  private int questions;
  private int hits;
  private int paused;

  void givenBack() {
    epoch++;
  }

  /** The place of a shape, or -1 where it is not remembered now. */
  int place(Demand demand) {
    if (paused > 0) {
      paused--;
      return -1;
    }
    int place = shapes.place(demand);
    if (place >= 0) {
      watch(shapes.holds(place, demand));
    }
    return place;
  }

  /** Where to begin for a shape: what was found last, or 0. */
  int hint(int place, Demand demand) {
    return epochs[place] == epoch && shapes.holds(place, demand) ? found[place] : 0;
  }

  void learn(int place, Demand demand, int node) {
    if (!shapes.holds(place, demand)) {
      shapes.put(place, demand);
    }
    found[place] = node;
    epochs[place] = epoch;
  }

  private void watch(boolean hit) {
    hits += hit ? 1 : 0;
    if (++questions == WATCH) {
      paused = hits < WATCH / 8 ? PAUSE : 0;
      questions = 0;
      hits = 0;
    }
  }
}
