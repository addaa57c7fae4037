package io.lighthouse.core.ledger;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The workloads of one call, checked, named and compiled into flat arrays, so that a turn reads
 * them in sequence. While a batch is open, its names are taken. Closing it frees the names of
 * workloads that are not placed. After the new workloads there may be placed ones that may be
 * moved.
 *
 * <p>Consecutive workloads that require the very same object, as replicas do, are a run of one
 * shape. Their requirements are compiled once.
 */
public final class Batch {
  /** Initial room, in requirements; it grows on demand. */
  private static final int FIRST_ROOM = 4096;

  /** Few workloads require more resources than this. */
  private static final int USUAL_SIZE = 4;

  /** The fields of a workload's shape. */
  private static final int START = 0;

  private static final int LENGTH = 1;
  private static final int SHAPE = 2;

  /** Flags in the lowest bits of the length: what a workload has beside its requirements. */
  private static final int IMMUNE = 1;

  private static final int AVERSE = 2;
  private static final int TERMED = 4;
  private static final int RULED = IMMUNE | AVERSE | TERMED;
  private static final int RULES = 3;

  private static final int[] NO_GROUPS = {};

  private final Ledger ledger;

  /** Distinguishes this batch from every other one of its ledger. */
  private final long serial;

  private final List<Workload> workloads;

  /** How many of the workloads are new. */
  private final int newCount;

  /** How many of the new workloads have taken their names so far. */
  private int named;

  /** The name of each workload. */
  private final String[] names;

  /** Entry of each workload in the ledger's placements. */
  private final int[] entries;

  /**
   * The entry of the first workload where entries are consecutive, as in a fleet without gaps; else
   * -1. Random access to a large batch then need not fetch an entry.
   */
  private final int firstEntry;

  /**
   * Of each workload, side by side: the place where its requirements begin in {@link #needs}, and
   * their number. The number is above the bits for immunities, aversion groups and terms.
   */
  private final int[] shapes;

  /** The flags that any workload has, combined. */
  private int anyRules;

  /** The requirements; those of a run of one shape are stored once. */
  private final Needs needs;

  /** Keeps what {@link #prefetch} read, so that the read is not optimized away. */
  private long prefetched;

  /** The terms of the new workloads; null where none has any. */
  private final BatchTerms terms;

  /** Whether the fleet is plain; only other calls could change that. */
  private final boolean fleetHasNoTerms;

  /** Whether the batch has been undone and its names freed. */
  private boolean undone;

  /**
   * The place where each workload's aversion groups begin in {@link #groups}; null without any
   * groups.
   */
  private int[] groupStarts;

  /** Ids of aversion groups, in use by this batch. */
  private int[] groups = NO_GROUPS;

  Batch(Ledger ledger, List<Workload> fresh, int[] placed) {
    this.ledger = ledger;
    serial = ++ledger.batches;
    workloads = placed.length == 0 ? fresh : new ArrayList<>(fresh);
    newCount = fresh.size();
    int size = newCount + placed.length;
    names = new String[size];
    entries = new int[size];
    shapes = new int[SHAPE * size];
    needs = new Needs(ledger.resources, ledger.admission, Math.min(USUAL_SIZE * size, FIRST_ROOM));
    try {
      read();
      settle();
      terms = (anyRules & TERMED) != 0 ? new BatchTerms(ledger, workloads, newCount) : null;
    } catch (InvalidInputException wrong) {
      while (named > 0) {
        ledger.placements.unreserve(entries[--named], workloads.get(named));
      }
      ledger.admission.dropUnused();
      throw wrong;
    }
    for (int i = newCount; i < size; i++) {
      entries[i] = placed[i - newCount];
      workloads.add(ledger.placements.workload(entries[i]));
      names[i] = workloads.get(i).name();
      int start = needs.end();
      needs.add(workloads.get(i).requirements());
      setShape(i, workloads.get(i), start, needs.end());
    }
    useGroups();
    fleetHasNoTerms = ledger.hasNoTerms();
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

  /**
   * Takes the names of workloads of one shape that form runs. Returns how many were taken, from the
   * first.
   */
  private int takeRuns(int from, int to) {
    if (to - from < WorkloadNames.LEAST_RUN) {
      return 0;
    }
    int taken = from;
    int count;
    do {
      count = ledger.placements.reserveRun(workloads, names, taken, to, entries);
      taken += count;
    } while (count > 0);
    return taken - from;
  }

  private void takeName(int index) {
    Workload workload = workloads.get(index);
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
   * @return in the order given; the batch's own array, which callers must not change
   */
  public String[] names() {
    return names;
  }

  /**
   * The number of new workloads; those after them were placed before.
   *
   * @return 0 to {@link #size}
   */
  public int newCount() {
    return newCount;
  }

  /**
   * Whether some new workload has terms.
   *
   * @return false for none
   */
  public boolean hasTerms() {
    return terms != null;
  }

  /**
   * Whether some new workload is in a gang.
   *
   * @return false for none
   */
  public boolean hasGangs() {
    return terms != null && terms.hasGangs();
  }

  /**
   * The members of each gang of new workloads.
   *
   * @param order the indexes of the batch in the order of their turns; null for as given
   * @return by name of the gang, the indexes of its members in that order
   */
  public Map<String, List<Integer>> gangs(int[] order) {
    Map<String, List<Integer>> gangs = new TreeMap<>();
    for (int turn = 0; turn < newCount(); turn++) {
      int index = order == null ? turn : order[turn];
      workload(index)
          .terms()
          .gang()
          .ifPresent(
              gang -> gangs.computeIfAbsent(gang.name(), any -> new ArrayList<>()).add(index));
    }
    return gangs;
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
   * As {@link #load}, for callers that need only a workload's requirements, not its identity. In a
   * run of one shape, {@link Demand#workload} may be another of the run.
   *
   * @param index from 0 to {@code size() - 1}
   * @param demand to be filled
   */
  public void loadNeeds(int index, Demand demand) {
    demand.load(this, index, ledger, true);
  }

  /**
   * Touches what {@link #load} will read, so that it is in the cache by then.
   *
   * @param index from 0 to {@code size() - 1}
   */
  public void prefetch(int index) {
    int start = start(index);
    if (start < end(index)) {
      prefetched = needs.id(start) + needs.amount(start) + ledger.placements.nodeOf(entry(index));
      prefetched += workloads.get(index) == null ? 1 : 0;
    }
  }

  /**
   * The place where a workload's requirements begin. It is the same for a whole run of one shape.
   *
   * @param index from 0 to {@code size() - 1}
   * @return a place for {@link #id} and {@link #need}
   */
  public int start(int index) {
    return shapes[SHAPE * index + START];
  }

  /**
   * The place where a workload's requirements end.
   *
   * @param index from 0 to {@code size() - 1}
   * @return the place after the last
   */
  public int end(int index) {
    return start(index) + (shapes[SHAPE * index + LENGTH] >> RULES);
  }

  /** Distinguishes this batch from every other one of its ledger; 1 or more. */
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
    return needs.id(at);
  }

  /**
   * The amount of a requirement.
   *
   * @param at its place
   * @return the amount, scaled
   */
  public long need(int at) {
    return needs.amount(at);
  }

  /** As {@link Ledger#hasNoTerms}, for the ledger that the batch is open on. */
  boolean fleetHasNoTerms() {
    return fleetHasNoTerms;
  }

  /** Whether a workload has neither immunities nor aversion groups nor terms. */
  boolean needsOnlyResources(int index) {
    return (rules(index) & RULED) == 0;
  }

  /** Whether the next workload requires the same, and neither the two nor the fleet have rules. */
  boolean continuesRun(int index) {
    int at = SHAPE * index;
    return fleetHasNoTerms
        && needsOnlyResources(index)
        && at + SHAPE < shapes.length
        && shapes[at + START] == shapes[at + SHAPE + START]
        && shapes[at + LENGTH] == shapes[at + SHAPE + LENGTH];
  }

  /** Whether a workload has immunities. */
  boolean isImmune(int index) {
    return (rules(index) & IMMUNE) != 0;
  }

  private int rules(int index) {
    return shapes[SHAPE * index + LENGTH];
  }

  /**
   * The terms of a workload.
   *
   * @param index from 0 to {@code size() - 1}
   * @return equal to its own but for shares and gang; the same object for consecutive new workloads
   *     with equal terms
   */
  public Terms terms(int index) {
    return (rules(index) & TERMED) == 0
        ? Terms.NONE
        : index < newCount ? terms.of(index) : workloads.get(index).terms();
  }

  /** The shares of the new workloads; null without terms, and for workloads placed before. */
  BatchTerms shared(int index) {
    return index < newCount ? terms : null;
  }

  /** Frees the names of workloads that are not placed. */
  public void close() {
    if (!undone) { // Otherwise it was undone.
      freeNames(false);
      ledger.log.append(this::reopen); // A roll back reopens the batch.
    }
  }

  /** Takes the names again that {@link #close} freed: the batch is open again. */
  void reopen() {
    for (int i = 0; i < newCount; i++) {
      ledger.placements.reserveAgain(entry(i), workloads.get(i));
    }
    useGroups();
  }

  /** Frees all names, as the batch is undone. */
  void freeNames() {
    freeNames(true);
    undone = true;
  }

  private void freeNames(boolean all) {
    Placements placements = ledger.placements;
    for (int i = 0; i < newCount; i++) {
      if (all || placements.nodeOf(entry(i)) < 0) {
        placements.unreserve(entry(i), workloads.get(i));
      }
    }
    for (int group : groups) {
      ledger.members.unuse(group);
    }
    groups = NO_GROUPS;
    ledger.admission.dropUnused();
  }

  /** Looks up the aversion groups once, so that no turn has to. */
  private void useGroups() {
    if ((anyRules & AVERSE) == 0) {
      return;
    }
    int count = 0;
    for (int i = 0; i < names.length; i++) {
      count += isAverse(i) ? workloads.get(i).aversionGroups().size() : 0;
    }
    groupStarts = new int[names.length + 1];
    groups = new int[count];
    int at = 0;
    for (int i = 0; i < names.length; i++) {
      groupStarts[i] = at;
      if (isAverse(i)) {
        for (String group : workloads.get(i).aversionGroups()) {
          groups[at++] = ledger.members.use(group);
        }
      }
    }
    groupStarts[names.length] = at;
  }

  /** Notes the place of a workload's requirements, and its flags. */
  private void setShape(int index, Workload workload, int from, int to) {
    int rules =
        (workload.immunities().isEmpty() ? 0 : IMMUNE)
            | (workload.aversionGroups().isEmpty() ? 0 : AVERSE)
            | (workload.terms() == Terms.NONE ? 0 : TERMED);
    anyRules |= rules;
    shapes[SHAPE * index + START] = from;
    shapes[SHAPE * index + LENGTH] = to - from << RULES | rules;
  }

  private boolean isAverse(int index) {
    return (rules(index) & AVERSE) != 0;
  }

  /** The number of aversion groups of a workload. */
  int groupCount(int index) {
    return groupStarts == null ? 0 : groupStarts[index + 1] - groupStarts[index];
  }

  /** The id of an aversion group of a workload. */
  int group(int index, int at) {
    return groups[groupStarts[index] + at];
  }

  /**
   * Takes the names, and reads the requirements of every shape once, in the scales wanted so far.
   */
  private void read() {
    boolean single = false;
    while (named < newCount) {
      int end = readShape(named);
      named += takeRuns(named, end);
      if (named < end && !single) {
        single = true;
        ledger.placements.reserveNames(newCount - named);
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
    int from = needs.end();
    int to = from + requirements.size();
    if (to > needs.room()) { // Estimates the rest from those read.
      long likely = Math.min((long) to * newCount / (first + 1), (long) USUAL_SIZE * newCount);
      needs.reserve((int) Math.max(likely, to + (to >> 1)));
    }
    Workload before = workloads.get(first);
    setShape(first, before, from, to);
    names[first] = before.name();
    int next = first + 1;
    for (; next < newCount; next++) {
      Workload workload = workloads.get(next);
      if (workload.requirements() != requirements) { // Identity is only a shortcut.
        break;
      }
      names[next] = workload.name();
      if (workload.immunities() == before.immunities()
          && workload.aversionGroups() == before.aversionGroups()
          && workload.terms() == before.terms()) { // True for replicas.
        shapes[SHAPE * next + START] = from;
        shapes[SHAPE * next + LENGTH] = rules(next - 1);
      } else {
        setShape(next, workload, from, to);
      }
      before = workload;
    }
    needs.read(requirements, next - first);
    return next;
  }

  /** Settles the scales for the requirements that were read. */
  private void settle() {
    int stale = needs.admit(workloads);
    for (int i = 0; i < newCount && start(i) < stale; i += run(i)) {
      needs.fill(start(i), workloads.get(i).requirements());
    }
  }

  /** How many new workloads, starting at one, have one shape or require nothing. */
  private int run(int index) {
    int next = index + 1;
    while (next < newCount && start(next) == start(index) && end(next) == end(index)) {
      next++;
    }
    return next - index;
  }
}
