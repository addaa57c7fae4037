package io.lighthouse.core.index;

import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.Layout;
import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;

/**
 * The bitmaps of amounts and of names, which follow the ledger from the moment an index is built
 * until it is dropped.
 */
public final class ResourceRows {
  private final Ledger ledger;
  private final NodeAccounts accounts;

  /** The bitmaps of amounts; null without an index. */
  private Levels levels;

  private Eligibility names;

  /** Whether the bitmaps of names are used. */
  private final boolean usesNames;

  public ResourceRows(Ledger ledger, boolean usesNames) {
    this.usesNames = usesNames;
    this.ledger = ledger;
    accounts = ledger.accounts();
  }

  /** Keeps bitmaps of amounts from now on, and those of names, which are made if missing. */
  public void index(Levels learned) {
    levels = learned;
    if (names == null) {
      names = new Eligibility(ledger);
    }
  }

  /** The bitmaps of amounts; null without an index. */
  public Levels levels() {
    return levels;
  }

  /** Whether queries use the bitmaps of names. */
  public boolean usesNames() {
    return usesNames;
  }

  /** The bitmaps of names and of negative amounts; null without an index. */
  public Eligibility names() {
    return names;
  }

  /**
   * Follows placements on a node, or releases, after the accounts have changed.
   *
   * @param times how many placements; negative for releases
   */
  public void charged(int node, Demand charged, int times) {
    if (levels == null) {
      return;
    }
    Layout layout = accounts.layout(node);
    long[] left = accounts.of(node);
    int slot = -1;
    for (int i = 0; i < charged.size(); i++) {
      slot = layout.slot(charged.id(i), slot + 1);
      long after = left[slot];
      if (charged.need(i) != 0 && after != Long.MAX_VALUE && after != Long.MIN_VALUE) {
        levels.leftChanged(node, charged.id(i), after);
        if ((after + times * charged.need(i) ^ after) < 0) {
          names.signChanged(node, charged.id(i), after < 0);
        }
      }
    }
  }

  public void nodeAdded(int node) {
    if (levels != null) {
      levels.nodeAdded(node);
      names.nodeAdded(node);
    }
  }

  public void nodeRemoving(int node) {
    if (levels != null) {
      levels.nodeRemoving(node);
      names.nodeRemoving(node);
    }
  }

  public void reshaped() {
    levels = null;
    names = null;
  }

  public void audit(Audit audit) {
    if (levels != null) {
      levels.audit(audit);
      names.audit(audit);
    }
  }
}
