package io.lighthouse.core.index;

import io.lighthouse.core.account.Audit;
import java.util.Arrays;
import java.util.function.BiPredicate;

/**
 * Remembers where searches ended, so that later ones need not start at the first node. A bound
 * means: before this place, no workload fits that needs at least this much.
 *
 * <p>A node that is too small for a need is too small for a greater one. It also stays too small
 * until something is released there. So a search starts at the farthest bound of any smaller or
 * equal need. In a fleet that fills up, the bounds save nearly the whole scan, even if no two needs
 * are equal. After a release, no bound is behind its node.
 *
 * <p>Only needs of 0 or more in the dimensions of {@link Levels}, without immunities, are
 * comparable. A workload with aversion groups may start at a bound, but does not leave one.
 *
 * <p>Without the bounds, {@code BatchBenchmark} (prioritized, 10,000 nodes) took 1.7 times as long
 * on 2026-11-24. Without the rough comparison, it took 1.15 times as long on 2026-11-29.
 */
public final class BoundMemo {
  /** Below any need: the dimension is not required. */
  private static final long NOT_REQUIRED = Long.MIN_VALUE;

  /**
   * How many bounds a release leaves, the farthest and then the newest. Most of them end at its
   * node then, so that more of them save little. With all 390 of them, a workload that comes and
   * goes took 1.2 times as long on 100,000 nodes with 64 resources ({@code CliffBenchmark},
   * MANY_RESOURCES, 2026-11-29).
   */
  private static final int MOST_AFTER_RELEASE = 64;

  /** How many nodes a bound must save to be remembered. */
  private final int worth;

  /** The bounds, the farthest first, and roughly what each needs; the first {@link #count}. */
  private final int[] places;

  private final long[] lanes;

  /** The slot with the details of each bound; behind the first {@link #count}, the free slots. */
  private final int[] slots;

  /**
   * By slot: what is needed of each dimension, made when first used, and of how many dimensions.
   */
  private final long[][] needs;

  private final int dimensions;

  private final int[] sizes;
  private final boolean[] used;
  private int count;

  /** Moves round the slots to find one that has not been used since its last visit. */
  private int hand;

  /** The first node with a release since the bounds were last read. */
  private int released = Integer.MAX_VALUE;

  /**
   * A memo without bounds.
   *
   * @param levels their dimensions are those of all needs
   * @param worth how many nodes a bound must save to be remembered
   * @param most how many bounds there may be; then one that was not used lately makes room
   */
  public BoundMemo(Levels levels, int worth, int most) {
    this.worth = worth;
    dimensions = levels.dimensions();
    places = new int[most];
    lanes = new long[most];
    slots = new int[most];
    needs = new long[most][];
    sizes = new int[most];
    used = new boolean[most];
    Arrays.setAll(slots, i -> i);
  }

  /** Forgets all bounds. */
  public void clear() {
    count = 0;
    released = Integer.MAX_VALUE;
  }

  /** A node may fit needs that it did not fit before. */
  public void released(int node) {
    released = Math.min(released, node);
  }

  /**
   * Moves the bounds behind the first release to its node, and forgets those beyond {@link
   * #MOST_AFTER_RELEASE}; or forgets all if that saves little.
   */
  private void lower() {
    if (released == Integer.MAX_VALUE) {
      return;
    }
    for (int i = 0; i < count && places[i] > released; i++) {
      places[i] = released;
    }
    count = released < worth ? 0 : Math.min(count, MOST_AFTER_RELEASE);
    released = Integer.MAX_VALUE;
  }

  /** The place before which no node has what is needed; 0 where none is known. */
  public int bound(LevelNeeds needed) {
    lower();
    if (!needed.demand().isDecidedByNeeds()) {
      return 0;
    }
    long asked = needed.firstLanes();
    for (int i = 0; i < count; i++) {
      // The rough comparison goes first.
      if (RoughAmounts.atMost(lanes[i], asked) && isAtMost(i, needed)) {
        used[slots[i]] = true;
        return places[i];
      }
    }
    return 0;
  }

  /** Whether the needs of a bound are at most these. */
  private boolean isAtMost(int index, LevelNeeds needed) {
    long[] bound = needs[slots[index]];
    int common = 0;
    for (int i = 0; i < needed.count(); i++) {
      long need = bound[needed.dimension(i)];
      if (need > needed.need(i)) {
        return false;
      }
      common += need == NOT_REQUIRED ? 0 : 1;
    }
    return common == sizes[slots[index]];
  }

  /** Whether the needs of a bound are at least these. */
  private boolean isAtLeast(int index, LevelNeeds needed) {
    long[] bound = needs[slots[index]];
    for (int i = 0; i < needed.count(); i++) {
      if (bound[needed.dimension(i)] < needed.need(i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Remembers where a search ended, if the gain over the bound at its start is large enough.
   *
   * @param needed the needs of the search; a demand with aversion groups leaves no bound, nor does
   *     one that requires something that is no dimension
   * @param bound what {@link #bound} returned for them
   * @param place the place before which no node has what is needed
   */
  public void learn(LevelNeeds needed, int bound, int place) {
    if (place - bound < worth
        || !needed.demand().isDecidedByNeeds()
        || needed.demand().hasAversionGroups()
        || needed.count() < needed.demand().size()) {
      return;
    }
    long asked = needed.firstLanes();
    for (int i = count - 1; i >= 0 && places[i] <= place; i--) {
      if (RoughAmounts.atMost(asked, lanes[i]) && isAtLeast(i, needed)) {
        drop(i); // The new bound covers it.
      }
    }
    if (count == slots.length) {
      dropUnused();
    }
    insert(needed, place);
  }

  private void insert(LevelNeeds needed, int place) {
    int slot = slots[count];
    int at = count++;
    while (at > 0 && places[at - 1] <= place) { // Before its equals: a release leaves the newest.
      at--;
    }
    shift(at, at + 1, count - 1 - at);
    places[at] = place;
    lanes[at] = needed.firstLanes();
    slots[at] = slot;
    if (needs[slot] == null) {
      needs[slot] = new long[dimensions];
    }
    Arrays.fill(needs[slot], NOT_REQUIRED);
    for (int i = 0; i < needed.count(); i++) {
      needs[slot][needed.dimension(i)] = needed.need(i);
    }
    sizes[slot] = needed.count();
    used[slot] = true;
  }

  private void dropUnused() {
    while (used[hand]) {
      used[hand] = false;
      hand = (hand + 1) % slots.length;
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
   * Searches for a node before each bound that fits its needs.
   *
   * @param has whether a node takes workloads and has this much of each dimension; {@link
   *     Long#MIN_VALUE} marks a dimension that is not required
   */
  public void audit(Audit audit, int slotCount, BiPredicate<Integer, long[]> has) {
    lower();
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
