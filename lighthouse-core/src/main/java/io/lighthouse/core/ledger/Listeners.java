package io.lighthouse.core.ledger;

import java.util.Arrays;

/** All listeners of a ledger, notified in the order in which they were added. */
final class Listeners implements LedgerListener {
  private LedgerListener[] all = {};

  void add(LedgerListener told) {
    all = Arrays.copyOf(all, all.length + 1);
    all[all.length - 1] = told;
  }

  @Override
  public void charged(int node, Demand demand, int times) {
    for (LedgerListener one : all) {
      one.charged(node, demand, times);
    }
  }

  @Override
  public void cordonChanged(int node) {
    for (LedgerListener one : all) {
      one.cordonChanged(node);
    }
  }

  @Override
  public void nodeAdded(int node) {
    for (LedgerListener one : all) {
      one.nodeAdded(node);
    }
  }

  @Override
  public void nodeRemoving(int node) {
    for (LedgerListener one : all) {
      one.nodeRemoving(node);
    }
  }

  @Override
  public void loosened() {
    for (LedgerListener one : all) {
      one.loosened();
    }
  }

  @Override
  public void slotFreed(int node) {
    for (LedgerListener one : all) {
      one.slotFreed(node);
    }
  }

  @Override
  public void renumbered(int[] renumbered) {
    for (LedgerListener one : all) {
      one.renumbered(renumbered);
    }
  }

  @Override
  public void reshaped() {
    for (LedgerListener one : all) {
      one.reshaped();
    }
  }
}
