package io.lighthouse.api;

import io.lighthouse.api.advice.Advisor;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.strategy.StrategyDescription;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 * <p><b>Errors.</b> Any call that runs the strategy may also throw {@link StrategyException}, and
 * one that evaluates a rule of a plug-in {@link io.lighthouse.api.rule.RuleException}. If its
 * thread is interrupted, such a call soon ends with a {@link
 * java.util.concurrent.CancellationException}, and the thread stays interrupted. In each case the
 * state is as before the call.
 *
 * <p>If the stack or the memory is exhausted in the middle of a change, the next call counts the
 * accounts again. Such a change may have taken effect. Where they are wrong, that call and all
 * later ones throw an {@link io.lighthouse.api.error.InternalErrorException}.
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
   * The present state of one declared domain.
   *
   * @param level its level
   * @param domain its name
   * @return its state
   */
  DomainState domain(String level, String domain);

  /**
   * The nodes that a workload fits now, averse ones included. Its name may be that of a placed
   * workload, and matters only to rules of plug-ins that go by names. Its gang is ignored: that is
   * a matter of a batch, which {@link #explain(Workload)} obeys.
   *
   * @param workload a workload
   * @return the names of the nodes, in the order of nodes
   * @throws InvalidInputException if a quantity is out of range
   */
  List<String> fitting(Workload workload);

  /**
   * The verdict of every node on a workload now, and the node that it would be placed on. Changes
   * nothing. The workload's name may be that of a placed one. It matters only to strategies and
   * rules of plug-ins that go by names; they may get another name than the given one if that is in
   * use.
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
   * Carries out changes that were made for a certain generation, such as those of a plan: all of
   * them or none, and none if the fleet has changed since.
   *
   * @param generation the generation that the fleet must have
   * @param changes the changes, in their order
   * @return the generation afterwards
   * @throws InvalidInputException if the fleet has another generation; then nothing has changed
   * @throws InvalidChangeException as {@link #apply(List)}
   */
  long apply(long generation, List<Change> changes);

  /**
   * Answers questions about this fleet that need a search: what if, remedies, plans, sizes.
   *
   * @return the advisor of this distributor; always shows its present state
   */
  default Advisor advisor() {
    throw new UnsupportedOperationException("this distributor gives no advice");
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
