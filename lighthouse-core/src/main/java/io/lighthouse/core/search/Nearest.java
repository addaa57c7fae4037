package io.lighthouse.core.search;

import io.lighthouse.api.Reason;
import io.lighthouse.core.constraint.Constraint;
import io.lighthouse.core.constraint.Query;
import java.util.ArrayList;
import java.util.List;

/**
 * The few nodes that are nearest to taking a workload. They are compared by the number of broken
 * conditions, then by their largest shortfall as a fraction of the requirement. Ties keep the order
 * of nodes.
 */
final class Nearest implements Constraint.Broken {
  /** How many nodes a refusal names. */
  private static final int MOST = 3;

  private final Query query;

  /**
   * A node.
   *
   * @param broken how many conditions are broken there
   * @param numerator the largest shortfall as a fraction of the requirement
   * @param denominator the same; 0 means infinite
   */
  private record Near(int node, int broken, long numerator, long denominator) {}

  private int limit = Integer.MAX_VALUE;

  /** The nearest first. */
  private final List<Near> nearest = new ArrayList<>();

  /** The shortfall of the current node. */
  private long numerator;

  private long denominator;

  Nearest(Query query) {
    this.query = query;
  }

  /** The number of broken conditions above which a node is not among the nearest. */
  int limit() {
    return limit;
  }

  int size() {
    return nearest.size();
  }

  /** Returns a node, the nearest first. */
  int node(int index) {
    return nearest.get(index).node;
  }

  /** Adds a node that is behind all nodes added before. */
  void add(int node, int conditions) {
    if (conditions > limit) {
      return;
    }
    numerator = 0;
    denominator = 1;
    if (conditions > 0) {
      query.reportBroken(node, this);
    }
    int at = nearest.size();
    while (at > 0 && before(conditions, nearest.get(at - 1))) {
      at--;
    }
    if (at < MOST) {
      nearest.add(at, new Near(node, conditions, numerator, denominator));
      if (nearest.size() > MOST) {
        nearest.remove(MOST);
      }
      limit = nearest.size() < MOST ? limit : nearest.get(MOST - 1).broken;
    }
  }

  private boolean before(int conditions, Near other) {
    return conditions != other.broken
        ? conditions < other.broken
        : compare(numerator, denominator, other.numerator, other.denominator) < 0;
  }

  @Override
  public void add(
      Constraint by, int condition, Reason.Kind kind, int key, long lacking, long against) {
    long lacks = against == 0 ? 1 : lacking;
    if (compare(numerator, denominator, lacks, against) < 0) {
      numerator = lacks;
      denominator = against;
    }
  }

  /** Compares two fractions of numbers from 0 to 2^63; the products take 128 bits. */
  private static int compare(long a, long overA, long b, long overB) {
    int compared = Long.compare(Math.multiplyHigh(a, overB), Math.multiplyHigh(b, overA));
    return compared != 0 ? compared : Long.compareUnsigned(a * overB, b * overA);
  }
}
