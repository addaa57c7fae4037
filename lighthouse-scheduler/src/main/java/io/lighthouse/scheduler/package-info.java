/**
 * What a user gives to the scheduling manager and gets from it. These are its ports, its policy,
 * the report of a pass, and the ledger of one node.
 *
 * <p>Start at {@link io.lighthouse.scheduler.manager.SchedulingManager}, which makes the passes. It
 * takes {@link io.lighthouse.scheduler.SchedulingPorts} and a {@link
 * io.lighthouse.scheduler.SchedulingPolicy}. {@link io.lighthouse.scheduler.SchedulingReport} is
 * what a pass did and did not do, and why. {@link io.lighthouse.scheduler.SchedulingNode} is the
 * ledger of one node for one pass.
 *
 * <p>Nothing here looks at a clock, logs, or depends on the order of hashes.
 */
package io.lighthouse.scheduler;
