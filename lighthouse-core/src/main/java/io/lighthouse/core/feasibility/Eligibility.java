package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Layout;
import io.lighthouse.core.ledger.Ledger;
import java.util.Arrays;

/**
 * Rows of bits "open, has all these names, and nothing negative but what is required or tolerated":
 * one for each set of required names and relevant immunities, as many as {@value #MOST_ROWS}.
 *
 * <p>An immunity is relevant while some node has less than 0 of its resource. Where there are more
 * sets than rows, a set that keeps coming back takes the row that was asked for longest ago; for
 * the others there is no row, and what survives the rest is checked exactly.
 */
final class Eligibility {
  private static final int MOST_ROWS = 64;

  /** A set must come back so often before it takes another's row. */
  private static final int INSISTENCE = 16;

  private final Ledger ledger;
  private final Row[] rows = new Row[MOST_ROWS];
  private int count;
  private Row last;
  private long asked;

  /** How often sets without a row were asked for, by hash. */
  private final int[] refused = new int[1024];

  /** By id: how many nodes have less than 0 of it. */
  private final int[] negatives;

  /** Relevant immunities of the demand at hand; the first {@link #relevantCount}. */
  private int[] relevant = new int[8];

  private int relevantCount;

  Eligibility(Ledger ledger) {
    this.ledger = ledger;
    negatives = new int[ledger.resourceIds()];
    for (int node = 0; node < ledger.nodeCount(); node++) {
      Layout layout = ledger.layout(node);
      for (int slot = 0; ledger.negatives(node) > 0 && slot < layout.size(); slot++) {
        if (ledger.left(node, slot) < 0) {
          negatives[layout.id(slot)]++;
        }
      }
    }
  }

  /** The row of a demand; null where there is none, or where it narrows nothing. */
  long[] row(Demand demand) {
    collectRelevant(demand);
    asked++;
    if (last == null || !last.isOf(demand)) {
      last = find(demand);
      if (last == null) {
        return null;
      }
    }
    last.used = asked;
    return last.admitted == ledger.nodeCount() ? null : last.bits;
  }

  /** What is left of a resource on a node has passed 0. */
  void signChanged(int node, int id, boolean negative) {
    negatives[id] += negative ? 1 : -1;
    changed(node);
  }

  /** A node has been opened or closed, or a sign has changed on it. */
  void changed(int node) {
    for (int i = 0; i < count; i++) {
      rows[i].judge(node);
    }
  }

  private void collectRelevant(Demand demand) {
    relevantCount = 0;
    for (int i = 0; i < demand.immunityCount(); i++) {
      int id = demand.immunity(i);
      if (id < negatives.length && negatives[id] > 0) {
        if (relevantCount == relevant.length) {
          relevant = Arrays.copyOf(relevant, 2 * relevantCount);
        }
        relevant[relevantCount++] = id;
      }
    }
  }

  private Row find(Demand demand) {
    for (int i = 0; i < count; i++) {
      if (rows[i].isOf(demand)) {
        return rows[i];
      }
    }
    int at = count;
    if (count == MOST_ROWS) {
      int hash = hash(demand);
      if (++refused[hash] < INSISTENCE) {
        return null;
      }
      refused[hash] = 0;
      at = 0;
      for (int i = 1; i < count; i++) {
        at = rows[i].used < rows[at].used ? i : at;
      }
    } else {
      count++;
    }
    rows[at] = new Row(demand);
    return rows[at];
  }

  private int hash(Demand demand) {
    int hash = 1;
    for (int i = 0; i < demand.size(); i++) {
      hash = 31 * hash + demand.id(i);
    }
    for (int i = 0; i < relevantCount; i++) {
      hash = 31 * hash + relevant[i];
    }
    return (hash ^ hash >>> 16) & (refused.length - 1);
  }

  /** The nodes that one set of names admits. */
  private final class Row {
    private final int[] required;
    private final int[] immunities;
    private final long[] bits;

    /** How many nodes it admits: the bits that are set. */
    private int admitted;

    private long used;

    /** The layout that was looked at last, and whether it has all names. */
    private Layout layout;

    private boolean complete;

    Row(Demand demand) {
      required = new int[demand.size()];
      for (int i = 0; i < required.length; i++) {
        required[i] = demand.id(i);
      }
      immunities = Arrays.copyOf(relevant, relevantCount);
      bits = new long[(ledger.nodeCount() + 63) >> 6];
      for (int node = 0; node < ledger.nodeCount(); node++) {
        judge(node);
      }
    }

    void judge(int node) {
      long before = bits[node >> 6];
      long after = admits(node) ? before | 1L << node : before & ~(1L << node);
      if (after != before) {
        bits[node >> 6] = after;
        admitted += Long.bitCount(after) - Long.bitCount(before);
      }
    }

    boolean isOf(Demand demand) {
      if (required.length != demand.size() || immunities.length != relevantCount) {
        return false;
      }
      for (int i = 0; i < required.length; i++) {
        if (required[i] != demand.id(i)) {
          return false;
        }
      }
      for (int i = 0; i < relevantCount; i++) {
        if (immunities[i] != relevant[i]) {
          return false;
        }
      }
      return true;
    }

    boolean admits(int node) {
      if (ledger.cordoned(node)) {
        return false;
      }
      Layout wanted = ledger.layout(node);
      if (wanted != layout) {
        layout = wanted;
        complete = true;
        for (int id : required) {
          complete &= wanted.slot(id) >= 0;
        }
      }
      if (!complete) {
        return false;
      }
      for (int slot = 0; ledger.negatives(node) > 0 && slot < wanted.size(); slot++) {
        if (ledger.left(node, slot) < 0 && !bears(wanted.id(slot))) {
          return false;
        }
      }
      return true;
    }

    private boolean bears(int id) {
      for (int one : required) {
        if (one == id) {
          return true;
        }
      }
      return Arrays.binarySearch(immunities, id) >= 0;
    }
  }
}
