package io.lighthouse.strategies.packing;

import java.util.Arrays;

/**
 * Chooses a number of fillings such that few workloads are in none of them: set covering by a local
 * search with weights (Gao and others 2015, "RWLS"). Each turn replaces one chosen filling.
 * Workloads that stay uncovered weigh more with each turn, so the search leaves local optima.
 */
final class SetCovering {
  private static final int NONE = -1;

  /** The weight of the largest workload at the start; that of the smallest is 1. */
  private static final int LARGEST_WEIGHT = 16;

  /** The turns from one pause to the next. */
  static final int PAUSE = 64;

  private final int[][] sets;
  private final long[] sizes;
  private final Chance chance;

  /** By workload, the fillings that it is in: from its start to that of the next. */
  private final int[] in;

  private final int[] starts;

  private final long[] weights;

  /** In how many chosen fillings each workload is. */
  private final int[] covers;

  /** By filling: the weight of what it alone covers if chosen, or would cover if not. */
  private final long[] scores;

  /** The turn in which each filling was added or removed. */
  private final int[] stamps;

  /** Whether what a filling would cover has changed since it was removed. */
  private final boolean[] hasChanged;

  private final Members chosen;
  private final Members uncovered;
  private long uncoveredSize;
  private long examined;

  /** Some of the numbers below a bound, in an order that depends only on the changes. */
  private static final class Members {
    final int[] all;
    final int[] places;
    int count;

    Members(int bound) {
      all = new int[bound];
      places = new int[bound];
      Arrays.fill(places, NONE);
    }

    boolean has(int member) {
      return places[member] != NONE;
    }

    void add(int member) {
      places[member] = count;
      all[count++] = member;
    }

    void remove(int member) {
      int last = all[--count];
      all[places[member]] = last;
      places[last] = places[member];
      places[member] = NONE;
    }
  }

  /**
   * A choice among fillings.
   *
   * @param sets the workloads of each filling
   * @param sizes the size of each workload, at least 1
   * @param chance breaks ties
   */
  SetCovering(int[][] sets, long[] sizes, Chance chance) {
    this.sets = sets;
    this.sizes = sizes;
    this.chance = chance;
    int loads = sizes.length;
    starts = new int[loads + 1];
    for (int[] set : sets) {
      for (int load : set) {
        starts[load + 1]++;
      }
    }
    for (int load = 0; load < loads; load++) {
      starts[load + 1] += starts[load];
    }
    int[] ends = starts.clone();
    in = new int[starts[loads]];
    weights = new long[loads];
    covers = new int[loads];
    scores = new long[sets.length];
    stamps = new int[sets.length];
    hasChanged = new boolean[sets.length];
    Arrays.fill(hasChanged, true);
    chosen = new Members(sets.length);
    uncovered = new Members(loads);
    long largest = Math.max(1, Arrays.stream(sizes).max().orElse(1));
    for (int load = 0; load < loads; load++) {
      weights[load] = 1 + (LARGEST_WEIGHT - 1) * sizes[load] / largest;
      uncovered.add(load);
      uncoveredSize += sizes[load];
    }
    for (int set = 0; set < sets.length; set++) {
      for (int load : sets[set]) {
        in[ends[load]++] = set;
        scores[set] += weights[load];
      }
    }
    examined = in.length;
  }

  /** How many fillings and workloads have been examined. */
  long examined() {
    return examined;
  }

  /**
   * Chooses fillings that leave the least size uncovered.
   *
   * @param count how many fillings
   * @param turns the most turns after the first choice
   * @param mostExamined no turn begins once this many fillings and workloads have been examined
   * @param pause called every {@link #PAUSE} turns; may end the search by an exception
   * @return indices of fillings, fewer only if there are fewer or the first choice was cut short
   */
  int[] choose(int count, long turns, long mostExamined, Runnable pause) {
    int turn = 0;
    while (chosen.count < Math.min(count, sets.length) && examined < mostExamined) {
      pauseBefore(++turn, pause);
      add(best(), turn);
    }
    int some = chosen.count;
    int[] best = Arrays.copyOf(chosen.all, some);
    long least = uncoveredSize;
    int newest = NONE;
    for (long left = turns;
        left > 0 && uncovered.count > 0 && some > 1 && examined < mostExamined;
        left--) {
      pauseBefore(++turn, pause);
      remove(leastLoss(newest), turn);
      int wanted = uncovered.all[chance.below(uncovered.count)];
      newest = bestWith(wanted);
      add(newest == NONE ? best() : newest, turn);
      if (uncoveredSize < least) {
        least = uncoveredSize;
        best = Arrays.copyOf(chosen.all, some);
      }
      for (int i = 0; i < uncovered.count; i++) {
        addWeight(uncovered.all[i]);
      }
    }
    return best;
  }

  private static void pauseBefore(int turn, Runnable pause) {
    if (turn % PAUSE == 0) {
      pause.run();
    }
  }

  /** The filling that covers most of what is uncovered. */
  private int best() {
    int best = NONE;
    for (int set = 0; set < sets.length; set++) {
      if (!chosen.has(set) && (best == NONE || scores[set] > scores[best])) {
        best = set;
      }
    }
    examined += sets.length;
    return best;
  }

  /** The filling with a workload that covers most of what is uncovered; the oldest of equals. */
  private int bestWith(int load) {
    int best = NONE;
    for (int i = starts[load]; i < starts[load + 1]; i++) {
      int set = in[i];
      if (!chosen.has(set) && hasChanged[set] && (best == NONE || isAhead(set, best))) {
        best = set;
      }
    }
    examined += starts[load + 1] - starts[load];
    return best;
  }

  private boolean isAhead(int set, int other) {
    return scores[set] != scores[other] ? scores[set] > scores[other] : stamps[set] < stamps[other];
  }

  /** The chosen filling that covers least alone, except the newest; the oldest of equals. */
  private int leastLoss(int newest) {
    int least = NONE;
    for (int i = 0; i < chosen.count; i++) {
      int set = chosen.all[i];
      if (set != newest
          && (least == NONE
              || scores[set] < scores[least]
              || (scores[set] == scores[least] && stamps[set] < stamps[least]))) {
        least = set;
      }
    }
    examined += chosen.count;
    return least;
  }

  private void add(int set, int turn) {
    long alone = 0;
    for (int load : sets[set]) {
      covers[load]++;
      if (covers[load] == 1) {
        alone += weights[load];
        uncovered.remove(load);
        uncoveredSize -= sizes[load];
        change(load, set, -weights[load]);
      } else if (covers[load] == 2) {
        changeOnly(load, -weights[load]);
      }
    }
    scores[set] = alone;
    stamps[set] = turn;
    chosen.add(set);
  }

  private void remove(int set, int turn) {
    chosen.remove(set);
    long lost = 0;
    for (int load : sets[set]) {
      covers[load]--;
      if (covers[load] == 0) {
        lost += weights[load];
        uncovered.add(load);
        uncoveredSize += sizes[load];
        change(load, set, weights[load]);
      } else if (covers[load] == 1) {
        changeOnly(load, weights[load]);
      }
    }
    scores[set] = lost;
    stamps[set] = turn;
    hasChanged[set] = false;
  }

  /** Changes the scores of the other fillings with a workload. */
  private void change(int load, int except, long by) {
    for (int i = starts[load]; i < starts[load + 1]; i++) {
      int set = in[i];
      hasChanged[set] = true;
      scores[set] += set == except ? 0 : by;
    }
    examined += starts[load + 1] - starts[load];
  }

  /** Changes the score of the only chosen filling with a workload. */
  private void changeOnly(int load, long by) {
    for (int i = starts[load]; i < starts[load + 1]; i++) {
      if (chosen.has(in[i])) {
        scores[in[i]] += by;
        examined += i - starts[load];
        return;
      }
    }
  }

  /** Lets an uncovered workload weigh more. */
  private void addWeight(int load) {
    weights[load]++;
    for (int i = starts[load]; i < starts[load + 1]; i++) {
      scores[in[i]]++;
    }
    examined += starts[load + 1] - starts[load];
  }
}
