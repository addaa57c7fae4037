package io.lighthouse.core.order;

import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.ledger.Clock;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;

/**
 * Remembers where the last search of each shape in a kept order ended. Bin-pack sorts the
 * workloads, so equal shapes are adjacent, or mixed with a few others of the same score.
 *
 * <p>When a search found a node, nothing below its key fitted. Until a release, that still holds
 * except for the nodes used since: placements have lowered their keys. So the next search of the
 * shape checks those few nodes. If none fits, it continues at the key where the last search ended.
 * Where nothing fitted, nothing fits now.
 *
 * <p>Without it, a batch of {@code BatchBenchmark} ({@code BIN_PACK}, 50,000 nodes, 200 shapes)
 * took 1.50 and 1.32 times as long on 2026-11-29. With 10,000 nodes it takes about as long.
 */
final class RunMemo {
  private final ShapeTable shapes = new ShapeTable(6);

  /** By place: the result of the last search, and the key of the node at that time. */
  private final int[] found = new int[shapes.places()];

  private final ScoreKeys keys;

  /** By place: how many placements the last search has seen. */
  private final long[] placements = new long[shapes.places()];

  /** When the first of these searches began. Room that opens later makes all of them stale. */
  private final Clock.Stamp learned;

  private final Clock clock;

  /**
   * A memo for the keys of scores.
   *
   * @param words how many words these have
   */
  RunMemo(Clock clock, int words) {
    this.clock = clock;
    learned = clock.stamp(Clock.Scope.ROOM);
    keys = new ScoreKeys(shapes.places(), words);
  }

  void clear() {
    shapes.clear();
  }

  int place(Demand demand) {
    if (learned.renew()) {
      shapes.clear();
    }
    return shapes.place(demand);
  }

  /** Whether the last search of a shape is still useful. */
  boolean knows(int place, Demand demand) {
    return place >= 0 && isCurrent(place) && shapes.holds(place, demand);
  }

  private boolean isCurrent(int place) {
    return foundNone(place) || clock.placements() - placements[place] <= Clock.RECENT;
  }

  boolean foundNone(int place) {
    return found[place] == NodeTable.NONE;
  }

  /** The first in order of the nodes placed on since that fit and are below the last key. */
  int firstOfRecent(int place, Query query, BlockOrder blocks) {
    int first = NodeTable.NONE;
    long begin = placements[place];
    for (long number = clock.placements() - 1; number >= begin; number--) {
      int node = clock.nodeOf(number);
      if (blocks.below(node, keys, place) && query.fits(node)) {
        placements[place] = number; // Nodes before the earliest that fits need no further check.
        if (first == NodeTable.NONE || blocks.before(node, first, false)) {
          first = node;
        }
      }
    }
    return first;
  }

  /** The block where the last search ended. */
  int start(int place, BlockOrder blocks) {
    return blocks.find(keys, place);
  }

  void learn(int place, Demand demand, int node, BlockOrder blocks) {
    shapes.put(place, demand);
    found[place] = node;
    if (node != NodeTable.NONE) {
      keys.copy(place, blocks.keys(), node);
    }
    placements[place] = clock.placements();
  }

  /** Searches for a node that fits a shape although the end of its last search excludes it. */
  void audit(Audit audit, Ledger ledger, BlockOrder blocks) {
    for (int place = 0; place < found.length && learned.isCurrent(); place++) {
      Demand shape = shapes.shape(place);
      if (shape == null || !isCurrent(place)) {
        continue;
      }
      for (int node = 0; node < ledger.nodes().slotCount(); node++) {
        boolean excluded =
            foundNone(place) || blocks.below(node, keys, place) && !isRecent(place, node);
        if (excluded
            && ledger.accounts().fits(node, shape)
            && ledger.topology().suffices(node, shape)) {
          audit.equal("the end of the last search of shape " + place, node, found[place]);
          break;
        }
      }
    }
  }

  private boolean isRecent(int place, int node) {
    for (long number = placements[place]; number < clock.placements(); number++) {
      if (clock.nodeOf(number) == node) {
        return true;
      }
    }
    return false;
  }
}
