package io.lighthouse.scheduler.port;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.model.Warning;
import java.time.Instant;

/**
 * Where the manager says what others may want to know. Nothing depends on it: what it throws is
 * reported, and the pass goes on.
 */
public interface SchedulingEvents {
  /**
   * How large the cluster is. At the start of each pass that knows of any resource.
   *
   * @param total the sum over all agents
   * @param when the time
   */
  void clusterTotal(Resources total, Instant when);

  /**
   * Something that a person should know. Raised once a pass as long as it lasts. It replaces the
   * earlier warning of its subject.
   *
   * @param warning what
   * @param when the time
   */
  void raise(Warning warning, Instant when);

  /**
   * The last warning of a job type is over: the type is known now, or none of its work that waits
   * lacks anything.
   *
   * @param jobType the name of the type
   */
  void clear(String jobType);
}
