package io.lighthouse.core.ledger;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.Arrays;
import java.util.List;

/**
 * What the workloads of a call require of one set of accounts, those of nodes or of a level's
 * domains. Ids of resources and scaled amounts are side by side in flat arrays, so that turns read
 * them in sequence.
 *
 * <p>Requirements are read once, at the scales wanted so far. A later requirement may want a finer
 * scale, or the admission may have to take a coarser one. {@link #admit} then returns which ones
 * must be {@linkplain #fill filled} in again.
 */
final class Needs {
  private final ResourceTable resources;
  private final Admission admission;

  private int[] ids;

  /** The amounts, parallel to {@link #ids}. */
  private long[] amounts;

  private int end;

  /** The end of the part that may have been read at a scale refined later. */
  private int stale;

  /** Creates empty needs with an initial room, and begins a round of the admission. */
  Needs(ResourceTable table, Admission admission, int room) {
    this.resources = table;
    this.admission = admission;
    ids = new int[room];
    amounts = new long[room];
    admission.begin();
  }

  /** The number of requirements that fit; {@link #reserve} makes more room. */
  int room() {
    return ids.length;
  }

  void reserve(int room) {
    ids = Arrays.copyOf(ids, room);
    amounts = Arrays.copyOf(amounts, room);
  }

  /** The place after everything that was read. */
  int end() {
    return end;
  }

  int id(int at) {
    return ids[at];
  }

  /** The amount of a requirement, scaled. */
  long amount(int at) {
    return amounts[at];
  }

  /** Reads what each of {@code times} workloads requires, 1 or more. There must be room for it. */
  void read(Resources required, int times) {
    int refined = admission.refined();
    for (int k = 0; k < required.size(); k++, end++) {
      int id = resources.intern(required.name(k), k);
      ids[end] = id;
      amounts[end] = admission.take(id, ResourceTable.required(required.quantity(k)), times);
    }
    if (admission.refined() != refined) {
      stale = end;
    }
  }

  /**
   * Settles the scales for everything that was read.
   *
   * @param workloads the workloads with these requirements
   * @return the end of the part that must be filled in again; mostly 0
   * @throws io.lighthouse.api.error.InvalidInputException if a quantity is out of range
   */
  int admit(List<Workload> workloads) {
    return admission.admit(List.of(), workloads, -1) ? stale : end;
  }

  /** Reads the requirements at a place again, at the settled scales. */
  void fill(int from, Resources required) {
    for (int k = 0, at = from; k < required.size(); k++, at++) {
      amounts[at] = resources.need(ids[at], required.quantity(k));
    }
  }

  /** Adds the requirements of a placed workload, at the settled scales. */
  void add(Resources required) {
    int from = end;
    end += required.size();
    if (end > ids.length) {
      reserve(2 * end);
    }
    for (int k = 0; k < required.size(); k++) {
      ids[from + k] = resources.intern(required.name(k), k);
    }
    fill(from, required);
  }
}
