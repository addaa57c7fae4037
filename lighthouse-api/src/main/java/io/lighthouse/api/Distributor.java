package io.lighthouse.api;

import io.lighthouse.api.strategy.StrategyDescription;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A fleet of nodes with one strategy, which says which workload goes where, and remembers.
 *
 * <p><b>Assumes</b> nothing of its caller: wrong input is refused with an {@link
 * InvalidInputException} before anything changes. <b>Guarantees</b>, whatever the strategy does: a
 * workload is placed only on a node that it fits; on an averse node only where no friendly one
 * fits; for every node and resource, at every moment, the capacity is exactly what is left plus the
 * requirements placed there. What names a node, domain or workload that is not there is wrong.
 *
 * <p>A workload fits a node if and only if the node is not cordoned, has every resource that the
 * workload requires, and no resource of the node, but those the workload is immune to, would be
 * left below zero.
 *
 * <p><b>Quantities</b> are exact decimals with at most nine digits after the point; finer ones are
 * rounded on entry, requirements up, quantities of nodes down. For each resource name, with s the
 * finest number of digits in use, the largest magnitude on a node plus the magnitudes of all
 * requirements placed or in the batch must stay below 2^62 / 10^s.
 *
 * <p><b>Changes.</b> Whatever changes a fleet is a {@link Change}: the calls below are short forms
 * of some, and {@link #apply}, {@link #tryOut} and {@link #onChange} take and tell them as values.
 *
 * <p><b>Threads.</b> Calls may come from several threads and take effect one after another. Answers
 * are immutable. Calling a distributor from inside its own strategy is an error. A thread that is
 * interrupted while it waits for its turn ends with a {@link
 * java.util.concurrent.CancellationException} and has changed nothing.
 *
 * <p><b>Errors.</b> Beside {@link InvalidInputException}, any call that runs the strategy may throw
 * {@link StrategyException}; the state is then as before the call. Such a call ends on an
 * interrupted thread, soon, with a {@link java.util.concurrent.CancellationException}: the state is
 * then as before, too, and the thread stays interrupted.
 */
public interface Distributor {
  /**
   * The strategy that chooses among the nodes that fit.
   *
   * @return its name and what it says of itself
   */
  StrategyDescription strategy();

  /**
   * The rubric of the problem, which a strategy may use.
   *
   * @return the rubric, or nothing where none was given
   */
  Optional<Rubric> rubric();

  /**
   * The settings of the strategy as given, without those left at their default.
   *
   * @return an unmodifiable map, in the order of names
   */
  Map<String, String> settings();

  /**
   * Assigns a batch.
   *
   * @param batch the workloads; the order counts
   * @param options what is asked beyond the ordinary
   * @return for every workload its node or none, in the order given
   * @throws InvalidInputException if two workloads share a name, a name is placed already, or a
   *     quantity is out of range
   */
  Assignments assign(List<Workload> batch, AssignOption... options);

  /**
   * Assigns a batch, with a limit to what a strategy that searches may spend on it. When that is
   * over, what the strategy has found so far is the answer; what it had not placed by then is
   * placed where it fits, first fit. A strategy that chooses for one workload at a time needs no
   * budget.
   *
   * @param batch the workloads; the order counts
   * @param budget how much may be spent
   * @param options what is asked beyond the ordinary
   * @return for every workload its node or none, in the order given
   * @throws InvalidInputException as {@link #assign(List, AssignOption...)}
   */
  Assignments assign(List<Workload> batch, Budget budget, AssignOption... options);

  /**
   * Assigns a batch of a few.
   *
   * @param batch the workloads; the order counts
   * @return for every workload its node or none, in the order given
   * @throws InvalidInputException as {@link #assign(List, AssignOption...)}
   */
  default Assignments assign(Workload... batch) {
    return assign(List.of(batch));
  }

  /**
   * Assigns a batch all or nothing; those that found no node come with their reasons.
   *
   * @param batch the workloads; the order counts
   * @return a node for every workload, or for none
   * @throws InvalidInputException as {@link #assign(List, AssignOption...)}
   */
  default Assignments assignAllOrNothing(List<Workload> batch) {
    return assign(batch, AssignOption.ALL_OR_NOTHING, AssignOption.EXPLAIN);
  }

  /**
   * Releases workloads, all or none of them. It always succeeds for what is placed, even where a
   * quantity falls below zero: what is placed stays, and the negative keeps newcomers off.
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
   * @return the released workloads, in the order in which they came; empty where it holds none
   */
  List<Workload> releaseNode(String node);

  /**
   * Releases everything.
   *
   * @return the released workloads, node by node, in the order in which they came
   */
  List<Workload> releaseAll();

  /**
   * Adds a node behind the last.
   *
   * @param node the node, with the workloads it brings along
   * @throws InvalidInputException if its name is taken, a workload it brings along is placed
   *     already, or a quantity is out of range
   */
  void addNode(Node node);

  /**
   * Removes an empty node. A round-robin position on it passes to the node before it.
   *
   * @param node the name of a node
   * @throws InvalidInputException if there is no such node, or it is not empty
   */
  void removeNode(String node);

  /**
   * Gives a node another capacity. What is left changes by the difference and may fall below zero;
   * what is placed stays.
   *
   * @param node the name of a node
   * @param capacity what it has when empty, from now on; it must name every resource that a
   *     workload placed there requires
   * @throws InvalidInputException if there is no such node, a resource in use is missing, or a
   *     quantity is out of range
   */
  void resize(String node, Resources capacity);

  /**
   * Cordons a node: it takes nobody new. What is placed stays. Doing it twice changes nothing.
   *
   * @param node the name of a node
   */
  void cordon(String node);

  /**
   * Opens a cordoned node again. Doing it twice changes nothing.
   *
   * @param node the name of a node
   */
  void uncordon(String node);

  /**
   * The rules at the top of the problem: each stands, as it were, at the end of the rules of every
   * workload that is a member of its group, a plug-in's of every workload.
   *
   * @return the rules, in the order given; unmodifiable
   */
  List<Rule> rules();

  /**
   * Gives a domain an account. What the workloads on its nodes share of its level is on it, so what
   * is left of it may be below 0.
   *
   * @param domain the domain; its resources are its capacity
   * @throws InvalidInputException if it is declared already, something placed shares a resource
   *     that it does not have, or a quantity is out of range
   */
  default void declare(Domain domain) {
    apply(new Change.Declare(domain));
  }

  /**
   * Takes a domain's account away. Nodes go on naming it.
   *
   * @param level its level
   * @param domain its name
   * @throws InvalidInputException if it is not declared, or something placed shares its resources
   */
  default void undeclare(String level, String domain) {
    apply(new Change.Undeclare(level, domain));
  }

  /**
   * Gives a declared domain another capacity. What is left changes by the difference; what is
   * placed stays.
   *
   * @param level its level
   * @param domain its name
   * @param capacity what it has when nothing is placed, from now on
   * @throws InvalidInputException if it is not declared, a resource in use is missing, or a
   *     quantity is out of range
   */
  default void resize(String level, String domain, Resources capacity) {
    apply(new Change.ResizeDomain(level, domain, capacity));
  }

  /**
   * Cordons a declared domain: its nodes take nobody new. Doing it twice changes nothing.
   *
   * @param level its level
   * @param domain its name
   */
  default void cordon(String level, String domain) {
    apply(new Change.CordonDomain(level, domain, true));
  }

  /**
   * Opens a cordoned domain again. Doing it twice changes nothing.
   *
   * @param level its level
   * @param domain its name
   */
  default void uncordon(String level, String domain) {
    apply(new Change.CordonDomain(level, domain, false));
  }

  /**
   * Makes a placed workload a member of other groups. It stays where it is, even over a bound.
   *
   * @param workload its name
   * @param groups the groups
   */
  default void regroup(String workload, Collection<String> groups) {
    apply(new Change.Regroup(workload, Set.copyOf(groups)));
  }

  /**
   * One declared domain as it is now.
   *
   * @param level its level
   * @param domain its name
   * @return its state
   */
  DomainState domain(String level, String domain);

  /**
   * The nodes that a workload fits now, averse ones included. Its name does not matter.
   *
   * @param workload a workload
   * @return the names of the nodes, in the order of nodes
   * @throws InvalidInputException if a quantity is out of range
   */
  List<String> fitting(Workload workload);

  /**
   * What every node says to a workload now, and where it would go. Changes nothing; the name of the
   * workload does not matter.
   *
   * @param workload a workload
   * @return the explanation
   * @throws InvalidInputException if a quantity is out of range
   */
  Explanation explain(Workload workload);

  /**
   * What every node says to one workload of a batch at its turn, if the batch were assigned now.
   * Changes nothing.
   *
   * @param index the index of the workload in the batch
   * @param batch the workloads
   * @return the explanation; for a strategy that places whole batches at once, at the end of the
   *     batch
   * @throws InvalidInputException if there is no such index, or as {@code assign}
   */
  Explanation explain(int index, List<Workload> batch);

  /**
   * Why one workload of a batch goes to its node, at its turn, and not to another. Changes nothing.
   *
   * @param index the index of the workload in the batch
   * @param batch the workloads
   * @return the nodes that it fits, in the strategy's order; as {@link #explain(int, List)}
   */
  default Choice choice(int index, List<Workload> batch) {
    throw new UnsupportedOperationException("this distributor does not tell its choices");
  }

  /**
   * Carries out changes, one after the other: all of them, or none.
   *
   * @param changes the changes, in their order; each is checked in the state that those before it
   *     leave
   * @return the generation afterwards
   * @throws InvalidChangeException if one of them does not go, which it names; then nothing has
   *     changed
   */
  long apply(List<Change> changes);

  /**
   * Carries out a few changes, one after the other: all of them, or none.
   *
   * @param changes the changes, in their order
   * @return the generation afterwards
   * @throws InvalidChangeException as {@link #apply(List)}
   */
  default long apply(Change... changes) {
    return apply(List.of(changes));
  }

  /**
   * Tries changes out: carries them out, asks a question of the fleet as it is then, and takes
   * everything back, whatever the question has done. Nothing is copied: the cost is that of the
   * changes and of the question, and does not grow with the fleet.
   *
   * <p>The question may call everything on the distributor that it is handed, assign and apply
   * included, but {@link #onChange}; it is a fleet of its own, with generations of its own, and is
   * gone when the question has answered. Other calls wait meanwhile. Listeners hear nothing.
   *
   * @param changes the changes, in their order; may be empty
   * @param question what is asked; runs in the calling thread
   * @param <T> what it answers
   * @return what the question answered
   * @throws InvalidChangeException if one of the changes does not go
   */
  <T> T tryOut(List<Change> changes, Function<? super Distributor, ? extends T> question);

  /**
   * Looks for changes that reach a goal, and makes a plan of them. Changes nothing. It depends on
   * the fleet, the goal and the limits alone, not on the strategy. A search whose thread is
   * interrupted meanwhile ends with the plan that it has by then; the flag stays set.
   *
   * @param goal what is to be reached
   * @param limits what the plan may do
   * @return the plan; without changes where none helps
   * @throws InvalidInputException if the goal or the limits name what is not there, or a workload
   *     to be placed is refused as by {@link #assign(List, AssignOption...)}
   */
  default Plan plan(PlanGoal goal, PlanLimits limits) {
    throw new UnsupportedOperationException("this distributor makes no plans");
  }

  /**
   * Carries out a plan, all of it or nothing.
   *
   * @param plan a plan for the present generation; for an older one see {@link Plan#changes}
   * @return the generation afterwards
   * @throws InvalidInputException if the plan is for another generation; then nothing has changed
   * @throws InvalidChangeException as {@link #apply(List)}
   */
  default long apply(Plan plan) {
    throw new UnsupportedOperationException("this distributor makes no plans");
  }

  /**
   * What is proven of a batch on the fleet as it is, whatever the strategy. Changes nothing.
   *
   * @param batch the workloads
   * @return the bounds
   * @throws InvalidInputException as {@link #assign(List, AssignOption...)}
   */
  default Bounds bounds(List<Workload> batch) {
    throw new UnsupportedOperationException("this distributor knows no bounds");
  }

  /**
   * What would be if some things of the fleet were otherwise, side by side with what is, the batch
   * placed in both. Changes nothing. Cost: two placements, and two looks at the whole fleet.
   *
   * @param batch the workloads that wait
   * @param supposed what is supposed, one after the other; may be empty
   * @param placing whether the fleet goes on or the batch is decided anew
   * @return the two side by side
   * @throws InvalidInputException as {@link #assign(List, AssignOption...)}; or if one of the
   *     supposed does not go, which it names
   */
  default WhatIf whatIf(List<Workload> batch, List<Supposition> supposed, WhatIf.Placing placing) {
    throw new UnsupportedOperationException("this distributor does not answer what if");
  }

  /**
   * Which offered nodes to add, so that a batch is placed at the lowest price. Changes nothing.
   *
   * @param batch the workloads that wait
   * @param offers the kinds of nodes, each name once
   * @param budget how many steps may be spent; each is a workload that is placed or a node tried
   * @return the cheapest list that was found, and the bound
   * @throws InvalidInputException as {@link #assign(List, AssignOption...)}, or two of a name
   */
  default Sizing size(List<Workload> batch, List<Offer> offers, Budget budget) {
    throw new UnsupportedOperationException("this distributor does not size");
  }

  /**
   * How much more of a mix fits, as the fleet is now. Changes nothing. Exact for one plain shape.
   *
   * @param mix the workloads of one round, each name once
   * @return how many rounds fit, and what stands against one more
   * @throws InvalidInputException if the mix is empty, or two of it share a name
   */
  default Headroom headroom(List<Headroom.Part> mix) {
    throw new UnsupportedOperationException("this distributor does not know its headroom");
  }

  /**
   * What would make a workload fit, as the fleet is now. Changes nothing. Each remedy has been
   * tried out. Its name does not matter, and a gang it is in is left out. The cost is that of an
   * explanation, of a plan, and of some thousand trials at most.
   *
   * @param workload a workload that finds no node
   * @param protectedWorkloads names of placed workloads that no remedy moves or releases
   * @return the remedies; none where it fits now
   * @throws InvalidInputException if a quantity is out of range
   */
  default Remedies remedies(Workload workload, Set<String> protectedWorkloads) {
    throw new UnsupportedOperationException("this distributor knows no remedies");
  }

  /**
   * What refused workloads lack, grouped: how many lack the same, and how much more of it would
   * place them all. Changes nothing. Cost: up to two explanations of each workload.
   *
   * @param refused workloads that find no node, whose names are not in use
   * @return a shortage for each set of resources, the one with the most workloads first
   * @throws InvalidInputException if a quantity is out of range, or a name is in use
   */
  default List<Shortage> shortages(List<Workload> refused) {
    throw new UnsupportedOperationException("this distributor knows no shortages");
  }

  /**
   * A number that grows with every call that has changed something. Equal generations of one
   * distributor mean equal states. A copy begins with that of its original.
   *
   * @return 0 when the distributor is made
   */
  long generation();

  /**
   * Subscribes a listener, which is told of every call that changes something from now on.
   *
   * <p>It is told after the call has taken effect and outside of any lock, so it may call the
   * distributor. All listeners are told by one thread at a time, of one call after the other, in
   * the order of generations; each call's own thread does that before the call returns, unless
   * another thread is telling just then, which then tells of this call, too. What a listener throws
   * is logged and harms neither the call nor other listeners.
   *
   * @param listener the listener
   * @return what ends the subscription
   */
  Subscription onChange(ChangeListener listener);

  /**
   * One node as it is now.
   *
   * @param node the name of a node
   * @return its state
   */
  NodeState node(String node);

  /**
   * The whole state as it is now.
   *
   * @return an immutable snapshot
   */
  Snapshot snapshot();

  /**
   * An independent distributor with an equal state, on which to try things out.
   *
   * @return the copy
   */
  Distributor copy();
}
