package io.lighthouse.scheduler.model;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import java.time.Instant;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Work that waits in the queue: Scale's queued job execution. Immutable; placing it makes a {@link
 * Placement}.
 *
 * @param id unique among all executions, for good
 * @param jobType the name of its job type
 * @param priority how important it is: the <em>lower</em> the number, the more important
 * @param queued when it came into the queue
 * @param request what it needs, from its first task to its last; quantities from 0 to 1e900,
 *     rounded up to nine digits after the point
 * @param workspaces what it reads from and writes to, by name
 * @param cancelled whether it was cancelled
 */
public record PendingExecution(
    String id,
    String jobType,
    int priority,
    Instant queued,
    Resources request,
    Set<String> workspaces,
    boolean cancelled) {

  /**
   * Checks and copies.
   *
   * @throws InvalidInputException if a name is empty or ill-formed, or a quantity is negative or
   *     above 1e900
   */
  public PendingExecution {
    Names.require(id, "execution", "id");
    String subject = "execution '" + id + "'";
    Names.require(jobType, subject, "jobType");
    Objects.requireNonNull(queued, "queued");
    request = ResourceVectors.request(request, subject);
    workspaces = sorted(workspaces, subject);
  }

  /**
   * Work without workspaces that is wanted.
   *
   * @param id its id
   * @param jobType the name of its job type
   * @param priority the lower, the more important
   * @param queued when it came into the queue
   * @param request what it needs
   * @return the execution
   * @throws InvalidInputException as the constructor
   */
  public static PendingExecution of(
      String id, String jobType, int priority, Instant queued, Resources request) {
    return new PendingExecution(id, jobType, priority, queued, request, Set.of(), false);
  }

  /**
   * The same, cancelled.
   *
   * @return a new value
   */
  public PendingExecution asCancelled() {
    return new PendingExecution(id, jobType, priority, queued, request, workspaces, true);
  }

  private static Set<String> sorted(Set<String> names, String subject) {
    if (names.isEmpty()) {
      return Set.of();
    }
    TreeSet<String> sorted = new TreeSet<>(Names.order());
    for (String name : names) {
      sorted.add(Names.require(name, subject, "workspaces"));
    }
    return Collections.unmodifiableSet(sorted);
  }
}
