package io.lighthouse.core.feasibility;

import io.lighthouse.api.Reason;
import io.lighthouse.core.ledger.Demand;

/**
 * A rule about the nodes that a workload may use or prefers. All code of a rule is in one file. One
 * line in {@link Constraints} registers it.
 *
 * <p>A rule prepares a workload ({@link #ask}) and then answers for that workload. It answers
 * exactly for one node ({@link #admits}), with bitmaps for all nodes ({@link #addRows}), and with
 * reasons ({@link #tell}). Bitmaps may admit too many nodes, never too few. Whatever they admit is
 * checked exactly, unless the rule reports that its bitmaps are exact ({@link #rowsAreExact}).
 *
 * <p>It follows the ledger from the start. Bitmaps that cost a pass over all nodes are made when an
 * index is built, and dropped with it.
 */
abstract class Constraint {
  /** Receives the broken conditions of a node, one by one. */
  interface Broken {
    /**
     * Receives a broken condition.
     *
     * @param by the rule
     * @param condition which of the node's broken conditions, for {@link Constraint#reason}
     * @param kind what is counted together, with the key
     * @param key what the condition is about, for {@link Constraint#about}
     * @param lacking how much is lacking, 0 or more
     * @param against what this is compared with, 0 or more; 0 for infinitely far
     */
    void add(Constraint by, int condition, Reason.Kind kind, int key, long lacking, long against);
  }

  // ---- one workload ----

  /**
   * Prepares a workload. All other queries are about it until the next call.
   *
   * @return whether the rule could reject any node; if not, it is not queried further
   */
  abstract boolean ask(Demand demand);

  /** Whether a node satisfies the rule, exactly. */
  abstract boolean admits(int node);

  /**
   * How far a node is from satisfying the rule. A hard rule requires 0; a preference selects the
   * least.
   *
   * @return 0 where {@link #admits}, else more
   */
  long excess(int node) {
    return admits(node) ? 0 : 1;
  }

  /**
   * Whether placements can only make it stricter: a rejected node stays rejected until a release.
   * Where this is false, no search result is remembered.
   */
  boolean lasting() {
    return true;
  }

  /**
   * Whether it gives the same answer for every workload. Where this is false, a search result is
   * not reused for workloads that merely require as much.
   */
  abstract boolean uniform();

  // ---- all nodes ----

  /** Adds bitmaps of the nodes that satisfy the rule. */
  void addRows(RowScan rows) {}

  /**
   * Whether the bitmaps that {@link #addRows} has just added admit only nodes that {@link #admits}
   * does. Then their survivors need no check.
   */
  boolean rowsAreExact() {
    return false;
  }

  /**
   * Whether the bitmaps admit a node; false is certain. For orders, whose bitmaps have other
   * places.
   */
  boolean mayAdmit(int node) {
    return true;
  }

  // ---- reasons ----

  /** Reports every broken condition of a node. */
  abstract void tell(int node, Broken told);

  /** The condition that {@link #tell} has just reported, as data. */
  abstract Reason reason(int node, int condition);

  /** The name of a key in counts; empty where the kind is enough. */
  String about(int key) {
    return "";
  }

  /** The level that a key is about; empty where it is about nodes themselves. */
  String level(int key) {
    return "";
  }

  /** Counts the broken conditions of all nodes. */
  void count(Tally tally) {
    for (int node = 0; node < tally.nodes(); node++) {
      if (tally.alive(node)) {
        tally.count(node, this);
      }
    }
  }

  // ---- following the ledger ----

  /** Rebuilds all state that follows the nodes, after the set of nodes has changed. */
  void reshaped() {}

  /** Follows a node that was cordoned or uncordoned. */
  void cordonChanged(int node) {}

  /** Follows a node that was added, or that got new accounts. */
  void nodeCame(int node) {}

  /** Follows a node that is about to be removed, or to get new accounts. */
  void nodeLeaving(int node) {}
}
