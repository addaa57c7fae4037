/**
 * An adapter in memory for every port: for tests, for simulations, and for programs that need no
 * store of their own. All are thread-safe, and bounded: a full queue or book of offers refuses what
 * comes; of ended executions and of warnings the latest are kept.
 *
 * <p>{@link io.lighthouse.scheduler.memory.InMemoryPorts} ties them together: an update of a task's
 * status, reported to {@link io.lighthouse.scheduler.memory.InMemoryTasks}, reaches the execution,
 * the node or the system tasks that it belongs to. Of capacity there are two books: {@link
 * io.lighthouse.scheduler.memory.OfferBook} for cluster managers that make offers, {@link
 * io.lighthouse.scheduler.memory.FullVisibilityBook} for those that say what each node has.
 */
package io.lighthouse.scheduler.memory;
