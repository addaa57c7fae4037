package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Audit;
import io.lighthouse.core.ledger.Demand;
import java.util.Arrays;
import java.util.function.BiPredicate;

/**
 * Where searches ended, to spare later ones the way: "before this place, nothing fits who needs at
 * least so much".
 *
 * <p>What did not fit a need does not fit a greater one, nor the same one later, as long as nothing
 * is given back. So a search starts at the farthest place of any smaller or equal need that is
 * remembered here. A few dozen needs suffice: in a fleet that fills up they spare nearly all of the
 * way, also where no two needs are equal. Once something has been given back, all is forgotten.
 *
 * <p>Only needs of 0 or more in the dimensions of {@link Levels}, without immunities, are
 * comparable. Who has aversion groups may start at a bound, but leaves none.
 */
final class BoundMemo {
  /** More spare a little more of the way, and cost more to look through; 64 measured best. */
  private static final int MOST = 64;

  /** Below any need: the dimension is not required. */
  private static final long NOT_REQUIRED = Long.MIN_VALUE;

  private final Levels levels;

  /** So many nodes on are worth a place. */
  private final int worth;

  /** The bounds, the farthest first; the first {@link #count}. What is needed, roughly. */
  private final int[] places = new int[MOST];

  private final long[] lanes = new long[MOST];

  /** Where the rest of each stands; behind the first {@link #count}, what is free. */
  private final int[] slots = new int[MOST];

  /** By slot: what is needed of each dimension, and of how many. */
  private final long[][] needs;

  private final int[] sizes = new int[MOST];
  private final boolean[] used = new boolean[MOST];
  private int count;

  /** Goes round the slots to find one that has not been used since it came by. */
  private int hand;

  /** Whether the demand at hand may leave a bound, and the one that it uses; -1 for none. */
  private boolean learnable;

  private int hit;

  /** A memo for the demands that the levels take up, of bounds that spare so many nodes. */
  BoundMemo(Levels levels, int worth) {
    this.levels = levels;
    this.worth = worth;
    needs = new long[MOST][levels.dimensions()];
    Arrays.setAll(slots, i -> i);
  }

  /** Something has been given back. */
  void clear() {
    count = 0;
  }

  /** Something may fit from a place on: a node has come there. */
  void cut(int place) {
    for (int i = 0; i < count && places[i] > place; i++) {
      places[i] = place;
    }
  }

  /**
   * The place before which nothing fits a demand, 0 where none is known. The levels have taken it
   * up.
   *
   * @param comparable whether a need that is smaller rules out this one, too
   */
  int bound(Demand demand, boolean comparable) {
    learnable = comparable && !demand.grouped() && levels.asked() == demand.size();
    hit = -1;
    long asked = levels.askedLanes();
    for (int i = 0; comparable && i < count; i++) {
      // Roughly first.
      if (RoughAmounts.atMost(lanes[i], asked) && atMostAsked(i)) {
        used[slots[i]] = true;
        hit = i;
        return places[i];
      }
    }
    return 0;
  }

  /** Whether the needs of a bound are at most those of the demand at hand. */
  private boolean atMostAsked(int index) {
    long[] bound = needs[slots[index]];
    int common = 0;
    for (int i = 0; i < levels.asked(); i++) {
      long need = bound[levels.askedDimension(i)];
      if (need > levels.askedNeed(i)) {
        return false;
      }
      common += need == NOT_REQUIRED ? 0 : 1;
    }
    return common == sizes[slots[index]];
  }

  /** Whether the needs of a bound are at least those of the demand at hand. */
  private boolean atLeastAsked(int index) {
    long[] bound = needs[slots[index]];
    for (int i = 0; i < levels.asked(); i++) {
      if (bound[levels.askedDimension(i)] < levels.askedNeed(i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Remembers where the search for the demand at hand ended, if that is so much farther than the
   * bound it began with that it is worth a place, or the bound was that of an equal need.
   */
  void learn(int bound, int place) {
    if (!learnable || place == bound) {
      return;
    }
    long asked = levels.askedLanes();
    if (hit >= 0 && lanes[hit] == asked && atLeastAsked(hit)) {
      drop(hit);
    } else if (place - bound < worth) {
      return;
    }
    for (int i = count - 1; i >= 0 && places[i] <= place; i--) {
      if (RoughAmounts.atMost(asked, lanes[i]) && atLeastAsked(i)) {
        drop(i); // It says nothing beside the one that comes.
      }
    }
    if (count == MOST) {
      dropUnused();
    }
    insert(place);
  }

  private void insert(int place) {
    int slot = slots[count];
    int at = count++;
    while (at > 0 && places[at - 1] < place) {
      at--;
    }
    shift(at, at + 1, count - 1 - at);
    places[at] = place;
    lanes[at] = levels.askedLanes();
    slots[at] = slot;
    Arrays.fill(needs[slot], NOT_REQUIRED);
    for (int i = 0; i < levels.asked(); i++) {
      needs[slot][levels.askedDimension(i)] = levels.askedNeed(i);
    }
    sizes[slot] = levels.asked();
    used[slot] = true;
  }

  private void dropUnused() {
    while (used[hand]) {
      used[hand] = false;
      hand = (hand + 1) % MOST;
    }
    int index = 0;
    while (slots[index] != hand) {
      index++;
    }
    drop(index);
  }

  private void drop(int index) {
    int slot = slots[index];
    count--;
    shift(index + 1, index, count - index);
    slots[count] = slot;
  }

  private void shift(int from, int to, int length) {
    System.arraycopy(places, from, places, to, length);
    System.arraycopy(lanes, from, lanes, to, length);
    System.arraycopy(slots, from, slots, to, length);
  }

  /**
   * Searches for a node before each bound that fits the needs.
   *
   * @param has whether a node takes workloads and has this much of each dimension; {@link
   *     Long#MIN_VALUE} stands for one that is not required
   */
  void audit(Audit audit, int slotCount, BiPredicate<Integer, long[]> has) {
    for (int i = 0; i < count; i++) {
      long[] need = needs[slots[i]];
      for (int node = 0; node < Math.min(places[i], slotCount); node++) {
        if (has.test(node, need)) {
          audit.equal("the bound of needs " + Arrays.toString(need), node, places[i]);
          break;
        }
      }
    }
  }
}
