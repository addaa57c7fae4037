package io.lighthouse.core.feasibility;

import io.lighthouse.core.ledger.Demand;

/**
 * Where the last search of each shape in a kept order ended. Bin-pack sorts the workloads, so equal
 * shapes come one after the other, or mixed with a few others of the same score.
 *
 * <p>When a search found a node, nothing below its key fitted. As long as nothing has been given
 * back since, that still holds but for the nodes that have been placed on since: their keys have
 * fallen. So the next search of the shape looks at those few, and else goes on at the key where the
 * last one ended. Where nothing fitted, nothing fits.
 */
final class RunMemo {
  private final ShapeTable shapes = new ShapeTable(6);

  /** By place: what the last search found, and the key that the node had. */
  private final int[] found = new int[shapes.places()];

  private final ScoreKeys keys;

  /** By place: the changes that had been seen, and how often something had been given back. */
  private final long[] changes = new long[shapes.places()];

  private final long[] givenBack = new long[shapes.places()];

  /** A memo for keys of scores that have so many words beyond the upper two. */
  RunMemo(int lowerWords) {
    keys = new ScoreKeys(shapes.places(), lowerWords);
  }

  void clear() {
    shapes.clear();
  }

  int place(Demand demand) {
    return shapes.place(demand);
  }

  /** Whether the last search of a shape still tells something. */
  boolean knows(int place, Demand demand, Finder finder) {
    return place >= 0
        && givenBack[place] == finder.givenBack()
        && (found[place] == Finder.NONE || finder.changes() - changes[place] <= Finder.RECENT)
        && shapes.holds(place, demand);
  }

  boolean foundNone(int place) {
    return found[place] == Finder.NONE;
  }

  /** The first in order of the nodes placed on since that fit and stand below the last key. */
  int firstOfRecent(int place, Finder finder, BlockOrder blocks, Demand demand) {
    int first = Finder.NONE;
    long begin = changes[place];
    for (long change = finder.changes() - 1; change >= begin; change--) {
      int node = finder.settledAt(change);
      if (blocks.below(node, keys, place) && finder.fits(node, demand)) {
        changes[place] = change; // Those before the earliest that fits need not be looked at again.
        if (first == Finder.NONE || blocks.before(node, first, false)) {
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
    if (node != Finder.NONE) {
      keys.copy(place, blocks.keys(), node);
    }
    changes[place] = finder.changes();
    givenBack[place] = finder.givenBack();
  }
}
