package io.lighthouse.core.demand;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Placements;
import io.lighthouse.core.ledger.WorkloadNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The workloads of one call, checked, named and compiled in their order, so that turns read what
 * they need in sequence. While a batch is open, its names are taken. Closing it frees the names of
 * workloads that are not placed.
 *
 * <p>Consecutive workloads that require the very same object, as replicas do, are a run of one
 * shape. Their requirements are compiled once.
 */
public final class Batch {
  private final Ledger ledger;

  private final List<Workload> workloads;

  /** How many of the workloads have taken their names so far. */
  private int named;

  /** The name of each workload. */
  private final String[] names;

  /** Entry of each workload in the ledger's placements. */
  private final int[] entries;

  /** By entry the index; null until first asked. */
  private Map<Integer, Integer> indexes;

  private final BatchDemands demands;

  /** Whether the batch has been undone and its names freed. */
  private boolean undone;

  private Batch(Ledger ledger, List<Workload> workloads) {
    this.ledger = ledger;
    this.workloads = workloads;
    names = new String[workloads.size()];
    entries = new int[names.length];
    demands = new BatchDemands(ledger, workloads);
    ledger.log.append(this::freeNames); // Where memory ends below, a roll back frees them.
    try {
      read();
      demands.settle();
      demands.useGroups();
    } catch (RuntimeException wrong) {
      freeNames();
      throw wrong;
    }
  }

  /**
   * Opens a batch: takes its names and settles its scales. The caller must close it.
   *
   * @throws InvalidInputException if a name is in use, a quantity is out of range, or members of a
   *     gang name different levels; then nothing has changed
   */
  public static Batch open(Ledger ledger, List<Workload> workloads) {
    ledger.placements().reserveRoom(workloads.size());
    Batch batch = new Batch(ledger, workloads);
    ledger.log.expect(batch.size());
    ledger.savepoint();
    return batch;
  }

  /** Takes the names of the next workloads of one shape, as far as they form runs. */
  private void takeRuns(int to) {
    int before = -1;
    while (named > before && to - named >= WorkloadNames.LEAST_RUN) {
      before = named;
      named += ledger.placements().reserveRun(workloads, names, named, to, entries);
    }
  }

  private void takeName(int index) {
    Workload workload = workloads.get(index);
    entries[index] = ledger.placements().reserve(workload);
    if (entries[index] < 0) {
      int node = ledger.placements().placedNode(workload.name());
      throw new InvalidInputException(
          Thing.workload(workload.name()),
          "name",
          node < 0
              ? "given twice in the batch"
              : "placed on node '" + ledger.nodes().nodeName(node) + "'",
          "a name that is not in use");
    }
  }

  /** The number of workloads. */
  public int size() {
    return names.length;
  }

  /** A workload, by its index in the order given. */
  public Workload workload(int index) {
    return workloads.get(index);
  }

  /**
   * The names of all workloads, in the order given: the batch's own array, which callers must not
   * change.
   */
  public String[] names() {
    return names;
  }

  /** Whether some workload has terms. */
  public boolean hasTerms() {
    return demands.hasTerms();
  }

  /** Whether some workload is in a gang. */
  public boolean hasGangs() {
    return demands.hasGangs();
  }

  /**
   * The members of each gang.
   *
   * @param order the indexes of the batch in the order of their turns; null for as given
   * @return by name of the gang, the indexes of its members in that order
   */
  public Map<String, List<Integer>> gangs(int[] order) {
    Map<String, List<Integer>> gangs = new TreeMap<>();
    for (int turn = 0; turn < size(); turn++) {
      int index = order == null ? turn : order[turn];
      workload(index)
          .terms()
          .gang()
          .ifPresent(
              gang -> gangs.computeIfAbsent(gang.name(), any -> new ArrayList<>()).add(index));
    }
    return gangs;
  }

  /** The entry of a workload in the ledger's placements. */
  public int entry(int index) {
    return entries[index];
  }

  /**
   * The index of the workload with an entry of the ledger's placements; -1 where it is not of this
   * batch.
   */
  public int indexOf(int entry) {
    if (indexes == null) {
      indexes = new HashMap<>();
      for (int i = 0; i < entries.length; i++) {
        indexes.put(entries[i], i);
      }
    }
    return indexes.getOrDefault(entry, -1);
  }

  /** What a workload of this batch needs; valid while the batch is open. */
  public Demand demand(int index) {
    return demands.demand(index);
  }

  /**
   * The ids of the resources that a workload requires, in the order of names; callers must not
   * change the array.
   */
  public int[] ids(int index) {
    return demands.needs().ids(index);
  }

  /** The amount of each of {@link #ids}, scaled; callers must not change the array. */
  public long[] amounts(int index) {
    return demands.needs().amounts(index);
  }

  /** Whether the next workload needs the same, and neither the two nor the fleet have terms. */
  public boolean continuesRun(int index) {
    return demands.continuesRun(index);
  }

  /**
   * Places a workload. Then places the workloads after it that require the same and have no terms,
   * as many as the node takes. The result is the same as placing each of them.
   *
   * @param end the exclusive end index, greater than {@code index}
   * @return how many were placed, 1 or more
   * @throws io.lighthouse.api.error.InternalErrorException as in {@link Ledger#place}
   */
  public int placeRun(int index, int end, int node, Demand needed) {
    int count = 1;
    if (index + 1 < end && demands.continuesRun(index) && !needed.hasNegativeNeed()) {
      long room = Math.min(end - index, ledger.accounts().copies(node, needed));
      while (count < room && demands.continuesRun(index + count - 1)) {
        count++;
      }
    }
    if (count == 1) {
      ledger.place(entry(index), node, needed);
    } else {
      ledger.placeAlike(this::entry, index, count, node, needed);
    }
    return count;
  }

  /** Frees the names of workloads that are not placed. */
  public void close() {
    if (!undone) {
      ledger.log.append(this::reopen);
      freeNames(false);
    }
  }

  /** Takes the names again that {@link #close} freed: a roll back has opened the batch again. */
  void reopen() {
    demands.unuseGroups(); // There are none left, unless memory has ended there.
    for (int i = 0; i < size(); i++) {
      ledger.placements().reserveAgain(entry(i), workloads.get(i));
    }
    demands.useGroups();
  }

  /** Frees all names, as the batch is undone. */
  void freeNames() {
    freeNames(true);
    undone = true;
  }

  private void freeNames(boolean all) {
    Placements placements = ledger.placements();
    for (int i = 0; i < named; i++) {
      if (all || placements.nodeOf(entry(i)) < 0) {
        placements.unreserve(entry(i), workloads.get(i));
      }
    }
    demands.unuseGroups();
  }

  /**
   * Takes the names, and reads the requirements of every shape once, in the scales wanted so far.
   */
  private void read() {
    boolean single = false;
    while (named < size()) {
      int end = readShape(named);
      takeRuns(end);
      if (named < end && !single) {
        single = true;
        ledger.placements().reserveNames(size() - named);
      }
      while (named < end) {
        takeName(named);
        named++;
      }
    }
  }

  /** Reads the workloads of one shape, starting at one. Returns where the next shape begins. */
  private int readShape(int first) {
    Resources requirements = workloads.get(first).requirements();
    int next = first;
    for (; next < size(); next++) {
      Workload workload = workloads.get(next);
      if (workload.requirements() != requirements) { // Identity is only a shortcut.
        break;
      }
      names[next] = workload.name();
      demands.setFlags(next, workload);
    }
    demands.read(first, next - first);
    return next;
  }
}
