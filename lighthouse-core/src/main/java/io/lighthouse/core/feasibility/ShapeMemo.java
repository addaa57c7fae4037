package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Demand;

/**
 * Where the first node that fits was found for each shape: for equal requirements without
 * immunities and aversion groups. As long as nothing has been given back since, no node before it
 * fits, so the next search of the shape starts there.
 *
 * <p>A table of fixed size, the newest shape in each place. Where shapes do not repeat it switches
 * itself off for a while. Exact: a shape is compared in full.
 */
final class ShapeMemo {
  private static final int SIZE = 1024;
  private static final int WIDTH = 8;

  /** So many questions are watched; with fewer hits than one in eight it pauses. */
  private static final int WATCH = 4096;

  private static final int PAUSE = 16 * WATCH;

  private final int[] sizes = new int[SIZE];
  private final int[] ids = new int[SIZE * WIDTH];
  private final long[] needs = new long[SIZE * WIDTH];
  private final int[] found = new int[SIZE];

  /** By place: the state of affairs that {@link #found} belongs to. */
  private final long[] epochs = new long[SIZE];

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
    if (demand.size() > WIDTH
        || demand.immunityCount() > 0
        || !demand.workload().aversionGroups().isEmpty()) {
      return -1;
    }
    long hash = demand.size();
    for (int i = 0; i < demand.size(); i++) {
      hash = (hash ^ demand.need(i)) * 0x9E3779B97F4A7C15L + demand.id(i);
    }
    int place = (int) ((hash ^ hash >>> 29) * 0xBF58476D1CE4E5B9L >>> 54);
    watch(holds(place, demand));
    return place;
  }

  /** Where to begin for a shape: what was found last, or 0. */
  int hint(int place, Demand demand) {
    return holds(place, demand) && epochs[place] == epoch ? found[place] : 0;
  }

  void learn(int place, Demand demand, int node) {
    if (!holds(place, demand)) {
      sizes[place] = demand.size();
      for (int i = 0; i < demand.size(); i++) {
        ids[place * WIDTH + i] = demand.id(i);
        needs[place * WIDTH + i] = demand.need(i);
      }
    }
    found[place] = node;
    epochs[place] = epoch;
  }

  private boolean holds(int place, Demand demand) {
    if (epochs[place] == 0 || sizes[place] != demand.size()) {
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

  private void watch(boolean hit) {
    hits += hit ? 1 : 0;
    if (++questions == WATCH) {
      paused = hits < WATCH / 8 ? PAUSE : 0;
      questions = 0;
      hits = 0;
    }
  }
}
