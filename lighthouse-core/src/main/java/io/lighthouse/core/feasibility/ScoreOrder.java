package io.lighthouse.core.feasibility;

import io.lighthouse.api.Rubric;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.Arrays;

/**
 * The order of the nodes of one ledger by score, then name, kept in blocks once that pays.
 *
 * <p>Two things spare work, both exact. Where no weight is negative and the workload neither gives
 * nor is immune, no node of a lower score than the workload's own fits, so the search starts there.
 * And an equal workload right after a placement goes to the same node again, if it still fits, or
 * else no lower than where that node stood: nothing below has changed.
 */
public final class ScoreOrder {
  private final Rubric rubric;
  private final Ledger ledger;

  /** Null where stale. */
  private Scores scores;

  /** Null where not built. */
  private BlockOrder blocks;

  /** Nodes looked at for want of blocks. */
  private long work;

  /** The requirements of the last search that may be repeated; size -1 for none. */
  private int lastSize = -1;

  private long[] lastNeeds = new long[8];
  private int[] lastIds = new int[8];

  /** What it found, and the key that the node had. */
  private int lastFound;

  private long lastHigh;
  private long lastLow;
  private int lastRank;

  /** The changes that the ledger had seen, and how often something had been given back. */
  private long lastChanges;

  private long lastGivenBack;

  ScoreOrder(Rubric rubric, Ledger ledger) {
    this.rubric = rubric;
    this.ledger = ledger;
  }

  /**
   * Compares two nodes.
   *
   * @param a the index of a node
   * @param b the index of another
   * @param descending whether the higher score stands first; names always ascend
   * @return negative if {@code a} stands first; 0 only for the same node
   */
  public int compare(int a, int b, boolean descending) {
    return scores().compareNodes(a, b, descending);
  }

  Rubric rubric() {
    return rubric;
  }

  Scores scores() {
    if (scores == null) {
      scores = new Scores(rubric, ledger);
    }
    return scores;
  }

  /** Whether there are blocks; builds them once as many nodes were looked at as that costs. */
  boolean ready(Levels levels, long patience) {
    if (blocks == null && scores().wide()) {
      work += ledger.nodeCount();
      if (work >= patience) {
        blocks = new BlockOrder(ledger, levels, scores());
        lastSize = -1;
      }
    }
    return blocks != null;
  }

  /** The first node that fits by the blocks. */
  int first(Demand demand, Finder finder, long[] eligible, boolean descending) {
    boolean bounded =
        !descending && scores.monotone() && !demand.giving() && demand.immunityCount() == 0;
    if (!bounded) {
      return blocks.first(demand, eligible, 0, descending);
    }
    boolean repeatable = demand.workload().aversionGroups().isEmpty();
    int start = -1;
    if (repeatable && repeats(demand) && lastGivenBack == finder.givenBack()) {
      if (lastFound == Finder.NONE || lastChanges == finder.changes()) {
        return lastFound;
      }
      if (lastChanges + 1 == finder.changes() && finder.lastSettled() == lastFound) {
        if (Fit.fits(ledger, lastFound, demand)) {
          lastChanges = finder.changes();
          return lastFound;
        }
        start = blocks.find(lastHigh, lastLow, lastRank);
      }
    }
    if (start < 0) {
      scores.computeDemand(demand);
      start = blocks.find(scores.high(), scores.low(), -1);
    }
    int found = blocks.first(demand, eligible, start, false);
    if (repeatable) {
      remember(demand, found, finder);
    } else {
      lastSize = -1;
    }
    return found;
  }

  void settled(int node) {
    if (blocks != null) {
      blocks.settled(node);
    }
  }

  /** The levels are others: the blocks have to be built anew. */
  void relevelled() {
    blocks = null;
    work = 0;
  }

  void reshaped() {
    relevelled();
    scores = null;
  }

  private boolean repeats(Demand demand) {
    if (lastSize != demand.size()) {
      return false;
    }
    for (int i = 0; i < lastSize; i++) {
      if (lastNeeds[i] != demand.need(i) || lastIds[i] != demand.id(i)) {
        return false;
      }
    }
    return true;
  }

  private void remember(Demand demand, int found, Finder finder) {
    lastSize = demand.size();
    if (lastSize > lastIds.length) {
      lastIds = Arrays.copyOf(lastIds, 2 * lastSize);
      lastNeeds = Arrays.copyOf(lastNeeds, 2 * lastSize);
    }
    for (int i = 0; i < lastSize; i++) {
      lastIds[i] = demand.id(i);
      lastNeeds[i] = demand.need(i);
    }
    lastFound = found;
    if (found != Finder.NONE) {
      lastHigh = blocks.high(found);
      lastLow = blocks.low(found);
      lastRank = blocks.rank(found);
    }
    lastChanges = finder.changes();
    lastGivenBack = finder.givenBack();
  }
}
