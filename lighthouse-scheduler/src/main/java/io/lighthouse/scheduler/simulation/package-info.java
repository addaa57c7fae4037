/**
 * A scheduler in a virtual cluster and virtual time: what would have happened to a {@link
 * io.lighthouse.scheduler.simulation.Trace} of arrivals and nodes under a policy.
 *
 * <p>Start at {@link io.lighthouse.scheduler.simulation.Simulation}. It runs the real manager on
 * the adapters in memory. Nothing waits, and no clock or random number is used. The same trace and
 * policy give the same passes.
 */
package io.lighthouse.scheduler.simulation;
