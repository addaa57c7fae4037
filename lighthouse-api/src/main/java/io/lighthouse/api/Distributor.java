package io.lighthouse.api;

import io.lighthouse.api.strategy.StrategyDescription;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A fleet of nodes with one strategy: it assigns workloads to nodes and keeps account of them.
 *
 * <p><b>Assumes</b> nothing of its caller: invalid input is refused with an {@link
 * InvalidInputException} before anything changes. The name of a node, domain or workload that does
 * not exist is invalid input.
 *
 * <p><b>Guarantees</b>, whatever the strategy does:
 *
 * <ul>
 *   <li>A workload is placed only on a node that it fits.
 *   <li>It is placed on an averse node only if no friendly node fits.
 *   <li>For every node and resource, at every moment, the capacity is exactly what is left plus the
 *       requirements placed there.
 * </ul>
 *
 * <p>A workload fits a node if and only if three conditions hold. The node is not cordoned. It has
 * every resource that the workload requires. No resource of the node would be left below zero,
 * except those that the workload is immune to. {@link Terms} add conditions to these.
 *
 * <p><b>Quantities</b> are exact decimals with at most nine digits after the point; finer ones are
 * rounded on entry, requirements up, quantities of nodes down. The range of each resource is
 * limited. Let s be the largest number of digits after the point in use for it. The largest
 * magnitude on a node, plus the magnitudes of all requirements placed or in the batch, must stay
 * below 2^62 / 10^s.
 *
 * <p><b>Changes.</b> Every change of a fleet is a {@link Change}. {@link #apply} and {@link
 * #tryOut} take changes as values, and {@link #onChange} reports them. The other calls that change
 * the fleet are short forms.
 *
 * <p><b>Threads.</b> Calls may come from several threads and take effect one after another. Answers
 * are immutable. A strategy must not call its own distributor. A thread that is interrupted while
 * it waits for its turn gets a {@link java.util.concurrent.CancellationException}, and nothing has
 * changed.
 *
 * <p><b>Errors.</b> Any call that runs the strategy may also throw {@link StrategyException}. If
 * its thread is interrupted, such a call soon ends with a {@link
 * java.util.concurrent.CancellationException}, and the thread stays interrupted. In both cases the
 * state is as before the call.
 */
public interface Distributor {
  /**
   * The strategy that chooses among the nodes that fit.
   *
   * @return its name and its description of itself
   */
  StrategyDescription strategy();

  /**
   * The rubric of the problem, which a strategy may use.
   *
   * @return the rubric; empty if none was given
   */
  Optional<Rubric> rubric();

  /**
   * The settings of the strategy as given, without those left at their default values.
   *
   * @return an unmodifiable map, in the order of names
   */
  Map<String, String> settings();

  /**
   * Assigns a batch.
   *
   * @param batch the workloads; their order matters
   * @param options what the call does beyond placing
   * @return for every workload its node or none, in the order given
   * @throws InvalidInputException if two workloads share a name, a name is placed already, or a
   *     quantity is out of range
   */
  Assignments assign(List<Workload> batch, AssignOption... options);

  /**
   * Assigns a batch, with a budget for a strategy that searches. When the budget is spent, the best
   * state that the strategy has kept is the answer. Workloads that are not placed in it are placed
   * first fit. A strategy that chooses for one workload at a time ignores the budget.
   *
   * @param batch the workloads; their order matters
   * @param budget how much may be spent
   * @param options what the call does beyond placing
   * @return for every workload its node or none, in the order given
   * @throws InvalidInputException as {@link #assign(List, AssignOption...)}
   */
  Assignments assign(List<Workload> batch, Budget budget, AssignOption... options);

  /**
   * Assigns a batch given as arguments.
   *
   * @param batch the workloads; their order matters
   * @return for every workload its node or none, in the order given
   * @throws InvalidInputException as {@link #assign(List, AssignOption...)}
   */
  default Assignments assign(Workload... batch) {
    return assign(List.of(batch));
  }

  /**
   * Assigns a batch all or nothing, with reasons for the workloads that found no node.
   *
   * @param batch the workloads; their order matters
   * @return a node for every workload, or for none
   * @throws InvalidInputException as {@link #assign(List, AssignOption...)}
   */
  default Assignments assignAllOrNothing(List<Workload> batch) {
    return assign(batch, AssignOption.ALL_OR_NOTHING, AssignOption.EXPLAIN);
  }

  /**
   * Releases workloads, all or none of them. Releasing placed workloads always succeeds, even if a
   * quantity falls below zero. The other workloads then stay, and the negative quantity keeps new
   * ones away.
   *
   * @param workloads names of placed workloads; a repeated one counts once
   * @return the released workloads, in the order given
   * @throws InvalidInputException if one is not placed
   */
  List<Workload> release(Collection<String> workloads);

  /**
   * Releases one workload.
   *
   * @param workload the name of a placed workload
   * @return the workload
   */
  default Workload release(String workload) {
    return release(List.of(workload)).get(0);
  }

  /**
   * Releases everything on a node.
   *
   * @param node the name of a node
   * @return the released workloads, in the order of their arrival; empty if the node holds none
   */
  List<Workload> releaseNode(String node);

  /**
   * Releases everything.
   *
   * @return the released workloads, node by node, in the order of their arrival
   */
  List<Workload> releaseAll();

  /**
   * Adds a node at the end of the order of nodes.
   *
   * @param node the node, with the workloads it brings along
   * @throws InvalidInputException if its name is in use, a workload that it brings along is placed
   *     already, or a quantity is out of range
   */
  void addNode(Node node);

  /**
   * Removes an empty node. If the round-robin position is on it, the position moves to the node
   * before it.
   *
   * @param node the name of a node
   * @throws InvalidInputException if there is no such node, or it is not empty
   */
  void removeNode(String node);

  /**
   * Changes a node's capacity. What is left changes by the difference and may fall below zero.
   * Placed workloads stay.
   *
   * @param node the name of a node
   * @param capacity its new capacity when empty; it must name every resource that a workload placed
   *     there requires
   * @throws InvalidInputException if there is no such node, a resource in use is missing, or a
   *     quantity is out of range
   */
  void resize(String node, Resources capacity);

  /**
   * Cordons a node: it takes no new workloads. Placed workloads stay. Cordoning a cordoned node
   * changes nothing.
   *
   * @param node the name of a node
   */
  void cordon(String node);

  /**
   * Opens a cordoned node again. Opening an open node changes nothing.
   *
   * @param node the name of a node
   */
  void uncordon(String node);

  /**
   * The rules at the top of the problem. Each is appended to the rules of every workload that is a
   * member of its group. A plug-in's rule is appended to the rules of every workload.
   *
   * @return the rules, in the order given; unmodifiable
   */
  List<Rule> rules();

  /**
   * Gives a domain an account. The shared requirements of the workloads on its nodes are charged to
   * it, so what is left may be below 0.
   *
   * @param domain the domain; its resources are its capacity
   * @throws InvalidInputException if it is declared already, a placed workload shares a resource
   *     that it does not have, or a quantity is out of range
   */
  default void declare(Domain domain) {
    apply(new Change.Declare(domain));
  }

  /**
   * Removes a domain's account. Its nodes still name the domain.
   *
   * @param level its level
   * @param domain its name
   * @throws InvalidInputException if it is not declared, or a placed workload shares its resources
   */
  default void undeclare(String level, String domain) {
    apply(new Change.Undeclare(level, domain));
  }

  /**
   * Changes a declared domain's capacity. What is left changes by the difference. Placed workloads
   * stay.
   *
   * @param level its level
   * @param domain its name
   * @param capacity its new capacity when nothing is placed
   * @throws InvalidInputException if it is not declared, a resource in use is missing, or a
   *     quantity is out of range
   */
  default void resize(String level, String domain, Resources capacity) {
    apply(new Change.ResizeDomain(level, domain, capacity));
  }

  /**
   * Cordons a declared domain: its nodes take no new workloads. Cordoning it again changes nothing.
   *
   * @param level its level
   * @param domain its name
   */
  default void cordon(String level, String domain) {
    apply(new Change.CordonDomain(level, domain, true));
  }

  /**
   * Opens a cordoned domain again. Opening an open domain changes nothing.
   *
   * @param level its level
   * @param domain its name
   */
  default void uncordon(String level, String domain) {
    apply(new Change.CordonDomain(level, domain, false));
  }

  /**
   * Replaces the groups of a placed workload. It stays on its node, even if a bound is then
   * exceeded.
   *
   * @param workload its name
   * @param groups its new groups
   */
  default void regroup(String workload, Collection<String> groups) {
    apply(new Change.Regroup(workload, Set.copyOf(groups)));
  }

  /**
   * The present state of one declared domain.
   *
   * @param level its level
   * @param domain its name
   * @return its state
   */
  DomainState domain(String level, String domain);

  /**
   * The nodes that a workload fits now, averse ones included. The workload's name does not matter.
   *
   * @param workload a workload
   * @return the names of the nodes, in the order of nodes
   * @throws InvalidInputException if a quantity is out of range
   */
  List<String> fitting(Workload workload);

  /**
   * The verdict of every node on a workload now, and the node that it would be placed on. Changes
   * nothing. The workload's name does not matter.
   *
   * @param workload a workload
   * @return the explanation
   * @throws InvalidInputException if a quantity is out of range
   */
  Explanation explain(Workload workload);

  /**
   * The verdict of every node on one workload of a batch at its turn, if the batch were assigned
   * now. Changes nothing.
   *
   * @param index the index of the workload in the batch
   * @param batch the workloads
   * @return the explanation; for a strategy that places whole batches at once, the state is that at
   *     the end of the batch
   * @throws InvalidInputException if there is no such index, or as {@link #assign(List,
   *     AssignOption...)}
   */
  Explanation explain(int index, List<Workload> batch);

  /**
   * Why one workload of a batch is placed on its node, at its turn, and not on another, if the
   * batch were assigned now. Changes nothing.
   *
   * @param index the index of the workload in the batch
   * @param batch the workloads
   * @return the nodes that it fits, in the strategy's order, in the same state as for {@link
   *     #explain(int, List)}
   * @throws InvalidInputException as {@link #explain(int, List)}
   */
  default Choice choice(int index, List<Workload> batch) {
    throw new UnsupportedOperationException("this distributor does not tell its choices");
  }

  /**
   * Carries out changes in their order, all of them or none.
   *
   * @param changes the changes, in their order; each is checked in the state that the ones before
   *     it leave
   * @return the generation afterwards
   * @throws InvalidChangeException if one of them is invalid; it names that change, and nothing has
   *     changed
   */
  long apply(List<Change> changes);

  /**
   * Carries out changes given as arguments, in their order, all of them or none.
   *
   * @param changes the changes, in their order
   * @return the generation afterwards
   * @throws InvalidChangeException as {@link #apply(List)}
   */
  default long apply(Change... changes) {
    return apply(List.of(changes));
  }

  /**
   * Tries changes out: carries them out, runs a question on the changed fleet, and takes everything
   * back, including what the question has done. Nothing is copied. The cost is that of the changes
   * and of the question, and does not grow with the fleet.
   *
   * <p>The question gets a distributor of its own, with generations of its own. It may call every
   * method on it, {@code assign} and {@code apply} included, except {@link #onChange}. That
   * distributor is invalid once the question has returned. Other calls wait meanwhile. Listeners
   * are not notified.
   *
   * @param changes the changes, in their order; may be empty
   * @param question runs in the calling thread
   * @param <T> the type of its result
   * @return the result of the question
   * @throws InvalidChangeException if one of the changes is invalid
   */
  <T> T tryOut(List<Change> changes, Function<? super Distributor, ? extends T> question);

  /**
   * Searches for changes that reach a goal, and returns them as a plan. Changes nothing. The plan
   * depends only on the fleet, the goal and the limits, not on the strategy. If the thread is
   * interrupted, the search ends with the best plan found so far, and the thread stays interrupted.
   *
   * @param goal the goal
   * @param limits the limits of the plan
   * @return the plan; it has no changes if none helps
   * @throws InvalidInputException if the goal or the limits name a node or workload that does not
   *     exist, or a workload to be placed is invalid as for {@link #assign(List, AssignOption...)}
   */
  default Plan plan(PlanGoal goal, PlanLimits limits) {
    throw new UnsupportedOperationException("this distributor makes no plans");
  }

  /**
   * Carries out a plan, all of its changes or none.
   *
   * @param plan a plan for the present generation; for an outdated one see {@link Plan#changes}
   * @return the generation afterwards
   * @throws InvalidInputException if the plan was made for another generation; then nothing has
   *     changed
   * @throws InvalidChangeException as {@link #apply(List)}
   */
  default long apply(Plan plan) {
    throw new UnsupportedOperationException("this distributor makes no plans");
  }

  /**
   * Proven bounds of a batch on the present fleet, for any strategy. Changes nothing.
   *
   * @param batch the workloads
   * @return the bounds
   * @throws InvalidInputException as {@link #assign(List, AssignOption...)}
   */
  default Bounds bounds(List<Workload> batch) {
    throw new UnsupportedOperationException("this distributor knows no bounds");
  }

  /**
   * Compares the present fleet with a supposed one, with the batch placed in both. Changes nothing.
   * Cost: two placements and two passes over the whole fleet.
   *
   * @param batch the waiting workloads
   * @param supposed the suppositions, in their order; may be empty
   * @param placing whether placed workloads keep their nodes or the batch is decided afresh
   * @return both fleets, side by side
   * @throws InvalidInputException as {@link #assign(List, AssignOption...)}, or if a supposition is
   *     invalid; it names that supposition
   */
  default WhatIf whatIf(List<Workload> batch, List<Supposition> supposed, WhatIf.Placing placing) {
    throw new UnsupportedOperationException("this distributor does not answer what if");
  }

  /**
   * Which offered nodes to add so that a batch is placed at the lowest price. Changes nothing.
   *
   * @param batch the waiting workloads
   * @param offers the kinds of nodes, each name once
   * @param budget how many steps may be spent; a step is a workload placed or a node tried
   * @return the cheapest list found, and a lower bound of the price
   * @throws InvalidInputException as {@link #assign(List, AssignOption...)}, or if two offers share
   *     a name
   */
  default Sizing size(List<Workload> batch, List<Offer> offers, Budget budget) {
    throw new UnsupportedOperationException("this distributor does not size");
  }

  /**
   * How much more of a mix fits the present fleet. Changes nothing. {@link Headroom} describes when
   * the answer is exact.
   *
   * @param mix the workloads of one round, each name once
   * @return how many rounds fit, and why one more does not
   * @throws InvalidInputException if the mix is empty, or two of its workloads share a name
   */
  default Headroom headroom(List<Headroom.Part> mix) {
    throw new UnsupportedOperationException("this distributor does not know its headroom");
  }

  /**
   * What would make a workload fit the present fleet. Changes nothing. Each remedy has been tried
   * out. The workload's name does not matter, and its gang is ignored. Cost: an explanation, a
   * plan, and at most a few thousand trials.
   *
   * @param workload a workload that finds no node
   * @param protectedWorkloads names of placed workloads that no remedy moves or releases
   * @return the remedies; none if it fits now
   * @throws InvalidInputException if a quantity is out of range
   */
  default Remedies remedies(Workload workload, Set<String> protectedWorkloads) {
    throw new UnsupportedOperationException("this distributor knows no remedies");
  }

  /**
   * What refused workloads lack, grouped by the resources that they lack, and how much more of them
   * would place all of a group. Changes nothing. Cost: at most two explanations of each workload.
   *
   * @param refused workloads that find no node, whose names are not in use
   * @return a shortage for each set of resources, the one with the most workloads first
   * @throws InvalidInputException if a quantity is out of range, or a name is in use
   */
  default List<Shortage> shortages(List<Workload> refused) {
    throw new UnsupportedOperationException("this distributor knows no shortages");
  }

  /**
   * A number that grows with every call that changes something. Equal generations of one
   * distributor mean equal states. A copy starts with the generation of its original.
   *
   * @return 0 for a new distributor
   */
  long generation();

  /**
   * Subscribes a listener to all later calls that change something.
   *
   * <p>A listener is notified after the call has taken effect and outside of any lock, so it may
   * call the distributor. One thread at a time notifies all listeners, call by call, in the order
   * of generations. The thread of a call does this before the call returns. If another thread is
   * already notifying, that thread also reports this call. An exception of a listener is logged,
   * and affects neither the call nor other listeners.
   *
   * @param listener the listener
   * @return the subscription; closing it ends it
   */
  Subscription onChange(ChangeListener listener);

  /**
   * The present state of one node.
   *
   * @param node the name of a node
   * @return its state
   */
  NodeState node(String node);

  /**
   * The present state of the whole fleet.
   *
   * @return an immutable snapshot
   */
  Snapshot snapshot();

  /**
   * An independent distributor with an equal state, to try things out on.
   *
   * @return the copy
   */
  Distributor copy();
}
