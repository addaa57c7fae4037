package io.lighthouse.scheduler.memory;

/** The state of a node: the first whose condition holds. */
public enum NodeStatus {
  /** Deactivated for good: it takes nothing. */
  DEPRECATED,
  /** Not connected: it takes nothing. */
  OFFLINE,
  /** Paused by a person: what runs goes on, nothing new starts. */
  PAUSED,
  /** The whole scheduler is paused: what runs goes on, nothing new starts. */
  SCHEDULER_STOPPED,
  /** It has an error: what runs goes on, nothing new starts. */
  DEGRADED,
  /** Its first clean-up is not done: it takes only its own tasks. */
  INITIAL_CLEANUP,
  /** The base image is missing: it takes only its own tasks. */
  IMAGE_PULL,
  /** It takes everything. */
  READY
}
