package io.lighthouse.cli.simulate;

import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.simulation.Trace;

/**
 * A file of a trace.
 *
 * @param trace what happens
 * @param policy what the manager is told
 */
public record Simulated(Trace trace, SchedulingPolicy policy) {}
