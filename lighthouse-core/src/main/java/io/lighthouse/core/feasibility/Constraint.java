package io.lighthouse.core.feasibility;

import io.lighthouse.api.Reason;
import io.lighthouse.core.ledger.Demand;

/**
 * A rule about which nodes a workload may go to, or about which it prefers. A rule has all that
 * belongs to it in one file, and one line in {@link Constraints}, where it is registered.
 *
 * <p>It takes up a workload ({@link #ask}), and then answers for that one: exactly for one node
 * ({@link #admits}), with rows of bits for all ({@link #addRows}), and with reasons ({@link
 * #tell}). Rows may admit too many nodes, never too few: whatever they let pass is checked exactly,
 * unless the rule says that its rows are exact ({@link #rowsAreExact}).
 *
 * <p>It follows the ledger from the start. Rows that cost a pass over all nodes it makes when an
 * index is built, and forgets when that is dropped.
 */
abstract class Constraint {
  /** Takes the broken conditions of a node, one by one. */
  interface Broken {
    /**
     * A broken condition.
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
   * Takes up a workload; the other questions are about it until the next.
   *
   * @return whether the rule could say no of any node; if not, it is not asked further
   */
  abstract boolean ask(Demand demand);

  /** Whether a node keeps to the rule, exactly. */
  abstract boolean admits(int node);

  /**
   * How far a node is from keeping to the rule: a hard rule asks for 0, a preference for the least.
   *
   * @return 0 where {@link #admits}, else more
   */
  long excess(int node) {
    return admits(node) ? 0 : 1;
  }

  /**
   * Whether placing can only make it stricter: what is not admitted now stays so until something is
   * given back. Where this is false, nothing is remembered of a search.
   */
  boolean lasting() {
    return true;
  }

  /**
   * Whether it says the same of every workload. Where this is false, what a search finds out is not
   * remembered for workloads that merely require as much.
   */
  abstract boolean uniform();

  // ---- all nodes ----

  /** Adds rows of the nodes that keep to the rule. */
  void addRows(RowScan rows) {}

  /**
   * Whether the rows that {@link #addRows} has just added let no other node pass than {@link
   * #admits}: then their survivors need not be asked about.
   */
  boolean rowsAreExact() {
    return false;
  }

  /** Whether the rows admit a node; a no is sure. For orders, whose rows have other places. */
  boolean mayAdmit(int node) {
    return true;
  }

  // ---- reasons ----

  /** Tells every broken condition of a node. */
  abstract void tell(int node, Broken told);

  /** A condition that {@link #tell} has just told, as data. */
  abstract Reason reason(int node, int condition);

  /** What a key is called in counts; empty where the kind says it all. */
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

  /** The nodes are others than before; whatever is kept in step is to be made anew. */
  void reshaped() {}

  /** A node was cordoned or opened. */
  void cordonChanged(int node) {}

  /** A node has come, or has come back with other accounts. */
  void nodeCame(int node) {}

  /** A node is about to go, or to be given other accounts. */
  void nodeLeaving(int node) {}
}
