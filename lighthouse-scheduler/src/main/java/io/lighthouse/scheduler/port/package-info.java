/**
 * What the scheduling manager needs from outside, one interface each. There are the client of the
 * cluster manager, the book of capacities, the nodes, the queue and the store that commits; running
 * executions, tasks and system tasks; the catalogue, a filter of nodes, and where warnings and
 * totals go. The Javadoc of each states what it promises; {@link
 * io.lighthouse.scheduler.contract.PortContract} checks it.
 *
 * <p>A port may throw anything, also a checked exception that it does not declare. Null where an
 * answer is due is a failure as well. What the manager makes of a failure depends on the step of
 * the pass:
 *
 * <ul>
 *   <li>before anything has changed, the pass ends with a {@link
 *       io.lighthouse.scheduler.port.PortException} that names the port;
 *   <li>a failing queue or store undoes the new work of the pass;
 *   <li>a failing launch or decline concerns its own offers only.
 * </ul>
 *
 * <p>An {@link java.lang.Error} is treated like an exception, and thrown when the pass is over and
 * its books are in order.
 *
 * <p>The scheduling thread may call every port while other threads change what is behind it.
 */
package io.lighthouse.scheduler.port;
