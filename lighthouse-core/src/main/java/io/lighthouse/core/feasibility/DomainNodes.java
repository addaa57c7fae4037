package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Level;

/**
 * By domain the nodes that stand there: the postings of an inverted index, made once for each level
 * and good until the fleet changes.
 */
final class DomainNodes {
  /** Levels of so many domains, or fewer, have a row for each set of domains that was asked for. */
  static final int FEW = 64;

  /**
   * A level has room for so many rows, as a power of two; one that comes to a taken place takes it.
   */
  private static final int ROW_BITS = 6;

  private final Ledger ledger;

  /** By level and place: the rows of sets of domains, or of one domain, and of which. */
  private BitRow[][] rows = {};

  private long[][] keys = {};

  /** The changes of the fleet that the postings know of. */
  private long seen = -1;

  /** By level: the nodes by domain, and where each domain's begin; null where nobody has asked. */
  private int[][] nodes = {};

  private int[][] starts = {};

  DomainNodes(Ledger ledger) {
    this.ledger = ledger;
  }

  /** How many nodes stand in a domain. */
  int count(int level, int domain) {
    make(level);
    return starts[level][domain + 1] - starts[level][domain];
  }

  /** Sets the bits of the nodes in a domain. */
  void addTo(BitRow row, int level, int domain) {
    make(level);
    for (int at = starts[level][domain]; at < starts[level][domain + 1]; at++) {
      row.set(nodes[level][at]);
    }
  }

  /**
   * The nodes of a set of domains, at a level of few.
   *
   * @param set one bit a domain
   */
  BitRow ofSet(int level, long set) {
    make(level);
    int place = place(set);
    if (rows[level][place] == null || keys[level][place] != set) {
      BitRow row = cleared(level, place, set);
      for (long left = set; left != 0; left &= left - 1) {
        addTo(row, level, Long.numberOfTrailingZeros(left));
      }
    }
    return rows[level][place];
  }

  /** The nodes of one domain, at a level of many. */
  BitRow ofOne(int level, int domain) {
    make(level);
    int place = place(domain);
    if (rows[level][place] == null || keys[level][place] != domain) {
      addTo(cleared(level, place, domain), level, domain);
    }
    return rows[level][place];
  }

  private static int place(long key) {
    return (int) (key * 0x9E3779B97F4A7C15L >>> Long.SIZE - ROW_BITS);
  }

  /** An empty row at a place; whatever row stood there has gone, for a search may still use it. */
  private BitRow cleared(int level, int place, long key) {
    keys[level][place] = key;
    rows[level][place] = new BitRow((ledger.nodes().slotCount() + 63) >> 6);
    return rows[level][place];
  }

  private void make(int level) {
    if (seen != ledger.shapeChanges()) {
      seen = ledger.shapeChanges();
      nodes = new int[ledger.topology().levelCount()][];
      starts = new int[ledger.topology().levelCount()][];
      rows = new BitRow[nodes.length][1 << ROW_BITS];
      keys = new long[nodes.length][1 << ROW_BITS];
    }
    if (nodes[level] != null) {
      return;
    }
    int[] ends = new int[ledger.topology().level(level).domains().slotCount() + 1];
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      int domain =
          ledger.nodes().alive(node) ? ledger.topology().domainOf(level, node) : Level.NOWHERE;
      if (domain != Level.NOWHERE) {
        ends[domain + 1]++;
      }
    }
    for (int domain = 1; domain < ends.length; domain++) {
      ends[domain] += ends[domain - 1];
    }
    int[] sorted = new int[ends[ends.length - 1]];
    int[] next = ends.clone();
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      int domain =
          ledger.nodes().alive(node) ? ledger.topology().domainOf(level, node) : Level.NOWHERE;
      if (domain != Level.NOWHERE) {
        sorted[next[domain]++] = node;
      }
    }
    starts[level] = ends;
    nodes[level] = sorted;
  }
}
