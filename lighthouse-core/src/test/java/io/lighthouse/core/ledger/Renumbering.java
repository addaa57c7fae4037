package io.lighthouse.core.ledger;

/** The new slots of nodes where one of them is gone. */
public final class Renumbering {
  private Renumbering() {}

  /** Those behind the one that is gone move up; its own is -1. */
  public static int[] without(int gone, int slots) {
    int[] renumbered = new int[slots];
    for (int slot = 0; slot < slots; slot++) {
      renumbered[slot] = slot < gone ? slot : slot == gone ? -1 : slot - 1;
    }
    return renumbered;
  }
}
