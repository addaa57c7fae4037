package io.lighthouse.core.ledger;

/**
 * Counts the changes that placing does not make. They concern nodes and domains of one ledger:
 * names, capacities and wards, cordons, and which node belongs to which domain.
 */
final class ShapeChanges {
  private long count;

  /** Counts one such change. */
  void add() {
    count++;
  }

  /** The number of changes, which only grows. */
  long count() {
    return count;
  }
}
