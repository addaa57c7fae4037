/**
 * An adapter in memory for every port: for tests, for simulations, and for programs that need no
 * store of their own. All are thread-safe, and bounded: what exceeds a bound is refused, never
 * dropped silently.
 *
 * <p>{@link io.lighthouse.scheduler.memory.InMemoryPorts} ties them together: an update of a task's
 * status, told to {@link io.lighthouse.scheduler.memory.InMemoryTasks}, reaches the execution, the
 * node or the system tasks that it belongs to. Of capacity there are two books: {@link
 * io.lighthouse.scheduler.memory.OfferBook} for cluster managers that make offers, {@link
 * io.lighthouse.scheduler.memory.FullVisibilityBook} for those that say what each node has.
 */
package io.lighthouse.scheduler.memory;
