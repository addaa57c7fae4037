package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.NodeTable;

/**
 * Remembers where the last search of each shape in a kept order ended. Bin-pack sorts the
 * workloads, so equal shapes are adjacent, or mixed with a few others of the same score.
 *
 * <p>When a search found a node, nothing below its key fitted. Until a release, that still holds
 * except for the nodes used since: placements have lowered their keys. So the next search of the
 * shape checks those few nodes. If none fits, it continues at the key where the last search ended.
 * Where nothing fitted, nothing fits now.
 */
final class RunMemo {
  private final ShapeTable shapes = new ShapeTable(6);

  /** By place: the result of the last search, and the key of the node at that time. */
  private final int[] found = new int[shapes.places()];

  private final ScoreKeys keys;

  /** By place: the changes up to the last search, and how many releases there had been. */
  private final long[] changes = new long[shapes.places()];

  private final long[] givenBack = new long[shapes.places()];

  /**
   * A memo for the keys of scores.
   *
   * @param lowerWords how many words these have beyond the upper two
   */
  RunMemo(int lowerWords) {
    keys = new ScoreKeys(shapes.places(), lowerWords);
  }

  void clear() {
    shapes.clear();
  }

  int place(Demand demand) {
    return shapes.place(demand);
  }

  /** Whether the last search of a shape is still useful. */
  boolean knows(int place, Demand demand, Finder finder) {
    return place >= 0
        && givenBack[place] == finder.givenBack()
        && (found[place] == NodeTable.NONE || finder.changes() - changes[place] <= Finder.RECENT)
        && shapes.holds(place, demand);
  }

  boolean foundNone(int place) {
    return found[place] == NodeTable.NONE;
  }

  /** The first in order of the nodes placed on since that fit and are below the last key. */
  int firstOfRecent(int place, Finder finder, BlockOrder blocks, Demand demand) {
    int first = NodeTable.NONE;
    long begin = changes[place];
    for (long change = finder.changes() - 1; change >= begin; change--) {
      int node = finder.settledAt(change);
      if (blocks.below(node, keys, place) && finder.fits(node, demand)) {
        changes[place] = change; // Nodes before the earliest that fits need no further check.
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

  void learn(int place, Demand demand, int node, Finder finder, BlockOrder blocks) {
    shapes.put(place, demand);
    found[place] = node;
    if (node != NodeTable.NONE) {
      keys.copy(place, blocks.keys(), node);
    }
    changes[place] = finder.changes();
    givenBack[place] = finder.givenBack();
  }
}
