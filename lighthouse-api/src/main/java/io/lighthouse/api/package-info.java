/**
 * The nouns of placement, the distributor, and its answers.
 *
 * <p>A {@link io.lighthouse.api.Node} offers named quantities, a {@link io.lighthouse.api.Workload}
 * requires them. A {@link io.lighthouse.api.Distributor} holds a fleet of nodes and assigns
 * workloads to them ({@link io.lighthouse.api.Assignments}). For a workload that fits no node it
 * gives the reasons ({@link io.lighthouse.api.Refusal}, {@link io.lighthouse.api.Explanation}).
 *
 * <p>All types here are immutable values, safe to share between threads, except the distributor,
 * its listeners and their subscriptions. No parameter and no result is null unless its
 * documentation allows it. A null that it does not allow throws a {@link NullPointerException}, or
 * where maps and texts are read an {@link io.lighthouse.api.error.InvalidInputException}. Then
 * nothing has changed. The constructors of answers, such as {@link io.lighthouse.api.Refusal}, do
 * not check all components: distributors call them.
 *
 * <p>Three kinds of failure are kept apart:
 *
 * <ul>
 *   <li>A caller's mistake throws an {@link io.lighthouse.api.error.InvalidInputException} and
 *       changes nothing.
 *   <li>"No room" is an answer, not an exception.
 *   <li>A broken strategy, rule or ledger throws a {@link
 *       io.lighthouse.api.error.LighthouseException}.
 * </ul>
 *
 * <p>Packages below: {@link io.lighthouse.api.quantity} (numbers and units) and {@link
 * io.lighthouse.api.error} (exceptions). Above: {@link io.lighthouse.api.advice} (questions that
 * search), {@link io.lighthouse.api.strategy} and {@link io.lighthouse.api.rule} (what plug-ins
 * implement).
 */
package io.lighthouse.api;
