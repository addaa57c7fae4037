/**
 * The scheduling manager: a queue, offers and running work become launches.
 *
 * <p>Start at {@link io.lighthouse.scheduler.SchedulingManager}. A pass goes this way:
 *
 * <ol>
 *   <li>Gather: what is known of nodes, offers, tasks, executions and job types, once.
 *   <li>Waiting work: each node takes its own tasks, and each running execution its next task. A
 *       node on which something waits takes nothing else.
 *   <li>System tasks go to the best of the other nodes. If one waits, no new work is placed
 *       anywhere.
 *   <li>New work: the head of the queue, the most important first. An entry that fits nowhere may
 *       keep one node free for the rest of the pass. Then the store commits.
 *   <li>Offers: each node gets those that cover what it accepted. All others are declined.
 *   <li>Launch: one call for each node.
 * </ol>
 *
 * <p>{@link io.lighthouse.scheduler.SchedulingNode} is the ledger of one node for one pass, {@link
 * io.lighthouse.scheduler.SchedulingReport} what a pass did and did not do, and why. The manager
 * and the ledgers belong to one thread. Nothing here looks at a clock, logs, or depends on the
 * order of hashes: the same input gives the same pass.
 */
package io.lighthouse.scheduler;
