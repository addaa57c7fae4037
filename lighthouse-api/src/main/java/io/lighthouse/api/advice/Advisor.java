package io.lighthouse.api.advice;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Budget;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import java.util.List;
import java.util.Set;

/**
 * Answers questions about a fleet that need a search, a proof or a comparison. {@link
 * Distributor#advisor} returns it.
 *
 * <p>No question changes the fleet. Each sees the fleet as it is at the moment of the call: an
 * advisor keeps no state of its own. Threads and errors are as for {@link Distributor}: calls take
 * effect one after another, also with the distributor's own, and answers are immutable.
 */
public interface Advisor {
  /**
   * Why one workload of a batch is placed on its node, at its turn, and not on another, if the
   * batch were assigned now. Changes nothing.
   *
   * @param index the index of the workload in the batch
   * @param batch the workloads
   * @return the nodes that it fits, in the strategy's order, in the same state as for {@link
   *     Distributor#explain(int, List)}
   * @throws InvalidInputException as {@link Distributor#explain(int, List)}
   */
  Choice choice(int index, List<Workload> batch);

  /**
   * Compares the present fleet with a supposed one, with the batch placed in both. Changes nothing.
   * Cost: two placements and two passes over the whole fleet.
   *
   * @param batch the waiting workloads
   * @param supposed the suppositions, in their order; may be empty
   * @param placing whether placed workloads keep their nodes or the batch is decided afresh
   * @return both fleets, side by side
   * @throws InvalidInputException as {@link Distributor#assign(List, AssignOption...)}, or if a
   *     supposition is invalid; it names that supposition
   */
  WhatIf whatIf(List<Workload> batch, List<Supposition> supposed, WhatIf.Placing placing);

  /**
   * What would make a workload fit the present fleet. Changes nothing. Each remedy has been tried
   * out. The workload's name matters only as for {@link Distributor#explain(Workload)}, and its
   * gang is ignored. Cost: an explanation, a plan, and a few trials for each node and placed
   * workload, a million at most.
   *
   * @param workload a workload that finds no node
   * @param protectedWorkloads names of placed workloads that no remedy moves or releases
   * @return the remedies; none if it fits now
   * @throws InvalidInputException if a quantity is out of range, or a protected workload is not
   *     placed
   */
  Remedies remedies(Workload workload, Set<String> protectedWorkloads);

  /**
   * What refused workloads lack, grouped by the resources that they lack, and how much more of them
   * would place all of a group. Their gangs are ignored, as for {@link #remedies}: one that fits a
   * node by itself is in no shortage. Changes nothing. Cost: at most two explanations of each
   * workload, each with a few trials for each node, a million at most.
   *
   * @param refused workloads that find no node, whose names are not in use
   * @return a shortage for each set of resources, the one with the most workloads first
   * @throws InvalidInputException if a quantity is out of range, or a name is in use or given twice
   */
  List<Shortage> shortages(List<Workload> refused);

  /**
   * Which offered nodes to add so that a batch is placed at the lowest price. Changes nothing.
   *
   * @param batch the waiting workloads
   * @param offers the kinds of nodes, each name once
   * @param budget how many steps may be spent, and how much time; a step is a workload placed or a
   *     node tried. The last trial may end after the time
   * @return the cheapest list found of those that place the most workloads, and a lower bound of
   *     the price
   * @throws InvalidInputException as {@link Distributor#assign(List, AssignOption...)}, or if two
   *     offers share a name
   */
  Sizing size(List<Workload> batch, List<Offer> offers, Budget budget);

  /**
   * How much more of a mix fits the present fleet. Changes nothing. {@link Headroom} describes when
   * the answer is exact.
   *
   * @param mix the workloads of one round, each name once
   * @return how many rounds fit, and why one more does not
   * @throws InvalidInputException if the mix is empty, two of its workloads share a name, or a
   *     quantity of one round is out of range
   */
  Headroom headroom(List<Headroom.Part> mix);

  /**
   * Proven bounds of a batch on the present fleet, for any strategy. Changes nothing. The fewest
   * nodes hold for answers that place the whole batch. No clock or thread timing affects them.
   *
   * <p>Cost: some passes over the fleet and the batch. A closer bound of nodes is proven where all
   * of this holds:
   *
   * <ul>
   *   <li>The nodes are of at most 128 kinds, which differ in their amounts of resources.
   *   <li>The workloads, with those that are placed, are of at most 512 kinds.
   *   <li>No workload gives a resource.
   * </ul>
   *
   * <p>It takes up to two million steps more: mostly below a second of one thread, and up to two.
   * Other calls of the distributor do not wait for it. Rules, tags and aversion groups are not
   * counted, so a bound may be loose. Where a node holds more than its capacity, the fewest nodes
   * are those in use.
   *
   * @param batch the workloads
   * @return the bounds
   * @throws InvalidInputException as {@link Distributor#assign(List, AssignOption...)}
   */
  Bounds bounds(List<Workload> batch);

  /**
   * Searches for changes that reach a goal, and returns them as a plan. Changes nothing. The plan
   * depends only on the fleet, the goal and the limits, not on the strategy. If the thread is
   * interrupted, the search ends with the best plan found so far, and the thread stays interrupted.
   *
   * @param goal the goal
   * @param limits the limits of the plan
   * @return the plan; it has no changes if none helps
   * @throws InvalidInputException if the goal or the limits name a node or workload that does not
   *     exist, or a workload to be placed is invalid as for {@link Distributor#assign(List,
   *     AssignOption...)}
   */
  Plan plan(PlanGoal goal, PlanLimits limits);
}
