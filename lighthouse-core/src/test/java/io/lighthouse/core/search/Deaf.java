package io.lighthouse.core.search;

import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.LedgerListener;
import io.lighthouse.core.ledger.PlacementListener;

/** A listener that forwards notifications, except those that a subclass withholds. */
class Deaf implements LedgerListener, PlacementListener {
  final Finder finder;

  Deaf(Finder finder) {
    this.finder = finder;
  }

  @Override
  public void charged(int node, Demand demand, int sign) {
    finder.keeper.charged(node, demand, sign);
  }

  @Override
  public void cordonChanged(int node) {
    finder.keeper.cordonChanged(node);
  }

  @Override
  public void nodeAdded(int node) {
    finder.keeper.nodeAdded(node);
  }

  @Override
  public void nodeRemoving(int node) {
    finder.keeper.nodeRemoving(node);
  }

  @Override
  public void loosened() {
    finder.keeper.loosened();
  }

  @Override
  public void reshaped() {
    finder.keeper.reshaped();
  }
}
