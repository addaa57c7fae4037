package io.lighthouse.api;

import java.util.List;
import java.util.Objects;

/**
 * What would make a workload fit that finds no node. Each remedy has been tried out. Immutable and
 * thread-safe.
 *
 * @param workload the name of the workload
 * @param prospect whether it fits now, could fit when others go, or never does
 * @param remedies at most one of each kind, the cheapest, in the order of kinds; empty where it
 *     fits now
 * @param waits what alone stands against it on some node and no remedy takes away, such as a rule:
 *     to be waited for; each once, in the order of nodes
 */
public record Remedies(
    String workload, Prospect prospect, List<Remedy> remedies, List<Reason> waits) {
  /** Copies. */
  public Remedies {
    remedies = List.copyOf(remedies);
    waits = List.copyOf(waits);
  }

  /** Whether there is hope as things are. */
  public enum Prospect {
    /** It fits a node now. */
    FITS,
    /** It fits none now, and would fit one if others that are placed were gone or elsewhere. */
    NOT_NOW,
    /**
     * It fits no node of this fleet, even empty: only the fleet or the workload can change that.
     */
    NEVER
  }

  /** The kinds of remedies, in the order in which they are told: what touches nobody else first. */
  public enum Kind {
    /** Open a cordoned node or domain. Cost: how many are opened. */
    UNCORDON,
    /** Tolerate wards or shortcomings. Cost: how many resources. */
    TOLERATE,
    /** Give a node tags, which are resources of quantity 0. Cost: how many. */
    TAG,
    /** Require less. Cost: the largest part of a requirement that is cut. */
    CUT,
    /** Give a node or domain more of some resources. Cost: of how many. */
    GROW,
    /** Several of these on one node. Cost: how many conditions are broken there. */
    COMBINED,
    /** Move others elsewhere. Cost: how many moves. */
    MOVE,
    /** Release others. Cost: how many. */
    RELEASE
  }

  /**
   * One remedy: when the changes have been carried out, the workload, as it should be then, fits
   * the node.
   *
   * @param kind what it does
   * @param node the name of the node that it then fits
   * @param workload the workload as it should be; the same as before unless the remedy cuts or
   *     tolerates
   * @param changes what is to be carried out, in this order; empty where only the workload is
   *     different
   * @param cost what is counted for its kind, above 0
   * @param exact whether no remedy of its kind costs less, which is proven; false where a search
   *     found it, or ended before it had seen all
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
