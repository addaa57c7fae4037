package io.lighthouse.core.ledger;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What the workloads of one call share of one level, in their order in the call. The shares are
 * read once, when the scales of the level are settled. Turns read them from flat arrays.
 */
final class SharedNeeds {
  /** Marks a workload in {@link #places} that shares nothing of the level. */
  private static final int NONE = -1;

  private final List<Workload> workloads = new ArrayList<>();
  private final List<Resources> shared = new ArrayList<>();

  /**
   * By index of the workload in its batch: its place here. Shorter where the last workloads share
   * nothing.
   */
  private int[] places = new int[16];

  private int known;

  /** By place: where its resources begin; one more element for the end. */
  private int[] starts;

  private Needs needs;

  /** Adds a workload's share. Its index in the batch must not be less than the earlier ones. */
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

  /** Where the resources of a place end. */
  int end(int place) {
    return starts[place + 1];
  }

  int id(int at) {
    return needs.id(at);
  }

  /** The amount of a requirement, scaled. */
  long need(int at) {
    return needs.amount(at);
  }

  /**
   * Settles the scales of the level for all of these shares, and reads them.
   *
   * @throws io.lighthouse.api.error.InvalidInputException if a quantity is out of range
   */
  void admit(ResourceTable table, Admission admission) {
    starts = new int[shared.size() + 1];
    for (int i = 0; i < shared.size(); i++) {
      starts[i + 1] = starts[i] + shared.get(i).size();
    }
    needs = new Needs(table, admission, starts[shared.size()]);
    shared.forEach(of -> needs.read(of, 1));
    try {
      int stale = needs.admit(workloads);
      for (int i = 0; i < shared.size() && starts[i] < stale; i++) {
        needs.fill(starts[i], shared.get(i));
      }
    } finally {
      admission.dropUnused();
    }
  }
}
