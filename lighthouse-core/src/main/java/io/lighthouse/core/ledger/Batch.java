package io.lighthouse.core.ledger;

import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.InvalidInputException.Thing;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The workloads of one call, checked, named and compiled into flat arrays, so that a turn reads
 * them in sequence. While a batch is open its names are taken; closing it frees those not placed.
 * Behind the new ones there may be some that are placed already and may be moved.
 *
 * <p>Workloads that require the very same object one after the other, as replicas do, are a run of
 * one shape: what they require is compiled once.
 */
public final class Batch {
  /** Room for so many requirements of a shape to begin with; it grows as they come. */
  private static final int USUAL_SIZE = 4;

  /** The parts of a workload's shape. */
  private static final int START = 0;

  private static final int LENGTH = 1;
  private static final int SHAPE = 2;

  private final Ledger ledger;

  /** Tells this batch from every other one of its ledger. */
  private final long serial;

  private final List<Workload> workloads;

  /** How many of them are new. */
  private final int own;

  /** The name of each workload. */
  private final String[] names;

  /** Entry of each workload in the ledger's placements. */
  private final int[] entries;

  /**
   * The entry of the first workload where each entry is one more than the one before, as in a fleet
   * that has no gaps; else -1. Then who moves at random in a large batch does not fetch its entry.
   */
  private final int firstEntry;

  /**
   * Of each workload, side by side: where its requirements begin in {@link #ids} and {@link
   * #needs}; and twice how many they are, and one more where it has immunities, aversion groups or
   * terms.
   */
  private final int[] shapes;

  /** Ids of the required resources, of a run of one shape once. */
  private int[] ids;

  /** What is required, scaled; beside {@link #ids}. */
  private long[] needs;

  /** What {@link #fetch} read, so that it is not optimized away. */
  private long fetched;

  /** Whether some new workload has terms, and whether one is in a gang. */
  private boolean hasTerms;

  private boolean hasGangs;

  /** Whether the fleet is plain: only other calls could change that. */
  private final boolean plain;

  /** Whether the batch has been taken back, with its names. */
  private boolean gone;

  /** Where each workload's aversion groups begin in {@link #groups}; null where nobody has any. */
  private int[] groupStarts;

  /** Ids of aversion groups, in use by this batch. */
  private int[] groups = {};

  Batch(Ledger ledger, List<Workload> fresh, int[] placed) {
    this.ledger = ledger;
    serial = ++ledger.batches;
    workloads = placed.length == 0 ? fresh : new ArrayList<>(fresh);
    own = fresh.size();
    int size = own + placed.length;
    names = new String[size];
    entries = new int[size];
    shapes = new int[SHAPE * size];
    ledger.admission.begin();
    int named = 0;
    int runs = placed.length;
    Resources last = null;
    try {
      for (; named < own; named++) {
        Resources shape = takeName(named).requirements();
        runs += shape == last ? 0 : 1; // Identity: a shortcut only.
        last = shape;
      }
      ids = new int[USUAL_SIZE * runs];
      needs = new long[ids.length];
      compile();
      if (hasTerms) {
        admitTerms();
      }
    } catch (InvalidInputException wrong) {
      while (named > 0) {
        ledger.placements.unreserve(entries[--named], workloads.get(named));
      }
      ledger.admission.dropUnused();
      throw wrong;
    }
    for (int i = own; i < size; i++) {
      entries[i] = placed[i - own];
      workloads.add(ledger.placements.workload(entries[i]));
      names[i] = workloads.get(i).name();
      compilePlaced(i);
    }
    useGroups();
    plain = ledger.plain();
    firstEntry = isGapless() ? entries[0] : -1;
  }

  private boolean isGapless() {
    for (int i = 1; i < entries.length; i++) {
      if (entries[i] != entries[i - 1] + 1) {
        return false;
      }
    }
    return entries.length > 0;
  }

  private Workload takeName(int index) {
    Workload workload = workloads.get(index);
    names[index] = workload.name();
    entries[index] = ledger.placements.reserve(workload);
    if (entries[index] < 0) {
      int node = ledger.placements.placedNode(workload.name());
      throw new InvalidInputException(
          Thing.workload(workload.name()),
          "name",
          node < 0
              ? "given twice in the batch"
              : "placed on node '" + ledger.nodes.nodeName(node) + "'",
          "a name that is not in use");
    }
    return workload;
  }

  /**
   * The number of workloads.
   *
   * @return 0 or more
   */
  public int size() {
    return names.length;
  }

  /**
   * A workload.
   *
   * @param index from 0 to {@code size() - 1}, in the order given
   * @return the workload
   */
  public Workload workload(int index) {
    return workloads.get(index);
  }

  /**
   * The names of all workloads.
   *
   * @return in the order given; the batch's own, not to be written
   */
  public String[] names() {
    return names;
  }

  /**
   * How many of the workloads are new; those behind them were placed before.
   *
   * @return 0 to {@link #size}
   */
  public int own() {
    return own;
  }

  /**
   * Whether some new workload has terms.
   *
   * @return false for none
   */
  public boolean hasTerms() {
    return hasTerms;
  }

  /**
   * Whether some new workload is in a gang.
   *
   * @return false for none
   */
  public boolean hasGangs() {
    return hasGangs;
  }

  /**
   * The entry of a workload in the ledger's placements.
   *
   * @param index from 0 to {@code size() - 1}
   * @return its entry
   */
  public int entry(int index) {
    return firstEntry < 0 ? entries[index] : firstEntry + Objects.checkIndex(index, names.length);
  }

  /**
   * Fills a demand with a workload of this batch.
   *
   * @param index from 0 to {@code size() - 1}
   * @param demand to be filled
   */
  public void load(int index, Demand demand) {
    demand.load(this, index, ledger, false);
  }

  /**
   * As {@link #load}, for who asks what a workload needs and not which one it is: of a run of one
   * shape, {@link Demand#workload} may be another of the run.
   *
   * @param index from 0 to {@code size() - 1}
   * @param demand to be filled
   */
  public void loadNeeds(int index, Demand demand) {
    demand.load(this, index, ledger, true);
  }

  /**
   * Touches what {@link #load} will read, so that it has come from memory by then.
   *
   * @param index from 0 to {@code size() - 1}
   */
  public void fetch(int index) {
    int start = start(index);
    if (start < end(index)) {
      fetched =
          ids[start]
              + needs[start]
              + ledger.placements.nodeOf(entry(index))
              + shapes[SHAPE * index + LENGTH];
      fetched += workloads.get(index) == null ? 1 : 0;
    }
  }

  /**
   * Where a workload's requirements begin. Of a run of one shape all begin at the same place.
   *
   * @param index from 0 to {@code size() - 1}
   * @return a place for {@link #id} and {@link #need}
   */
  public int start(int index) {
    return shapes[SHAPE * index + START];
  }

  /**
   * Where a workload's requirements end.
   *
   * @param index from 0 to {@code size() - 1}
   * @return the place behind the last
   */
  public int end(int index) {
    return shapes[SHAPE * index + START] + (shapes[SHAPE * index + LENGTH] >> 1);
  }

  /** Tells this batch from every other one of its ledger; 1 or more. */
  long serial() {
    return serial;
  }

  /**
   * A required resource.
   *
   * @param at its place
   * @return the id of the resource
   */
  public int id(int at) {
    return ids[at];
  }

  /**
   * What is required.
   *
   * @param at its place
   * @return the amount, scaled
   */
  public long need(int at) {
    return needs[at];
  }

  /** As {@link Ledger#plain}, of the ledger that it is open on. */
  boolean plain() {
    return plain;
  }

  /** Whether a workload has immunities, aversion groups or terms. */
  boolean ruled(int index) {
    return (shapes[SHAPE * index + LENGTH] & 1) != 0;
  }

  /** Frees the names of workloads that are not placed. */
  public void close() {
    if (!gone) { // Else it has been taken back.
      freeNames(false);
      ledger.log.other(this::reopen); // A roll back takes the names again.
    }
  }

  /** Takes the names again that {@link #close} has freed: the batch is open again. */
  void reopen() {
    for (int i = 0; i < own; i++) {
      ledger.placements.reserveAgain(entry(i), workloads.get(i));
    }
    useGroups();
  }

  /** Frees all names: the batch is taken back. */
  void freeNames() {
    freeNames(true);
    gone = true;
  }

  private void freeNames(boolean all) {
    Placements placements = ledger.placements;
    for (int i = 0; i < own; i++) {
      if (all || placements.nodeOf(entry(i)) < 0) {
        placements.unreserve(entry(i), workloads.get(i));
      }
    }
    for (int group : groups) {
      ledger.groups.unuse(group);
    }
    groups = new int[0];
    ledger.admission.dropUnused();
  }

  /**
   * Settles the scales of what is shared, level by level, and has members counted that rules name.
   */
  private void admitTerms() {
    Map<String, List<Workload>> shares = new TreeMap<>();
    for (int i = 0; i < own; i++) {
      Workload workload = workloads.get(i);
      Terms terms = workload.terms();
      if (terms == Terms.NONE) {
        continue;
      }
      Topology.addShares(workload, shares);
      hasGangs |= terms.gang().isPresent();
      terms.rules().forEach(ledger.members::countFor);
      terms.preferences().forEach(ledger.members::countFor);
    }
    ledger.topology.admitShares(shares);
  }

  /** Looks the aversion groups up once, so that no turn has to. */
  private void useGroups() {
    int count = 0;
    for (int i = 0; i < names.length; i++) {
      count += ruled(i) ? workloads.get(i).aversionGroups().size() : 0;
    }
    if (count == 0) {
      return;
    }
    groupStarts = new int[names.length + 1];
    groups = new int[count];
    int at = 0;
    for (int i = 0; i < names.length; i++) {
      groupStarts[i] = at;
      if (ruled(i)) {
        for (String group : workloads.get(i).aversionGroups()) {
          groups[at++] = ledger.groups.use(group);
        }
      }
    }
    groupStarts[names.length] = at;
  }

  /** Notes whether a workload is ruled, and answers that. */
  private boolean rule(int index, Workload workload) {
    boolean ruled =
        !workload.immunities().isEmpty()
            || !workload.aversionGroups().isEmpty()
            || workload.terms() != Terms.NONE;
    shapes[SHAPE * index + LENGTH] = ruled ? 1 : 0;
    return ruled;
  }

  /** How many aversion groups a workload has. */
  int groupCount(int index) {
    return groupStarts == null ? 0 : groupStarts[index + 1] - groupStarts[index];
  }

  /** The id of an aversion group of a workload. */
  int group(int index, int at) {
    return groups[groupStarts[index] + at];
  }

  /**
   * Reads the requirements of every shape once, as they are; scales them all when the finest digits
   * are known.
   */
  private void compile() {
    byte[] digits = new byte[ids.length];
    Resources last = null;
    int from = 0;
    int at = 0;
    for (int i = 0; i < own; i++) {
      Workload workload = workloads.get(i);
      hasTerms |= rule(i, workload) && workload.terms() != Terms.NONE;
      Resources requirements = workload.requirements();
      if (requirements != last) {
        last = requirements;
        from = at;
        int size = requirements.size();
        if (at + size > ids.length) {
          ids = Arrays.copyOf(ids, 2 * (at + size));
          needs = Arrays.copyOf(needs, ids.length);
          digits = Arrays.copyOf(digits, ids.length);
        }
        for (int k = 0; k < size; k++, at++) {
          Quantity required = Columns.required(requirements.quantity(k));
          ids[at] = ledger.columns.intern(requirements.name(k), k);
          digits[at] = (byte) required.scale();
          needs[at] = ledger.admission.note(ids[at], required);
        }
      }
      lies(i, from, at);
    }
    for (int i = 0; i < own; ) {
      int run = run(i, own);
      for (int k = start(i); k < end(i); k++) {
        needs[k] = ledger.admission.require(ids[k], needs[k], digits[k], run);
      }
      i += run;
    }
    if (!ledger.admission.admit(List.of(), workloads, -1)) {
      recompile();
    }
  }

  /** Notes where a workload's requirements are. */
  private void lies(int index, int from, int to) {
    shapes[SHAPE * index + START] = from;
    shapes[SHAPE * index + LENGTH] |= to - from << 1;
  }

  /** How many workloads from one on, to before another, are of one shape. */
  private int run(int index, int to) {
    Resources requirements = workloads.get(index).requirements();
    int next = index + 1;
    while (next < to && workloads.get(next).requirements() == requirements) {
      next++;
    }
    return next - index;
  }

  /** Reads the requirements of one that is placed, at the scales that are settled now. */
  private void compilePlaced(int index) {
    Workload workload = workloads.get(index);
    rule(index, workload);
    Resources requirements = workload.requirements();
    int from = index == 0 ? 0 : end(index - 1);
    int at = from;
    if (at + requirements.size() > ids.length) {
      ids = Arrays.copyOf(ids, 2 * (at + requirements.size()));
      needs = Arrays.copyOf(needs, ids.length);
    }
    for (int k = 0; k < requirements.size(); k++, at++) {
      ids[at] = ledger.columns.intern(requirements.name(k), k);
      needs[at] =
          Columns.required(requirements.quantity(k)).scaledTo(ledger.columns.digits[ids[at]]);
    }
    lies(index, from, at);
  }

  /** Where an exact recount found a coarser scale than the common case wanted. */
  private void recompile() {
    for (int i = 0; i < own; i += run(i, own)) {
      Resources requirements = workloads.get(i).requirements();
      int at = start(i);
      for (int k = 0; k < requirements.size(); k++, at++) {
        needs[at] =
            Columns.required(requirements.quantity(k)).scaledTo(ledger.columns.digits[ids[at]]);
      }
    }
  }
}
