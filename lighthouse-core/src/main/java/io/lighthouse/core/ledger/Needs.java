package io.lighthouse.core.ledger;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.Arrays;
import java.util.List;

/**
 * What the workloads of a call require of one set of accounts, those of nodes or of a level's
 * domains: ids of resources and scaled amounts, side by side in flat arrays, so that turns read
 * them in sequence.
 *
 * <p>It is read once, at the scales wanted so far. Where what came later wanted a finer one, or the
 * admission had to take a coarser one, {@link #admit} tells which must be {@linkplain #fill filled}
 * in again.
 */
final class Needs {
  private final Columns columns;
  private final Admission admission;

  private int[] ids;

  /** Beside {@link #ids}. */
  private long[] amounts;

  private int end;

  /** Up to where some may have been read at a scale that was refined later. */
  private int stale;

  /** Nothing yet, with room for so many; a round of the admission begins. */
  Needs(Columns columns, Admission admission, int room) {
    this.columns = columns;
    this.admission = admission;
    ids = new int[room];
    amounts = new long[room];
    admission.begin();
  }

  /** For how many there is room; {@link #reserve} makes more. */
  int room() {
    return ids.length;
  }

  void reserve(int room) {
    ids = Arrays.copyOf(ids, room);
    amounts = Arrays.copyOf(amounts, room);
  }

  /** The place behind all that was read. */
  int end() {
    return end;
  }

  int id(int at) {
    return ids[at];
  }

  /** What is required, scaled. */
  long amount(int at) {
    return amounts[at];
  }

  /** Reads what so many workloads, 1 or more, require each. There must be room for it. */
  void read(Resources required, int times) {
    int refined = admission.refined();
    for (int k = 0; k < required.size(); k++, end++) {
      int id = columns.intern(required.name(k), k);
      ids[end] = id;
      amounts[end] = admission.take(id, Columns.required(required.quantity(k)), times);
    }
    if (admission.refined() != refined) {
      stale = end;
    }
  }

  /**
   * Has the scales settled for all that was read.
   *
   * @param workloads whose it is
   * @return up to where requirements must be filled in again; mostly 0
   * @throws io.lighthouse.api.error.InvalidInputException if something is out of range
   */
  int admit(List<Workload> workloads) {
    return admission.admit(List.of(), workloads, -1) ? stale : end;
  }

  /** Reads requirements at a place again, at the scales that are settled now. */
  void fill(int from, Resources required) {
    for (int k = 0, at = from; k < required.size(); k++, at++) {
      amounts[at] = columns.need(ids[at], required.quantity(k));
    }
  }

  /** Adds requirements of one that is placed, at the scales that are settled now. */
  void add(Resources required) {
    int from = end;
    end += required.size();
    if (end > ids.length) {
      reserve(2 * end);
    }
    for (int k = 0; k < required.size(); k++) {
      ids[from + k] = columns.intern(required.name(k), k);
    }
    fill(from, required);
  }
}
