package io.lighthouse.api;

import java.util.List;

/** Follows a fleet: it is told of what every call has changed, after the call. */
@FunctionalInterface
public interface ChangeListener {
  /**
   * A call has changed the fleet, for good.
   *
   * <p>Carrying the changes out in this order on a fleet that was equal before makes it equal
   * again.
   *
   * @param generation the generation of the fleet after the call
   * @param changes what it did, in the order in which it was done; unmodifiable, never empty
   */
  void changed(long generation, List<Change> changes);
}
