package io.lighthouse.core.constraint;

import io.lighthouse.api.Reason;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.ledger.Demand;

/**
 * A rule about the nodes that a workload may use or prefers, as part of one {@link Query}. All code
 * of a rule is in one file. One line in {@link Query} registers it.
 *
 * <p>A constraint prepares a workload ({@link #prepare}) and then answers for that workload until
 * its query is closed. It answers exactly for one node ({@link #admits}), with bitmaps for all
 * nodes ({@link #addRows}), and with reasons ({@link #reportBroken}). Bitmaps may admit too many
 * nodes, never too few. Whatever they admit is checked exactly.
 *
 * <p>What is derived from the nodes is not part of a constraint. All queries share it, it follows
 * the ledger or is validated by its clock, and a constraint only refers to it.
 */
public abstract class Constraint {
  /** Receives the broken conditions of a node, one by one. */
  public interface Broken {
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
   * Prepares the workload of the query; returns whether the rule could reject any node. If not, it
   * is not evaluated.
   */
  abstract boolean prepare(Demand demand);

  /**
   * Whether the rule could reject a workload that is {@link Demand#isFreeOfTerms}. If not, it is
   * not even prepared for one.
   */
  boolean concernsPlain() {
    return true;
  }

  /** Whether a node satisfies the rule, exactly. */
  abstract boolean admits(int node);

  /**
   * Whether it gives the same answer for all workloads that require as much, and placements can
   * only make it stricter: a rejected node stays rejected until a release. Where this is false, no
   * search result is remembered. Nothing is remembered of workloads with immunities, even to what
   * no node has, since a domain may have it.
   */
  boolean sameForEqualDemands() {
    return false;
  }

  /**
   * Whether a placement can change an answer. Where this is false, a node that admits one workload
   * admits further ones that require the same, and they are placed there without a query.
   */
  boolean changesWithPlacements() {
    return true;
  }

  // ---- all nodes ----

  /** Adds bitmaps of the nodes that satisfy the rule. */
  void addRows(RowScan rows) {}

  /**
   * Whether the bitmaps admit a node; false is certain. For orders, whose bitmaps have other
   * places.
   */
  boolean mayAdmit(int node) {
    return true;
  }

  // ---- reasons ----

  /** Reports every broken condition of a node. */
  abstract void reportBroken(int node, Broken broken);

  /** The condition that {@link #reportBroken} has just reported, as data. */
  public abstract Reason reason(int node, int condition);

  /** The name of a key in counts; empty where the kind is enough. */
  String about(int key) {
    return "";
  }

  /** The level that a key is about; empty where it is about nodes themselves. */
  String level(int key) {
    return "";
  }
}
