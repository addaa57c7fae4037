package io.lighthouse.scheduler.port;

import io.lighthouse.scheduler.model.JobType;
import java.util.List;
import java.util.Set;

/**
 * The job types and workspaces that are known.
 *
 * <p>Promised: each name once. What changes here takes effect in the next pass.
 */
public interface Catalogue {
  /**
   * All job types, paused ones too.
   *
   * @return the types, in any order, each name once
   */
  List<JobType> jobTypes();

  /**
   * The workspaces that executions can read from and write to.
   *
   * @return their names
   */
  Set<String> workspaces();
}
