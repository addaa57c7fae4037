/**
 * A scheduler in a virtual cluster and virtual time: what would have happened to a {@link
 * io.lighthouse.scheduler.simulation.Trace} of arrivals and nodes under a policy.
 *
 * <p>Start at {@link io.lighthouse.scheduler.simulation.Simulation}. It runs the very manager, on
 * the adapters in memory; nothing waits, and no clock or random number is asked. The same trace and
 * policy give the same passes.
 */
package io.lighthouse.scheduler.simulation;
