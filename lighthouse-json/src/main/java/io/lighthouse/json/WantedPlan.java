package io.lighthouse.json;

import io.lighthouse.api.Change;
import java.util.List;

/**
 * A plan that is to be carried out. Immutable and thread-safe.
 *
 * @param generation that of the fleet that the plan was made for
 * @param changes the changes of all waves, in order: moves, and placements of new workloads
 */
public record WantedPlan(long generation, List<Change> changes) {
  /** Copies. */
  public WantedPlan {
    changes = List.copyOf(changes);
  }
}
