package io.lighthouse.core.ledger;

import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What the workloads of one call share of one level, in the order in which they come. Read once,
 * when the scales of the level are settled; the turns read it from flat arrays.
 */
final class SharedNeeds {
  /** What {@link #places} says of a workload that shares nothing of the level. */
  private static final int NONE = -1;

  private final List<Workload> workloads = new ArrayList<>();
  private final List<Resources> shared = new ArrayList<>();

  /** By index of the workload in its batch: its place here; shorter where the last share none. */
  private int[] places = new int[16];

  private int known;

  /** By place: where its resources begin; one more for the end. */
  private int[] starts;

  private int[] ids;

  /** Scaled; beside {@link #ids}. */
  private long[] needs;

  /** Adds what a workload shares, of which the index in the batch is no less than those before. */
  void add(int index, Workload workload, Resources of) {
    if (index >= places.length) {
      places = Arrays.copyOf(places, Math.max(index + 1, 2 * places.length));
    }
    while (known < index) {
      places[known++] = NONE;
    }
    places[known++] = workloads.size();
    workloads.add(workload);
    shared.add(of);
  }

  /** The place of a workload of the batch; negative where it shares nothing of the level. */
  int place(int index) {
    return index < known ? places[index] : NONE;
  }

  /** Where the resources of a place begin. */
  int start(int place) {
    return starts[place];
  }

  /** Where they end. */
  int end(int place) {
    return starts[place + 1];
  }

  int id(int at) {
    return ids[at];
  }

  /** What is required, scaled. */
  long need(int at) {
    return needs[at];
  }

  /**
   * Settles the scales of the level for all of this, and reads it.
   *
   * @throws io.lighthouse.api.InvalidInputException if something is out of range
   */
  void admit(Columns columns, Admission admission) {
    starts = new int[shared.size() + 1];
    for (int i = 0; i < shared.size(); i++) {
      starts[i + 1] = starts[i] + shared.get(i).size();
    }
    ids = new int[starts[shared.size()]];
    needs = new long[ids.length];
    byte[] digits = new byte[ids.length];
    admission.begin();
    for (int i = 0; i < shared.size(); i++) {
      Resources of = shared.get(i);
      for (int k = 0, at = starts[i]; k < of.size(); k++, at++) {
        Quantity required = Columns.required(of.quantity(k));
        ids[at] = columns.intern(of.name(k), k);
        digits[at] = (byte) required.scale();
        needs[at] = admission.note(ids[at], required);
      }
    }
    for (int at = 0; at < ids.length; at++) {
      needs[at] = admission.require(ids[at], needs[at], digits[at]);
    }
    try {
      if (!admission.admit(List.of(), workloads, -1)) {
        readAgain(columns);
      }
    } finally {
      admission.dropUnused();
    }
  }

  /** Where an exact recount found a coarser scale than the common case wanted. */
  private void readAgain(Columns columns) {
    for (int i = 0; i < shared.size(); i++) {
      for (int k = 0, at = starts[i]; k < shared.get(i).size(); k++, at++) {
        needs[at] = columns.need(ids[at], shared.get(i).quantity(k));
      }
    }
  }
}
