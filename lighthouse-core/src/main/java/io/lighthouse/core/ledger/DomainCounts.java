package io.lighthouse.core.ledger;

/**
 * Counts by the slot of a domain or a node: a short sorted list for few slots, and a hash table for
 * many.
 */
final class DomainCounts {
  /**
   * The largest list, in slots; inserting into a longer one costs more than a look-up in a table.
   */
  static final int FEW = 128;

  private SortedCounts few;

  /** The hash table; null while the list is in use. */
  private CountMap many;

  DomainCounts() {
    few = new SortedCounts();
  }

  DomainCounts(DomainCounts other) {
    few = other.few == null ? null : new SortedCounts(other.few);
    many = other.many == null ? null : new CountMap(other.many);
  }

  boolean isEmpty() {
    return many == null ? few.size() == 0 : many.size() == 0;
  }

  /** The count of a domain; 0 or more. */
  int of(int domain) {
    return many == null ? few.of(domain) : many.get(domain);
  }

  /** Adds to the count of a domain; the result is not negative. */
  void add(int domain, int more) {
    if (many != null) {
      many.add(domain, more);
      return;
    }
    few.add(domain, more);
    if (few.size() > FEW) {
      many = new CountMap();
      for (int i = 0; i < few.size(); i++) {
        many.add(few.number(i), few.count(i));
      }
      few = null;
    }
  }
}
