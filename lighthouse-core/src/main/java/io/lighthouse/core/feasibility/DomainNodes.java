package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Level;

/**
 * By domain the nodes that stand there: the postings of an inverted index, made once for each level
 * and good until the fleet changes.
 */
final class DomainNodes {
  private final Ledger ledger;

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

  private void make(int level) {
    if (seen != ledger.shapeChanges()) {
      seen = ledger.shapeChanges();
      nodes = new int[ledger.topology().levelCount()][];
      starts = new int[ledger.topology().levelCount()][];
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
