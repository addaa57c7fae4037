package io.lighthouse.scheduler.simulation;

import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.memory.InMemoryExecutions.Ended;
import java.time.Duration;

/** Receives what happens in a simulation, in order, as it happens. */
public interface SimulationListener {
  /**
   * An event of the trace has happened.
   *
   * @param event the event
   */
  default void happened(TraceEvent event) {}

  /**
   * An execution is over.
   *
   * @param at when
   * @param over the execution, and how it ended
   */
  default void ended(Duration at, Ended over) {}

  /**
   * A pass was made.
   *
   * @param at when
   * @param report all that was decided
   */
  default void passed(Duration at, SchedulingReport report) {}
}
