package io.lighthouse.api;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;

/** What a {@link Plan} is to reach. Immutable and thread-safe; nothing in it is null. */
public sealed interface PlanGoal {

  /**
   * These workloads get nodes, by moving others where that is needed.
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
   * These nodes hold nobody any more: as many of them as can be, each wholly or not at all.
   *
   * @param nodes names of nodes; a repeated one counts once
   */
  record Drain(List<String> nodes) implements PlanGoal {
    /** Copies. */
    public Drain {
      nodes = List.copyOf(new LinkedHashSet<>(nodes));
    }
  }

  /** As many nodes as possible hold nobody. */
  record Consolidate() implements PlanGoal {}

  /** The fullest node is as empty as possible, by its fullest resource. */
  record Rebalance() implements PlanGoal {}

  /**
   * These nodes, which fail together, hold nobody any more: as many workloads as can be leave them,
   * also where a node is not left by all.
   *
   * @param nodes names of nodes; a repeated one counts once
   */
  record Evacuate(List<String> nodes) implements PlanGoal {
    /** Copies. */
    public Evacuate {
      nodes = List.copyOf(new LinkedHashSet<>(nodes));
    }
  }

  /** Nobody is on a node that is averse to it, as far as can be. */
  record Repair() implements PlanGoal {}

  /**
   * The word for a goal.
   *
   * @return place, drain, consolidate, rebalance, evacuate or repair
   */
  default String word() {
    return Objects.requireNonNull(getClass().getSimpleName()).toLowerCase(java.util.Locale.ROOT);
  }
}
