package io.lighthouse.scheduler.model;

import java.util.List;

/**
 * Something that a person should know. It is raised in each pass that finds it. Immutable.
 *
 * @param kind what is wrong
 * @param subject the name of the job type that it concerns; empty for the whole cluster
 * @param names the resources, workspaces or tasks that it is about, in the order of names
 */
public record Warning(Kind kind, String subject, List<String> names) {
  /** What is wrong. */
  public enum Kind {
    /** System tasks found no place; no new work is placed before them. */
    WAITING_SYSTEM_TASKS,
    /** The queue holds work of a type that the catalogue does not know. */
    UNKNOWN_JOB_TYPE,
    /** Work of a type asks for a resource that no node has. */
    UNKNOWN_RESOURCE,
    /** Work of a type asks for more than any node has. */
    TOO_LARGE
  }

  /** Copies. */
  public Warning {
    names = List.copyOf(names);
  }
}
