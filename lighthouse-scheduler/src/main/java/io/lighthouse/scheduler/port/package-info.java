/**
 * What the scheduling manager needs from outside, one interface each: the client of the cluster
 * manager, the book of capacities, the nodes, the queue, the store that commits, running
 * executions, tasks, system tasks, the catalogue, a filter of nodes, and where warnings and totals
 * go. What each promises stands in its Javadoc; {@link
 * io.lighthouse.scheduler.contract.PortContract} checks it.
 *
 * <p>A port may throw anything, also a checked exception that it does not declare. What the manager
 * makes of it depends on the step of the pass: before anything has changed, the pass ends with a
 * {@link io.lighthouse.scheduler.port.PortException} that names the port; a failing queue or store
 * undoes the new work of the pass; a failing launch or decline concerns its own offers only. Null
 * where an answer is due is a failure as well. An {@link java.lang.Error} is treated like an
 * exception, and thrown when the pass is over and its books are in order. Every port may be asked
 * by the scheduling thread while other threads change what stands behind it.
 */
package io.lighthouse.scheduler.port;
