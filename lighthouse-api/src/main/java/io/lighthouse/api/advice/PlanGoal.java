package io.lighthouse.api.advice;

import io.lighthouse.api.Workload;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;

/** The goal of a {@link Plan}. Immutable and thread-safe; no component is null. */
public sealed interface PlanGoal {
  /**
   * Calls the case for this kind of goal. Code that depends on the kind implements {@link Cases},
   * so that it fails to compile when a kind is added.
   *
   * @param cases one function for each kind
   * @param <R> what they return
   * @return what the case for this kind returns
   */
  <R> R match(Cases<R> cases);

  /**
   * One function for each kind of goal.
   *
   * @param <R> what the functions return
   */
  interface Cases<R> {
    /**
     * {@return the result for {@link Place}}
     *
     * @param goal the goal
     */
    R place(Place goal);

    /**
     * {@return the result for {@link Drain}}
     *
     * @param goal the goal
     */
    R drain(Drain goal);

    /**
     * {@return the result for {@link Consolidate}}
     *
     * @param goal the goal
     */
    R consolidate(Consolidate goal);

    /**
     * {@return the result for {@link Rebalance}}
     *
     * @param goal the goal
     */
    R rebalance(Rebalance goal);

    /**
     * {@return the result for {@link Evacuate}}
     *
     * @param goal the goal
     */
    R evacuate(Evacuate goal);

    /**
     * {@return the result for {@link Repair}}
     *
     * @param goal the goal
     */
    R repair(Repair goal);
  }

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

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.place(this);
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

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.drain(this);
    }
  }

  /** Empty as many nodes as possible. */
  record Consolidate() implements PlanGoal {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.consolidate(this);
    }
  }

  /**
   * Make the fullest nodes as empty as possible. The load of a node is the share in use of its
   * fullest resource. Fleets are compared by their loads, sorted from the fullest node down: the
   * first load that differs decides. Empty nodes may be taken into use.
   */
  record Rebalance() implements PlanGoal {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.rebalance(this);
    }
  }

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

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.evacuate(this);
    }
  }

  /** Move as many workloads as possible off nodes that are averse to them. */
  record Repair() implements PlanGoal {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.repair(this);
    }
  }

  /**
   * The name of the kind of goal.
   *
   * @return place, drain, consolidate, rebalance, evacuate or repair
   */
  default String word() {
    return Objects.requireNonNull(getClass().getSimpleName()).toLowerCase(java.util.Locale.ROOT);
  }
}
