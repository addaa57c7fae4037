/**
 * The scheduling manager and its passes: a queue, offers and running work become launches.
 *
 * <p>Start at {@link io.lighthouse.scheduler.manager.SchedulingManager}; nothing else here is
 * public. A pass goes this way:
 *
 * <ol>
 *   <li>Gather: what is known of nodes, offers, tasks, executions and job types, once ({@code
 *       Pass}).
 *   <li>Waiting work: each node takes its own tasks, and each running execution its next task. A
 *       node on which something waits takes nothing else ({@code RunningStep}).
 *   <li>System tasks are placed on the best of the other nodes. If one waits, no new work is placed
 *       anywhere.
 *   <li>New work: the head of the queue, the most important first. An entry that fits nowhere may
 *       keep one node free for the rest of the pass ({@code QueueWalk}). Then the store commits
 *       ({@code NewWorkStep}).
 *   <li>Offers: each node gets those that cover what it accepted. All others are declined.
 *   <li>Launch: one call for each node ({@code LaunchStep}).
 * </ol>
 *
 * <p>{@code Guard} calls every port, so that a failure names the port and its method. The manager
 * and the ledgers belong to one thread. Nothing here reads a clock, logs, or depends on the order
 * of hashes: the same input gives the same pass.
 */
package io.lighthouse.scheduler.manager;
