package io.lighthouse.core.index;

import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.bitmap.BitRow;
import io.lighthouse.core.ledger.Clock;
import io.lighthouse.core.ledger.Ledger;
import java.util.Arrays;
import java.util.List;

/**
 * By domain: its nodes. These are the postings of an inverted index, made once per level and valid
 * until the fleet changes.
 *
 * <p>Without the bitmaps made of them, batches of {@code RuleBenchmark} (10,000 nodes) took 1.7
 * (SKEW) and 5 times (LEAST) as long on 2026-11-25.
 */
public final class DomainNodes {
  /** Levels of at most this many domains have a bitmap for each set of domains in use. */
  public static final int MOST_IN_A_SET = 64;

  /**
   * The number of bitmaps that a level keeps of each sort, as a power of two. A bitmap that hashes
   * to an occupied place replaces the one there.
   */
  private static final int ROW_BITS = 6;

  /** The first place for sets that include the nodes outside the level. */
  private static final int WITH_OUTSIDE = 1 << ROW_BITS;

  private final Ledger ledger;

  /** All nodes; null until it is needed. */
  private BitRow all;

  /** By level and place: the bitmaps of sets of domains, or of one domain, and the key of each. */
  private BitRow[][] rows = {};

  private long[][] keys = {};

  /** When the postings were made. */
  private final Clock.Stamp made;

  /** By level: the nodes by domain, and where each domain's begin; null before the first query. */
  private int[][] nodes = {};

  private int[][] starts = {};

  public DomainNodes(Ledger ledger) {
    this.ledger = ledger;
    made = ledger.clock().stamp(Clock.Scope.SHAPE);
  }

  /** How many nodes are in a domain. */
  public int count(int level, int domain) {
    make(level);
    return starts[level][domain + 1] - starts[level][domain];
  }

  /** The nodes in a domain, in their order. */
  public int[] nodes(int level, int domain) {
    make(level);
    return Arrays.copyOfRange(nodes[level], starts[level][domain], starts[level][domain + 1]);
  }

  /** Sets or clears the bits of the nodes in a domain. */
  public void set(BitRow row, int level, int domain, boolean on) {
    make(level);
    for (int at = starts[level][domain]; at < starts[level][domain + 1]; at++) {
      row.set(nodes[level][at], on);
    }
  }

  /**
   * The nodes of a set of domains, at a level of at most {@link #MOST_IN_A_SET} domains.
   *
   * @param set one bit per domain
   * @param outside whether the nodes that belong to no domain of the level are added
   */
  public BitRow ofSet(int level, long set, boolean outside) {
    make(level);
    int place = place(set) | (outside ? WITH_OUTSIDE : 0);
    if (rows[level][place] == null || keys[level][place] != set) {
      BitRow row = emptied(level, place, set);
      if (outside) {
        row.copy(all());
      }
      int domains = starts[level].length - 1;
      for (int domain = 0; domain < domains; domain++) {
        boolean on = (set >>> domain & 1) != 0;
        if (on != outside) {
          set(row, level, domain, on);
        }
      }
    }
    return rows[level][place];
  }

  /** All nodes. */
  public BitRow all() {
    forgetIfChanged();
    if (all == null) {
      all = BitRow.of(ledger.nodes().slotCount(), ledger.nodes()::alive);
    }
    return all;
  }

  /** The nodes of one domain, at a level of more than {@link #MOST_IN_A_SET} domains. */
  public BitRow ofOne(int level, int domain) {
    make(level);
    int place = place(domain);
    if (rows[level][place] == null || keys[level][place] != domain) {
      set(emptied(level, place, domain), level, domain, true);
    }
    return rows[level][place];
  }

  private static int place(long key) {
    return (int) (key * 0x9E3779B97F4A7C15L >>> Long.SIZE - ROW_BITS);
  }

  /**
   * An empty bitmap at a place. The old one is replaced, not reused, for a search may still use it.
   */
  private BitRow emptied(int level, int place, long key) {
    keys[level][place] = key;
    rows[level][place] = new BitRow((ledger.nodes().slotCount() + 63) >> 6);
    return rows[level][place];
  }

  private void forgetIfChanged() {
    if (made.renew()) {
      nodes = new int[ledger.topology().levelCount()][];
      starts = new int[ledger.topology().levelCount()][];
      rows = new BitRow[nodes.length][2 * WITH_OUTSIDE];
      keys = new long[nodes.length][2 * WITH_OUTSIDE];
      all = null;
    }
  }

  private void make(int level) {
    forgetIfChanged();
    if (nodes[level] != null) {
      return;
    }
    int[] ends = new int[ledger.topology().level(level).domains().slotCount() + 1];
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      int domain = domainOf(level, node);
      if (domain != NodeTable.NONE) {
        ends[domain + 1]++;
      }
    }
    for (int domain = 1; domain < ends.length; domain++) {
      ends[domain] += ends[domain - 1];
    }
    int[] sorted = new int[ends[ends.length - 1]];
    int[] next = ends.clone();
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      int domain = domainOf(level, node);
      if (domain != NodeTable.NONE) {
        sorted[next[domain]++] = node;
      }
    }
    starts[level] = ends;
    nodes[level] = sorted;
  }

  /** The domain of a node; {@link NodeTable#NONE} also for a slot without a node. */
  private int domainOf(int level, int node) {
    return ledger.nodes().alive(node) ? ledger.topology().domainOf(level, node) : NodeTable.NONE;
  }

  /** Compares the postings and the bitmaps, where valid, with those of fresh ones. */
  public void audit(Audit audit) {
    DomainNodes fresh = new DomainNodes(ledger);
    for (int level = 0; level < nodes.length && made.isCurrent(); level++) {
      if (nodes[level] == null) {
        continue;
      }
      fresh.make(level);
      String of = " of level " + level;
      audit.equal("nodes by domain" + of, list(fresh.nodes[level]), list(nodes[level]));
      audit.equal("first nodes of domains" + of, list(fresh.starts[level]), list(starts[level]));
      boolean sets = starts[level].length - 1 <= MOST_IN_A_SET;
      for (int place = 0; place < rows[level].length; place++) {
        if (rows[level][place] != null) {
          long key = keys[level][place];
          BitRow row =
              sets ? fresh.ofSet(level, key, place >= WITH_OUTSIDE) : fresh.ofOne(level, (int) key);
          rows[level][place].audit(
              audit, "nodes of domains " + key + of, row::has, ledger.nodes().slotCount());
        }
      }
    }
  }

  private static List<Integer> list(int[] numbers) {
    return Arrays.stream(numbers).boxed().toList();
  }
}
