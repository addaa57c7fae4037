package io.lighthouse.core.account;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.Arrays;
import java.util.List;

/**
 * What the workloads of a call require of nodes: ids of resources and scaled amounts. They are read
 * in the order of the call, so that turns find them side by side in memory. Neighbours with the
 * same requirements share them.
 *
 * <p>Requirements are read once, at the scales wanted so far. A later requirement may want a finer
 * scale, or the admission may have to take a coarser one. {@link #admit} then fills in the amounts
 * again.
 */
public final class Needs {
  private final ResourceTable table;
  private final Admission admission;

  /** By index: the ids that a workload requires. */
  private final int[][] ids;

  /** By index: the amount of each id, scaled. */
  private final long[][] amounts;

  /** The index after the last workload whose scales were possibly refined later. */
  private int stale;

  /** Creates empty needs of at most this number of workloads, and begins a round of admission. */
  public Needs(ResourceTable table, Admission admission, int workloads) {
    this.table = table;
    this.admission = admission;
    ids = new int[workloads][];
    amounts = new long[workloads][];
    admission.begin();
  }

  /** The ids of what a workload requires, in the order of names; not to be changed. */
  public int[] ids(int index) {
    return ids[index];
  }

  /** The amounts that a workload requires, parallel to {@link #ids}; not to be changed. */
  public long[] amounts(int index) {
    return amounts[index];
  }

  /** Whether a workload and the next were read together, because they require the same. */
  public boolean isSameAsNext(int index) {
    return amounts[index] == amounts[index + 1];
  }

  /** Reads what each of {@code count} workloads requires, 1 or more. */
  public void read(int first, int count, Resources required) {
    int refined = admission.refined();
    int[] of = table.intern(required);
    long[] scaled = new long[of.length];
    for (int k = 0; k < of.length; k++) {
      scaled[k] = admission.take(of[k], ResourceTable.required(required.quantity(k)), count);
    }
    if (admission.refined() != refined) {
      stale = first + count;
    }
    Arrays.fill(ids, first, first + count, of);
    Arrays.fill(amounts, first, first + count, scaled);
  }

  /**
   * Settles the scales for everything that was read.
   *
   * @param of the workloads that were read
   * @throws io.lighthouse.api.error.InvalidInputException if a quantity is out of range
   */
  public void admit(List<Workload> of) {
    int unsettled = admission.admit(List.of(), of, -1) ? stale : of.size();
    for (int i = 0; i < unsettled; i++) {
      if (i > 0 && isSameAsNext(i - 1)) {
        continue;
      }
      Resources required = of.get(i).requirements();
      for (int k = 0; k < required.size(); k++) {
        amounts[i][k] = table.need(ids[i][k], required.quantity(k));
      }
    }
  }
}
