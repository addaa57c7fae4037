package io.lighthouse.api.advice;

import io.lighthouse.api.Refusal;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A fleet under some suppositions, side by side with the present fleet. Immutable and thread-safe.
 *
 * @param now the present fleet, with the batch placed
 * @param then the supposed fleet, with the batch placed
 * @param fates the workloads whose placement differs. First the workloads placed now, in the order
 *     of nodes and of their arrival. Then the waiting ones, in the order of the batch. Then the new
 *     ones
 * @param refusals the reasons for the workloads without a node in the supposed fleet, in the order
 *     in which they were tried
 */
public record WhatIf(Figures now, Figures then, List<Fate> fates, List<Refusal> refusals) {
  /** Copies. */
  public WhatIf {
    fates = List.copyOf(fates);
    refusals = List.copyOf(refusals);
  }

  /** How the batch is placed. */
  public enum Placing {
    /**
     * Placed workloads keep their nodes unless a supposition displaces them. Only waiting and
     * displaced workloads are placed.
     */
    GOING_ON,
    /**
     * The whole batch is placed afresh on the supposed fleet. Workloads that the nodes brought
     * along stay.
     */
    AFRESH
  }

  /** How a workload's placement differs. */
  public enum Kind {
    /** It is on another node. */
    MOVED,
    /** It has a node only in the supposed fleet. */
    PLACED,
    /** It has a node only in the present fleet. */
    REFUSED,
    /** It does not exist in the supposed fleet. */
    GONE,
    /** It exists only in the supposed fleet. */
    NEW
  }

  /**
   * A fleet in figures.
   *
   * @param nodes how many nodes there are
   * @param nodesInUse how many of them hold workloads
   * @param placed how many workloads have a node
   * @param refused how many workloads have none
   */
  public record Figures(int nodes, int nodesInUse, int placed, int refused) {}

  /**
   * How the placement of one workload differs.
   *
   * @param workload its name
   * @param kind the difference
   * @param now its node in the present fleet; empty if it has none
   * @param then its node in the supposed fleet; empty if it has none, or does not exist there
   */
  public record Fate(String workload, Kind kind, Optional<String> now, Optional<String> then) {
    /** Checks. */
    public Fate {
      Objects.requireNonNull(workload, "workload");
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(now, "now");
      Objects.requireNonNull(then, "then");
    }
  }
}
