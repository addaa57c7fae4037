package io.lighthouse.api.advice;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Moves that bring a fleet towards a goal, in an order in which each is feasible at its turn.
 * Nothing has been changed yet: {@link Distributor#apply(long, List)} carries the plan out.
 *
 * <p>The changes of one wave may be carried out at the same time, in any order: on its target, each
 * fits beside all that arrives in the wave and before anything leaves. No change could be in an
 * earlier wave as long as those before it stay where they are, unless a rule is in the way. A
 * workload with a rule of a plug-in is moved in a wave of its own.
 *
 * @param goal the goal that was requested
 * @param generation the generation of the fleet that the plan was made for
 * @param waves the changes, wave by wave: moves, and placements of new workloads
 * @param unmet the names for which the goal is not reached. By goal these are workloads without a
 *     node, nodes that are not empty, or workloads still on an averse node. They are in the order
 *     of the goal; those on averse nodes are in the order of the fleet
 * @param before the fleet before the plan
 * @param after the fleet after the plan
 * @param bound a bound that no plan within these limits can beat
 * @param obstacles what keeps the plan from its goal, at most {@link #MOST_OBSTACLES}. Empty if it
 *     reaches the goal, and for {@link PlanGoal.Consolidate} and {@link PlanGoal.Rebalance}, which
 *     go as far as they can. If the thread was interrupted, or their search has explained 10
 *     million nodes, those that were found by then
 */
public record Plan(
    PlanGoal goal,
    long generation,
    List<List<Change>> waves,
    List<String> unmet,
    Figures before,
    Figures after,
    Bound bound,
    List<Obstacle> obstacles) {
  /** How many obstacles a plan lists at most. */
  public static final int MOST_OBSTACLES = 100;

  /** Copies. */
  public Plan {
    waves = waves.stream().map(List::copyOf).toList();
    unmet = List.copyOf(unmet);
    obstacles = List.copyOf(obstacles);
  }

  /**
   * All changes, in an order in which each is feasible at its turn. To carry out an outdated plan,
   * {@link Distributor#apply(List) apply} these: each is then checked in the state that the ones
   * before it leave.
   *
   * @return the changes of all waves
   */
  public List<Change> changes() {
    return waves.stream().flatMap(List::stream).toList();
  }

  /**
   * The number of moves.
   *
   * @return 0 or more; new placements do not count
   */
  public long moves() {
    return changes().stream().filter(Change.Move.class::isInstance).count();
  }

  /**
   * Whether the plan is proven to be the best within these limits.
   *
   * @return false if that is not known
   */
  public boolean optimal() {
    return bound.reached();
  }

  /**
   * A fleet in figures.
   *
   * @param placed how many workloads are placed
   * @param nodesInUse how many nodes hold workloads
   * @param fullest the largest share of a resource in use on any node, as a fraction of 1, rounded
   *     up at the ninth digit. It is 0 if no resource has a finite capacity above 0
   * @param averse how many workloads share a node with another workload of one of their aversion
   *     groups
   */
  public record Figures(int placed, int nodesInUse, Quantity fullest, int averse) {}

  /**
   * A bound that no plan can beat.
   *
   * @param figure the figure that is bounded: {@code placed}, {@code emptied}, {@code nodesInUse},
   *     {@code fullest}, {@code moved} or {@code averse}
   * @param best the bound: the highest possible value for {@code placed}, {@code emptied} and
   *     {@code moved}, else the lowest
   * @param reached whether the plan reaches it
   */
  public record Bound(String figure, Quantity best, boolean reached) {}

  /**
   * A workload that keeps a plan from its goal, explained on the fleet as it is after the plan. It
   * is explained by itself, without a strategy and without its gang, and with the workloads of its
   * node taken off the node. Avoided nodes, and nodes to be left that still hold workloads, count
   * as cordoned. Nodes to be left that are empty then, such as its own, are left out of the
   * refusal. Whether it fits by a rule of skew is what the search finds, to which all these are
   * open.
   *
   * @param workload the workload
   * @param node the node that it stays on; empty if it has none
   * @param cause the kind of reason
   * @param why the reason in words
   * @param refusal what the nodes that refuse it lack; empty for other causes
   */
  public record Obstacle(
      Workload workload,
      Optional<String> node,
      Cause cause,
      String why,
      Optional<Refusal> refusal) {
    /** Checks that nothing is null. */
    public Obstacle {
      Objects.requireNonNull(workload, "workload");
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(cause, "cause");
      Objects.requireNonNull(why, "why");
      Objects.requireNonNull(refusal, "refusal");
    }

    /** Kinds of reasons. */
    public enum Cause {
      /** The limits pin the workload. */
      PINNED,
      /** The limits leave too few moves, or too little of a resource that may be moved. */
      LIMIT,
      /** No other node takes the workload; {@link Obstacle#refusal} has what they lack. */
      NO_NODE,
      /** No friendly node takes the workload; others that take it are averse. */
      AVERSION,
      /** The workload fits a node, but its gang was not placed as a whole. */
      GANG,
      /** A node takes the workload, but the search found no moves that reach the goal. */
      NOT_FOUND
    }
  }
}
