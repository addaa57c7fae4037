package io.lighthouse.api;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What would be if something of a fleet were otherwise, side by side with what is. Immutable and
 * thread-safe.
 *
 * @param now the fleet as it is, with its batch placed
 * @param then the fleet as it would be
 * @param fates the workloads of which something is different; those of now first, in the order of
 *     nodes and of coming, then the waiting ones in the order of the batch, then the new ones
 * @param refusals why not, for those without a node then, in the order in which they were tried
 */
public record WhatIf(Figures now, Figures then, List<Fate> fates, List<Refusal> refusals) {
  /** Copies. */
  public WhatIf {
    fates = List.copyOf(fates);
    refusals = List.copyOf(refusals);
  }

  /** What the batch is placed on. */
  public enum Placing {
    /**
     * The fleet runs: what has a node now keeps it, unless it is taken from it. Only what waits and
     * what has lost its node is placed.
     */
    GOING_ON,
    /**
     * The batch is decided anew, on the fleet as it would be; what the nodes brought along stays.
     */
    AFRESH
  }

  /** What becomes of a workload. */
  public enum Kind {
    /** It has another node. */
    MOVED,
    /** It has a node and had none. */
    PLACED,
    /** It has none and had one. */
    REFUSED,
    /** It is not there any more. */
    GONE,
    /** It was not there. */
    NEW
  }

  /**
   * A fleet in figures.
   *
   * @param nodes how many nodes there are
   * @param nodesInUse how many of them hold somebody
   * @param placed how many workloads have a node
   * @param refused how many have none
   */
  public record Figures(int nodes, int nodesInUse, int placed, int refused) {}

  /**
   * What becomes of one workload.
   *
   * @param workload its name
   * @param kind what becomes of it
   * @param now its node; empty where it has none
   * @param then its node then; empty where it has none, or is not there
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
