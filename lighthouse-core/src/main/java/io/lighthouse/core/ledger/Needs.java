package io.lighthouse.core.ledger;

import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.Arrays;
import java.util.List;

/**
 * What the workloads of a call require of one set of accounts, those of nodes or of a level's
 * domains: ids of resources and scaled amounts, side by side in flat arrays, so that turns read
 * them in sequence.
 *
 * <p>What comes in is read twice, for only then are the finest digits known: {@link #note} all of
 * it, {@link #settle} all of it, then {@link #admit}. Where that took a coarser scale than wanted,
 * all of it is {@linkplain #fill filled} in again.
 */
final class Needs {
  private final Columns columns;
  private final Admission admission;

  private int[] ids;

  /** Beside {@link #ids}. */
  private long[] amounts;

  /** The digits of each after the point, while they are read. */
  private byte[] digits;

  private int end;

  /** Nothing yet, with room for so many; a round of the admission begins. */
  Needs(Columns columns, Admission admission, int room) {
    this.columns = columns;
    this.admission = admission;
    ids = new int[room];
    amounts = new long[room];
    digits = new byte[room];
    admission.begin();
  }

  /** For how many there is room; {@link #reserve} makes more. */
  int room() {
    return ids.length;
  }

  void reserve(int room) {
    ids = Arrays.copyOf(ids, room);
    amounts = Arrays.copyOf(amounts, room);
    if (digits != null) {
      digits = Arrays.copyOf(digits, room);
    }
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

  /** First pass: reads requirements as they are, behind the others. There must be room. */
  void note(Resources required) {
    for (int k = 0; k < required.size(); k++, end++) {
      Quantity quantity = Columns.required(required.quantity(k));
      ids[end] = columns.intern(required.name(k), k);
      digits[end] = (byte) quantity.scale();
      amounts[end] = admission.note(ids[end], quantity);
    }
  }

  /** Second pass: scales what so many workloads require each, to the finest digits that came in. */
  void settle(int from, int to, int times) {
    for (int at = from; at < to; at++) {
      amounts[at] = admission.require(ids[at], amounts[at], digits[at], times);
    }
  }

  /**
   * Has the scales settled for all that was read.
   *
   * @param workloads whose it is
   * @return false where an exact recount found a coarser scale, and all must be filled in again
   * @throws io.lighthouse.api.InvalidInputException if something is out of range
   */
  boolean admit(List<Workload> workloads) {
    digits = null;
    return admission.admit(List.of(), workloads, -1);
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
