package io.lighthouse.api.advice;

import io.lighthouse.api.Workload;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;

/** The goal of a {@link Plan}. Immutable and thread-safe; no component is null. */
public sealed interface PlanGoal {

  /**
   * Place these workloads, and move others if that is needed.
   *
   * @param workloads the workloads, whose names are not in use
   */
  record Place(List<Workload> workloads) implements PlanGoal {
    /** Copies. */
    public Place {
      workloads = List.copyOf(workloads);
    }
  }

  /**
   * Empty as many of these nodes as possible, each completely or not at all.
   *
   * @param nodes names of nodes; a repeated one counts once
   */
  record Drain(List<String> nodes) implements PlanGoal {
    /** Copies. */
    public Drain {
      nodes = List.copyOf(new LinkedHashSet<>(nodes));
    }
  }

  /** Empty as many nodes as possible. */
  record Consolidate() implements PlanGoal {}

  /** Make the fullest node as empty as possible, measured by its fullest resource. */
  record Rebalance() implements PlanGoal {}

  /**
   * Move as many workloads as possible off these nodes, which fail together. A node may be emptied
   * partly.
   *
   * @param nodes names of nodes; a repeated one counts once
   */
  record Evacuate(List<String> nodes) implements PlanGoal {
    /** Copies. */
    public Evacuate {
      nodes = List.copyOf(new LinkedHashSet<>(nodes));
    }
  }

  /** Move as many workloads as possible off nodes that are averse to them. */
  record Repair() implements PlanGoal {}

  /**
   * The name of the kind of goal.
   *
   * @return place, drain, consolidate, rebalance, evacuate or repair
   */
  default String word() {
    return Objects.requireNonNull(getClass().getSimpleName()).toLowerCase(java.util.Locale.ROOT);
  }
}
