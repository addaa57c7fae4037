package io.lighthouse.core.ledger;

import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.Arrays;
import java.util.List;

/**
 * The workloads of one call, checked, named and compiled into flat arrays, so that a turn reads
 * them in sequence. While a batch is open its names are taken; closing it frees those not placed.
 */
public final class Batch {
  private final Ledger ledger;
  private final List<Workload> workloads;

  /** Entry of each workload in the ledger's placements. */
  private final int[] entries;

  /** Where each workload's requirements begin in {@link #ids} and {@link #needs}; one more. */
  private final int[] starts;

  /** Ids of the required resources. */
  private int[] ids;

  /** What is required, scaled; beside {@link #ids}. */
  private long[] needs;

  /** Names and ids of the last workload's requirements by their place: most are the same again. */
  private String[] lastNames = new String[8];

  private int[] lastIds = new int[8];

  Batch(Ledger ledger, List<Workload> workloads) {
    this.ledger = ledger;
    this.workloads = workloads;
    entries = new int[workloads.size()];
    starts = new int[workloads.size() + 1];
    ids = new int[4 * workloads.size()];
    int named = 0;
    ledger.admission.begin();
    try {
      for (Workload workload : workloads) {
        entries[named] = ledger.reserve(workload);
        if (entries[named] < 0) {
          throw new InvalidInputException(
              "workload '" + workload.name() + "'",
              "name",
              ledger.placedNode(workload.name()) < 0
                  ? "given twice in the batch"
                  : "placed already, on node '"
                      + ledger.nodeName(ledger.placedNode(workload.name()))
                      + "'",
              "a name that is not in use");
        }
        named++;
        compileIds(named - 1, workload.requirements());
      }
      compileNeeds();
    } catch (InvalidInputException wrong) {
      while (named > 0) {
        ledger.unreserve(entries[--named]);
      }
      ledger.admission.dropUnused();
      throw wrong;
    }
  }

  /**
   * The number of workloads.
   *
   * @return 0 or more
   */
  public int size() {
    return entries.length;
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
   * The entry of a workload in the ledger's placements.
   *
   * @param index from 0 to {@code size() - 1}
   * @return its entry
   */
  public int entry(int index) {
    return entries[index];
  }

  /**
   * Fills a demand with a workload of this batch.
   *
   * @param index from 0 to {@code size() - 1}
   * @param demand to be filled
   */
  public void load(int index, Demand demand) {
    demand.load(workloads.get(index), ledger, ids, needs, starts[index], starts[index + 1]);
  }

  /**
   * Where a workload's requirements begin.
   *
   * @param index from 0 to {@code size()}
   * @return a place for {@link #id} and {@link #need}; those of a workload end where the next begin
   */
  public int start(int index) {
    return starts[index];
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

  /** Frees the names of workloads that are not placed. */
  public void close() {
    for (int entry : entries) {
      if (ledger.nodeOf(entry) < 0) {
        ledger.unreserve(entry);
      }
    }
    for (int id : ids) {
      ledger.columns.dropIfUnused(id);
    }
  }

  private void compileIds(int index, Resources requirements) {
    int at = starts[index];
    int size = requirements.size();
    if (at + size > ids.length) {
      ids = Arrays.copyOf(ids, 2 * (at + size));
    }
    if (size > lastNames.length) {
      lastNames = Arrays.copyOf(lastNames, 2 * size);
      lastIds = Arrays.copyOf(lastIds, 2 * size);
    }
    for (int i = 0; i < size; i++) {
      String name = requirements.name(i);
      if (name != lastNames[i]) { // Identity: a shortcut, which only the intern below decides.
        lastIds[i] = ledger.columns.intern(name);
        lastNames[i] = name;
      }
      ids[at + i] = lastIds[i];
      ledger.admission.note(lastIds[i], Columns.required(requirements.quantity(i)));
    }
    starts[index + 1] = at + size;
  }

  private void compileNeeds() {
    needs = new long[starts[workloads.size()]];
    for (int i = 0, at = 0; i < workloads.size(); i++) {
      Resources requirements = workloads.get(i).requirements();
      for (int k = 0; k < requirements.size(); k++, at++) {
        Quantity required = Columns.required(requirements.quantity(k));
        needs[at] = ledger.admission.require(ids[at], required);
      }
    }
    if (!ledger.admission.admit(ledger, List.of(), workloads)) {
      recompileNeeds();
    }
  }

  /** Where an exact recount found a coarser scale than the common case wanted. */
  private void recompileNeeds() {
    for (int i = 0, at = 0; i < workloads.size(); i++) {
      Resources requirements = workloads.get(i).requirements();
      for (int k = 0; k < requirements.size(); k++, at++) {
        needs[at] =
            Columns.required(requirements.quantity(k)).scaledTo(ledger.columns.digits[ids[at]]);
      }
    }
  }
}
