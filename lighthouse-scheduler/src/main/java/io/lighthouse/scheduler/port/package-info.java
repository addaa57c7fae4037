/**
 * What the scheduling manager needs from outside, one interface each. Some lead to the cluster: the
 * client of the cluster manager, the book of capacities, and the nodes. Some hold work: the queue,
 * the store that commits, running executions, tasks and system tasks. The others are the catalogue,
 * a filter of nodes, and a receiver of warnings and totals. The Javadoc of each states what it
 * promises; {@link io.lighthouse.scheduler.contract.PortContract} checks it.
 *
 * <p>A port may throw anything, also a checked exception that it does not declare. Null where an
 * answer is due is a failure as well. The effect of a failure depends on the step of the pass:
 *
 * <ul>
 *   <li>Before anything has changed, the pass ends with a {@link
 *       io.lighthouse.scheduler.port.PortException} that names the port.
 *   <li>A failing queue or store undoes the new work of the pass.
 *   <li>A failing launch or decline concerns its own offers only.
 * </ul>
 *
 * <p>An {@link java.lang.Error} is treated like an exception, and thrown when the pass is over and
 * its books are in order.
 *
 * <p>The scheduling thread may call every port while other threads change what is behind it.
 */
package io.lighthouse.scheduler.port;
