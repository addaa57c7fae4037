package io.lighthouse.core.account;

import io.lighthouse.api.quantity.Unit;
import java.util.Map;

/**
 * Saved accounts of a node, so that they can be restored. They keep the scales of their time; the
 * scales of the resources may have changed since.
 */
public final class SavedAccounts {
  private final ResourceTable resources;
  private final String name;
  private final Layout layout;

  /** What was left by slot, then the capacity by slot. */
  private final long[] account;

  /** By slot: the digits that the resource had. */
  private final int[] digits;

  private final boolean cordoned;
  private final Map<String, Unit> units;

  SavedAccounts(
      ResourceTable table,
      String name,
      Layout layout,
      long[] account,
      boolean cordoned,
      Map<String, Unit> units) {
    this.resources = table;
    this.name = name;
    this.layout = layout;
    this.account = account;
    this.cordoned = cordoned;
    this.units = units;
    digits = new int[layout.size()];
    for (int slot = 0; slot < digits.length; slot++) {
      digits[slot] = table.digits[layout.ids[slot]];
    }
  }

  String name() {
    return name;
  }

  Layout layout() {
    return layout;
  }

  public boolean cordoned() {
    return cordoned;
  }

  Map<String, Unit> units() {
    return units;
  }

  /** The amount taken of a finite resource, at its present scale. */
  long taken(int slot) {
    long taken = account[digits.length + slot] - account[slot];
    int finer = finer(slot);
    return finer >= 0 ? taken * Admission.POWERS[finer] : taken / Admission.POWERS[-finer];
  }

  /**
   * The accounts at the present scales. Where those are too coarse or too fine, the saved scale is
   * set again. All other state is as it was then, so every amount is a whole number at that scale.
   *
   * @param accounts the accounts that these belong to; their scales may change
   * @return the array that {@code this} keeps, to be restored once
   */
  long[] rescaled(NodeAccounts accounts) {
    for (int slot = 0; slot < digits.length; slot++) {
      if (!hasRoom(slot)) {
        accounts.rescale(layout.ids[slot], digits[slot]);
      }
      long up = Admission.POWERS[finer(slot)];
      for (int i = slot; up > 1 && i < account.length; i += digits.length) {
        if (!ResourceTable.isInfinite(account[i])) {
          account[i] *= up;
        }
      }
    }
    return account;
  }

  /** By how many digits the present scale is finer. */
  private int finer(int slot) {
    return resources.digits[layout.ids[slot]] - digits[slot];
  }

  /** Whether the amounts of a resource stay in range at its present scale. */
  private boolean hasRoom(int slot) {
    int finer = finer(slot);
    if (finer <= 0) {
      return finer == 0;
    }
    long room =
        (ResourceTable.LIMIT - resources.placed[layout.ids[slot]]) / Admission.POWERS[finer];
    for (int i = slot; i < account.length; i += digits.length) {
      if (!ResourceTable.isInfinite(account[i]) && Math.abs(account[i]) >= room) {
        return false;
      }
    }
    return true;
  }
}
