package io.lighthouse.fleets;

/** Receives the events of the fleets, to count them. Thread-safe; must not block. */
public interface FleetObserver {
  /** Ignores all events. */
  FleetObserver NONE = new FleetObserver() {};

  /**
   * A turn is over, and what it did is durable.
   *
   * @param commands how many commands it took
   * @param entries how many entries it wrote
   * @param deciding the nanoseconds it took to decide
   * @param committing the nanoseconds it took to make that durable
   */
  default void turn(int commands, int entries, long deciding, long committing) {}

  /** A call was repeated, and got the earlier answer. */
  default void replayed() {}

  /** A command was refused because of the fleet's present state. */
  default void conflict() {}

  /** The store failed, or a snapshot was not written. */
  default void storeFailed() {}

  /**
   * A fleet was recovered from the store.
   *
   * @param entries how many entries were carried out
   * @param nanos how long it took
   */
  default void recovered(int entries, long nanos) {}

  /**
   * Entries that another process wrote were carried out on a fleet.
   *
   * @param entries how many entries were carried out
   */
  default void caughtUp(int entries) {}

  /** The store has lost durable entries; a fleet went back to what the store still has. */
  default void rewound() {}

  /** A snapshot was written. */
  default void saved() {}
}
