package io.lighthouse.api;

import java.util.List;

/** Receives the changes of a fleet, call by call, each after its call has taken effect. */
@FunctionalInterface
public interface ChangeListener {
  /**
   * Called after a call has changed the fleet permanently.
   *
   * <p>Carrying the changes out in this order on a fleet that was equal before makes it equal
   * again.
   *
   * @param generation the generation of the fleet after the call
   * @param changes the changes of the call, in the order in which they were made; unmodifiable,
   *     never empty
   */
  void changed(long generation, List<Change> changes);
}
