/**
 * The scheduling manager: a queue, offers and running work become launches.
 *
 * <p>Start at {@link io.lighthouse.scheduler.SchedulingManager}. A pass goes this way:
 *
 * <pre>
 * gather        what is known of nodes, offers, tasks, executions and job types, once
 *   |
 * waiting work  each node its own tasks; each running execution its next task.
 *   |           A node on which something waits takes nothing else
 * system tasks  on the best of the other nodes. If one waits, no new work is placed anywhere
 *   |
 * new work      the head of the queue, the most important first; what fits nowhere may keep one
 *   |           node free for the rest of the pass; then the store commits
 * offers        for each node those that cover what it accepted; all others are declined
 *   |
 * launch        one call a node
 * </pre>
 *
 * <p>{@link io.lighthouse.scheduler.SchedulingNode} is the ledger of one node for one pass, {@link
 * io.lighthouse.scheduler.SchedulingReport} what a pass did and did not do, and why. The manager
 * and the ledgers belong to one thread. Nothing here looks at a clock, logs, or depends on the
 * order of hashes: the same input gives the same pass.
 */
package io.lighthouse.scheduler;
