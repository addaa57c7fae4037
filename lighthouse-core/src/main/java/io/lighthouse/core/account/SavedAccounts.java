package io.lighthouse.core.account;

import io.lighthouse.api.quantity.Unit;
import java.util.Map;

/**
 * Saved accounts of a node, so that they can be restored. They keep the scales of their time; the
 * scales of the resources may have changed since.
 *
 * @param account what was left by slot, then the capacity by slot
 * @param digits by slot, the digits that the resource had
 */
public record SavedAccounts(
    String name,
    Layout layout,
    long[] account,
    int[] digits,
    boolean cordoned,
    Map<String, Unit> units) {
  /** The amount taken of a finite resource, at its present scale. */
  long taken(int slot, ResourceTable resources) {
    long taken = account[digits.length + slot] - account[slot];
    int finer = finer(slot, resources);
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
      if (!hasRoom(slot, accounts.resources())) {
        accounts.rescale(layout.ids[slot], digits[slot]);
      }
      long up = Admission.POWERS[finer(slot, accounts.resources())];
      for (int i = slot; up > 1 && i < account.length; i += digits.length) {
        if (!ResourceTable.isInfinite(account[i])) {
          account[i] *= up;
        }
      }
    }
    return account;
  }

  /** By how many digits the present scale is finer. */
  private int finer(int slot, ResourceTable resources) {
    return resources.digits[layout.ids[slot]] - digits[slot];
  }

  /** Whether the amounts of a resource stay in range at its present scale. */
  private boolean hasRoom(int slot, ResourceTable resources) {
    int finer = finer(slot, resources);
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
