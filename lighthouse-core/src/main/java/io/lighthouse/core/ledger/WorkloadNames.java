package io.lighthouse.core.ledger;

import io.lighthouse.core.account.NameTable;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;

/**
 * Maps names of workloads to entries. Consecutive names of replicas, {@code web-1} to {@code
 * web-1000}, are one run: their common stem, and an array by their number. All other names are in a
 * {@link NameTable}, at a place given by their hash.
 *
 * <p>A name is read in one way only: its number consists of the last digits, at most nine, without
 * leading zeros. A name may have a stem with a run whose range includes its number. Such a name is
 * in that run or nowhere, whatever was added and removed in between. No result depends on the order
 * of the runs.
 */
public final class WorkloadNames {
  /** The least length of a run, in names. */
  public static final int LEAST_RUN = 64;

  private static final int MOST_DIGITS = 9;

  /** The most places of a run for each of its names; a run with more is given up. */
  private static final int MOST_PLACES_PER_NAME = 16;

  private final NameTable others;

  /** By stem: the run. */
  private final Map<String, Run> runs = new HashMap<>();

  /** Names with a common stem. */
  private static final class Run {
    final String stem;

    final int first;

    /** By number minus the first number: the entry plus one; 0 where the name is free. */
    int[] entries;

    int size;

    Run(String stem, int first, int[] entries) {
      this.stem = stem;
      this.first = first;
      this.entries = entries;
      size = entries.length;
    }

    Run(Run other) {
      this(other.stem, other.first, other.entries.clone());
      size = other.size;
    }

    /** The place in {@link #entries} of a name with this stem, or one outside of them. */
    int place(String name) {
      return number(name, stem.length()) - first;
    }

    boolean includes(String name) {
      int place = place(name);
      return place >= 0 && place < entries.length;
    }
  }

  WorkloadNames(IntFunction<String> names) {
    others = new NameTable(names);
  }

  /** A copy that gets the names of its entries from another function. */
  WorkloadNames(WorkloadNames other, IntFunction<String> names) {
    others = other.others.copy(names);
    other.runs.forEach((stem, run) -> runs.put(stem, new Run(run)));
  }

  /** The entry of a name; {@link NameTable#NONE} for an unknown name. */
  int get(String name) {
    Run run = run(name);
    return run == null ? others.get(name) : run.entries[run.place(name)] - 1;
  }

  /** Adds a name; returns false, and changes nothing, where it is present already. */
  boolean add(String name, int entry) {
    Run run = run(name);
    if (run == null) {
      return others.add(name, entry);
    }
    int place = run.place(name);
    if (run.entries[place] != 0) {
      return false;
    }
    run.entries[place] = entry + 1;
    run.size++;
    return true;
  }

  /** Removes a name that is present. */
  void remove(String name) {
    Run run = run(name);
    if (run == null) {
      others.remove(name);
      return;
    }
    run.entries[run.place(name)] = 0;
    run.size--;
    if (run.entries.length > (long) MOST_PLACES_PER_NAME * run.size) {
      giveUp(run);
    }
  }

  /** Puts the names that a run still has among the others, one by one. */
  private void giveUp(Run run) {
    others.reserve(run.size);
    runs.remove(run.stem);
    for (int place = 0; place < run.entries.length; place++) {
      if (run.entries[place] != 0) {
        others.add(run.stem + (run.first + place), run.entries[place] - 1);
      }
    }
  }

  /** Makes room for {@code more} names that will be added one by one. */
  void reserve(int more) {
    others.reserve(more);
  }

  /**
   * Adds the names of a new run, or none of them.
   *
   * @param names the run must begin at {@code from} and end before {@code to}
   * @param fresh supplies an entry for each name, in that order; called only for names that are
   *     added
   * @param entries receives these entries, by the place of the name
   * @return how many were added; 0 where they are too few for a run, or one is present already
   */
  int addRun(String[] names, int from, int to, IntSupplier fresh, int[] entries) {
    int digits = to - from < LEAST_RUN ? 0 : digits(names[from]);
    if (digits == 0) {
      return 0;
    }
    String stem = names[from].substring(0, names[from].length() - digits);
    int first = number(names[from], stem.length());
    int end = endOfRun(names, from, to, stem, first);
    if (end - from < LEAST_RUN || runs.containsKey(stem) || isTaken(names, from, end)) {
      return 0;
    }
    int[] taken = new int[end - from];
    for (int i = 0; i < taken.length; i++) {
      entries[from + i] = fresh.getAsInt();
      taken[i] = entries[from + i] + 1;
    }
    runs.put(stem, new Run(stem, first, taken));
    return taken.length;
  }

  /** Whether one of the names of a run is already in {@link #others}. */
  private boolean isTaken(String[] names, int from, int end) {
    for (int i = from; others.size() > 0 && i < end; i++) {
      if (others.get(names[i]) != NameTable.NONE) {
        return true;
      }
    }
    return false;
  }

  /** The run that a name belongs to, present or not; null where it belongs to none. */
  private Run run(String name) {
    if (runs.isEmpty()) {
      return null;
    }
    int digits = digits(name);
    if (digits == 0) {
      return null;
    }
    Run run = runs.get(name.substring(0, name.length() - digits));
    return run != null && run.includes(name) ? run : null;
  }

  /** The length of the number at the end of a name, in digits; 0 for none. */
  private static int digits(String name) {
    int from = name.length();
    while (from > 0 && name.length() - from < MOST_DIGITS && isDigit(name.charAt(from - 1))) {
      from--;
    }
    while (from < name.length() - 1 && name.charAt(from) == '0') {
      from++;
    }
    return name.length() - from;
  }

  private static int number(String name, int from) {
    int number = 0;
    for (int i = from; i < name.length(); i++) {
      number = 10 * number + name.charAt(i) - '0';
    }
    return number;
  }

  /**
   * The end of the sequence of names with this stem in which each number is one more than the last.
   */
  private static int endOfRun(String[] names, int from, int to, String stem, int first) {
    int number = first;
    String start = withoutLastDigit(stem, number);
    for (int i = from + 1; i < to; i++) {
      number++;
      if (number % 10 == 0) {
        start = withoutLastDigit(stem, number);
      }
      String name = names[i];
      if (name.length() != start.length() + 1
          || name.length() > stem.length() + MOST_DIGITS
          || name.charAt(start.length()) != '0' + number % 10
          || !name.startsWith(start)) {
        return i;
      }
    }
    return to;
  }

  private static String withoutLastDigit(String stem, int number) {
    return number < 10 ? stem : stem + number / 10;
  }

  private static boolean isDigit(char letter) {
    return letter >= '0' && letter <= '9';
  }
}
