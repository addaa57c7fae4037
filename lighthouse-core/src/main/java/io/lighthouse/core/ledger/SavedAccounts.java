package io.lighthouse.core.ledger;

import io.lighthouse.api.quantity.Unit;
import java.util.Map;

/**
 * The accounts of a node as they were, so that they can be put back. They keep the scales of their
 * time; those of the resources may have changed since.
 */
final class SavedAccounts {
  private final Columns columns;
  private final String name;
  private final Layout layout;

  /** What was left by slot, then the capacity by slot. */
  private final long[] account;

  /** By slot: the digits that the resource had. */
  private final int[] digits;

  private final boolean cordoned;
  private final Map<String, Unit> units;

  SavedAccounts(
      Columns columns,
      String name,
      Layout layout,
      long[] account,
      boolean cordoned,
      Map<String, Unit> units) {
    this.columns = columns;
    this.name = name;
    this.layout = layout;
    this.account = account;
    this.cordoned = cordoned;
    this.units = units;
    digits = new int[layout.size()];
    for (int slot = 0; slot < digits.length; slot++) {
      digits[slot] = columns.digits[layout.ids[slot]];
    }
  }

  String name() {
    return name;
  }

  Layout layout() {
    return layout;
  }

  boolean cordoned() {
    return cordoned;
  }

  Map<String, Unit> units() {
    return units;
  }

  /** What of a finite resource was taken, at the scale that it has now. */
  long taken(int slot) {
    long taken = account[digits.length + slot] - account[slot];
    int finer = finer(slot);
    return finer >= 0 ? taken * Admission.POWERS[finer] : taken / Admission.POWERS[-finer];
  }

  /**
   * The accounts at the scales of now; where these are too coarse or too fine for them, the scale
   * of their time is taken up again. All else is as it was then, so all of it is whole at that.
   *
   * @param accounts those that they are of, whose scales may change
   * @return what {@code this} keeps, to be put back once
   */
  long[] rescaled(NodeAccounts accounts) {
    for (int slot = 0; slot < digits.length; slot++) {
      if (!hasRoom(slot)) {
        accounts.rescale(layout.ids[slot], digits[slot]);
      }
      long up = Admission.POWERS[finer(slot)];
      for (int i = slot; up > 1 && i < account.length; i += digits.length) {
        if (!Columns.isInfinite(account[i])) {
          account[i] *= up;
        }
      }
    }
    return account;
  }

  /** By how many digits the scale of now is finer. */
  private int finer(int slot) {
    return columns.digits[layout.ids[slot]] - digits[slot];
  }

  /** Whether the amounts of a resource stay in range at the scale that it has now. */
  private boolean hasRoom(int slot) {
    int finer = finer(slot);
    if (finer <= 0) {
      return finer == 0;
    }
    long room = (Columns.LIMIT - columns.placed[layout.ids[slot]]) / Admission.POWERS[finer];
    for (int i = slot; i < account.length; i += digits.length) {
      if (!Columns.isInfinite(account[i]) && Math.abs(account[i]) >= room) {
        return false;
      }
    }
    return true;
  }
}
