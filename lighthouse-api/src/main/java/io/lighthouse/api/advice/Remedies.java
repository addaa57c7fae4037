package io.lighthouse.api.advice;

import io.lighthouse.api.Change;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.util.List;
import java.util.Objects;

/**
 * What would make a refused workload fit. Each remedy has been tried out. Immutable and
 * thread-safe.
 *
 * @param workload the name of the workload
 * @param prospect whether it fits now, could fit after others leave, or never fits
 * @param remedies at most one of each kind, the cheapest, in the order of kinds; empty if it fits
 *     now
 * @param waits reasons that no remedy removes, such as a rule or a condition of the workload, and
 *     that are the only obstacle on some node. What other placements cause may go away by itself.
 *     Each once, in the order of nodes
 */
public record Remedies(
    String workload, Prospect prospect, List<Remedy> remedies, List<Reason> waits) {
  /** Copies. */
  public Remedies {
    remedies = List.copyOf(remedies);
    waits = List.copyOf(waits);
  }

  /** Whether the workload can fit this fleet. */
  public enum Prospect {
    /** It fits a node now. */
    FITS,
    /** It fits no node now, but would fit one if placed workloads left or moved. */
    NOT_NOW,
    /**
     * It fits no node of this fleet, not even an empty one, and no release or move was found that
     * helps. Only a change of the nodes or of the workload can help, or, where a rule asks for
     * others beside it, the placement of those.
     */
    NEVER
  }

  /**
   * The kinds of remedies, in the order of reports: those that do not affect other workloads first.
   */
  public enum Kind {
    /** Open a cordoned node or domain. Cost: how many are opened. */
    UNCORDON,
    /** Give the workload immunities against wards or shortcomings. Cost: how many resources. */
    TOLERATE,
    /** Give a node tags (resources of quantity 0). Cost: how many tags. */
    TAG,
    /**
     * Reduce what the workload requires of its node; what it shares of domains stays. Cost: the
     * largest fraction of a requirement that is cut.
     */
    CUT,
    /**
     * Give a node or domain more of some resources, or declare the domain with them. A resource
     * that the workload gives is added with quantity 0. Cost: how many resources.
     */
    GROW,
    /**
     * Several of the above on one node. Cost: how many conditions are broken there, less skew rules
     * that hold once the node is possible.
     */
    COMBINED,
    /** Move other workloads to other nodes. Cost: how many moves. */
    MOVE,
    /** Release other workloads, all of one node. Cost: how many workloads. */
    RELEASE
  }

  /**
   * One remedy. After its changes, the workload in its adapted form fits the node.
   *
   * @param kind its kind
   * @param node the name of the node that the workload then fits
   * @param workload the workload in its adapted form; differs from the original only for remedies
   *     that reduce requirements or add immunities
   * @param changes the changes to carry out, in this order; empty if only the workload differs
   * @param cost its cost as defined by its kind, above 0
   * @param exact whether it is proven that no remedy of its kind costs less. It is not if a search
   *     found it, or ended before it had covered everything. Nor is it where a cheaper one may be
   *     hidden by a condition about amounts, or, for {@link Kind#CUT}, by a unit or a domain that
   *     is short of what the workload shares
   */
  public record Remedy(
      Kind kind,
      String node,
      Workload workload,
      List<Change> changes,
      Quantity cost,
      boolean exact) {
    /** Copies. */
    public Remedy {
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(workload, "workload");
      Objects.requireNonNull(cost, "cost");
      changes = List.copyOf(changes);
    }
  }
}
