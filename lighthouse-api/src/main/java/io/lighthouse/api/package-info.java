/**
 * The nouns of placement, the distributor, and its answers.
 *
 * <p>A {@link io.lighthouse.api.Node} offers named quantities, a {@link io.lighthouse.api.Workload}
 * requires them. A {@link io.lighthouse.api.Distributor} holds a fleet of nodes and says which
 * workload goes where ({@link io.lighthouse.api.Assignments}) and why not where it cannot ({@link
 * io.lighthouse.api.Refusal}, {@link io.lighthouse.api.Explanation}).
 *
 * <p>Everything here but the distributor is an immutable value, safe to share between threads.
 * Nothing takes or returns null unless it says so. Three things can go wrong, and they look
 * different: a caller's mistake is an {@link io.lighthouse.api.InvalidInputException} and changes
 * nothing; "no room" is an answer; a broken strategy or ledger is a {@link
 * io.lighthouse.api.LighthouseException}.
 */
package io.lighthouse.api;
