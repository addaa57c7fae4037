package io.lighthouse.core.search;

import io.lighthouse.api.Reason;
import io.lighthouse.core.constraint.Constraint;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.order.Scores;

/**
 * The few nodes that are nearest to taking a workload. They are compared by the number of broken
 * conditions, then by their largest shortfall as a fraction of the requirement. Ties keep the order
 * of nodes.
 */
final class Nearest implements Constraint.Broken {
  /** How many nodes a refusal names. */
  static final int MOST = 3;

  private final Query query;

  private final int[] nodes = new int[MOST + 1];
  private final int[] broken = new int[MOST + 1];

  /**
   * By place: the largest shortfall as a fraction of the requirement; a denominator of 0 means
   * infinite.
   */
  private final long[] numerators = new long[MOST + 1];

  private final long[] denominators = new long[MOST + 1];
  private int size;

  /** The shortfall of the current node. */
  private long numerator;

  private long denominator;

  Nearest(Query query) {
    this.query = query;
  }

  /** The number of broken conditions above which a node is not among the nearest. */
  int limit() {
    return size < MOST ? Integer.MAX_VALUE : broken[MOST - 1];
  }

  int size() {
    return size;
  }

  /** Returns a node, the nearest first. */
  int node(int index) {
    return nodes[index];
  }

  /** Adds a node that is behind all nodes added before. */
  void add(int node, int conditions) {
    if (conditions > limit()) {
      return;
    }
    numerator = 0;
    denominator = 1;
    if (conditions > 0) {
      query.reportBroken(node, this);
    }
    int at = size;
    while (at > 0 && before(conditions, at - 1)) {
      move(at - 1, at);
      at--;
    }
    nodes[at] = node;
    broken[at] = conditions;
    numerators[at] = numerator;
    denominators[at] = denominator;
    size = Math.min(MOST, size + 1);
  }

  private boolean before(int conditions, int other) {
    return conditions != broken[other]
        ? conditions < broken[other]
        : compare(numerator, denominator, numerators[other], denominators[other]) < 0;
  }

  private void move(int from, int to) {
    nodes[to] = nodes[from];
    broken[to] = broken[from];
    numerators[to] = numerators[from];
    denominators[to] = denominators[from];
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
    return Scores.compare(
        Math.multiplyHigh(a, overB), a * overB, Math.multiplyHigh(b, overA), b * overA);
  }
}
