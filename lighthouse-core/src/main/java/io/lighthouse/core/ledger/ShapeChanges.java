package io.lighthouse.core.ledger;

/**
 * Counts the changes of what placing does not change, of nodes and domains of one ledger: names,
 * capacities and wards, cordons, and who stands where.
 */
final class ShapeChanges {
  private long count;

  /** Something of that kind changes. */
  void add() {
    count++;
  }

  /** A number that grows. */
  long count() {
    return count;
  }
}
