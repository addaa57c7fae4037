package io.lighthouse.core.account;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * What the workloads of a call require of one set of accounts, those of nodes or of a level's
 * domains. Ids of resources and scaled amounts are side by side in flat arrays, so that turns read
 * them in sequence. Neighbours with the same requirements have the same place in them.
 *
 * <p>Requirements are read once, at the scales wanted so far. A later requirement may want a finer
 * scale, or the admission may have to take a coarser one. {@link #admit} then fills in the amounts
 * again.
 */
public final class Needs {
  /** Initial room, in requirements. */
  private static final int FIRST_ROOM = 4096;

  /** Few workloads require more resources than this. */
  private static final int USUAL_SIZE = 4;

  /** The fields of a workload's span. */
  private static final int START = 0;

  private static final int SIZE = 1;
  private static final int SPAN = 2;

  /** The size of a workload that requires nothing of these accounts and has no span. */
  private static final int ABSENT = -1;

  private final ResourceTable table;
  private final Admission admission;
  private final int workloads;

  private int[] ids;

  /** The amounts, parallel to {@link #ids}. */
  private long[] amounts;

  /** The place after everything that was read. */
  private int end;

  /** By place in a workload's requirements: the name read last there, and its id. */
  private final String[] names = new String[USUAL_SIZE];

  private final int[] namedIds = new int[USUAL_SIZE];

  /** The ids returned last; most demands of a call share this array. */
  private int[] lastIds = {};

  /** The end of the part that may have been read at a scale refined later. */
  private int stale;

  /**
   * By index of the workload in its call, side by side: where its requirements begin, and their
   * number.
   */
  private int[] spans;

  /** The index after the last workload that has a span. */
  private int known;

  /** Creates empty needs of at most this number of workloads, and begins a round of admission. */
  public Needs(ResourceTable table, Admission admission, int workloads) {
    this.table = table;
    this.admission = admission;
    this.workloads = workloads;
    int room = Math.min(USUAL_SIZE * workloads, FIRST_ROOM);
    ids = new int[room];
    amounts = new long[room];
    spans = new int[SPAN * workloads];
    admission.begin();
  }

  /** The id of a required resource. */
  public int id(int at) {
    return ids[at];
  }

  /** The amount of a requirement, scaled. */
  public long amount(int at) {
    return amounts[at];
  }

  /** The ids of what a workload requires. */
  public int[] ids(int index) {
    int from = start(index);
    int to = from + size(index);
    if (!Arrays.equals(lastIds, 0, lastIds.length, ids, from, to)) {
      lastIds = Arrays.copyOfRange(ids, from, to);
    }
    return lastIds;
  }

  /** The amounts that a workload requires, parallel to {@link #ids(int)}. */
  public long[] amounts(int index) {
    return Arrays.copyOfRange(amounts, start(index), start(index) + size(index));
  }

  /** What a workload requires of these accounts. */
  public Requirements of(int index, Set<String> immune) {
    return new Requirements(ids(index), amounts(index), immune, table);
  }

  /** Whether a workload has a span, if only an empty one. */
  public boolean has(int index) {
    return index < known && spans[SPAN * index + SIZE] != ABSENT;
  }

  /** Where the requirements of a workload begin. */
  public int start(int index) {
    return spans[SPAN * index + START];
  }

  /** The number of requirements of a workload. */
  public int size(int index) {
    return spans[SPAN * index + SIZE];
  }

  /** Whether a workload and the next have the same place. */
  public boolean isSameAsNext(int index) {
    int at = SPAN * index;
    return index + 1 < known
        && spans[at + START] == spans[at + SPAN + START]
        && spans[at + SIZE] == spans[at + SPAN + SIZE];
  }

  /** Reads what each of {@code count} workloads requires, 1 or more. */
  public void read(int first, int count, Resources required) {
    int refined = admission.refined();
    int start = reserve(first, required.size());
    for (int k = 0; k < required.size(); k++) {
      int id = intern(required.name(k), k);
      ids[start + k] = id;
      amounts[start + k] = admission.take(id, ResourceTable.required(required.quantity(k)), count);
    }
    if (admission.refined() != refined) {
      stale = end;
    }
    for (int i = first; i < first + count; i++) {
      setSpan(i, start, required.size());
    }
  }

  /** The id of the name at a place; most workloads of a call name the same objects there. */
  private int intern(String name, int place) {
    if (place >= names.length) {
      return table.intern(name);
    }
    if (names[place] != name) {
      names[place] = name;
      namedIds[place] = table.intern(name);
    }
    return namedIds[place];
  }

  /** Adds the requirements of a placed workload, at the settled scales. */
  public void add(int index, Resources required) {
    int start = reserve(index, required.size());
    for (int k = 0; k < required.size(); k++) {
      ids[start + k] = table.intern(required.name(k));
    }
    fill(start, required);
    setSpan(index, start, required.size());
  }

  /** Makes room for requirements and returns their place. Estimates the rest from those read. */
  private int reserve(int index, int size) {
    int start = end;
    end += size;
    if (end > ids.length) {
      long likely = Math.min((long) end * workloads / (index + 1), (long) USUAL_SIZE * workloads);
      int room = (int) Math.max(likely, end + (end >> 1));
      ids = Arrays.copyOf(ids, room);
      amounts = Arrays.copyOf(amounts, room);
    }
    return start;
  }

  private void setSpan(int index, int start, int size) {
    while (known < index) {
      spans[SPAN * known++ + SIZE] = ABSENT;
    }
    known = index + 1;
    spans[SPAN * index + START] = start;
    spans[SPAN * index + SIZE] = size;
  }

  /**
   * Settles the scales for everything that was read.
   *
   * @param of the workloads that were read
   * @param required returns what one of them requires of these accounts
   * @throws io.lighthouse.api.error.InvalidInputException if a quantity is out of range
   */
  public void admit(List<Workload> of, Function<Workload, Resources> required) {
    int unsettled = admission.admit(List.of(), of, -1) ? stale : end;
    for (int i = 0; i < known; i++) {
      if (has(i) && start(i) < unsettled && !(i > 0 && isSameAsNext(i - 1))) {
        fill(start(i), required.apply(of.get(i)));
      }
    }
  }

  private void fill(int from, Resources required) {
    for (int k = 0, at = from; k < required.size(); k++, at++) {
      amounts[at] = table.need(ids[at], required.quantity(k));
    }
  }
}
