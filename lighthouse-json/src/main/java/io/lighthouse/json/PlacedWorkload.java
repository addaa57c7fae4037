package io.lighthouse.json;

import io.lighthouse.api.Workload;
import java.util.Objects;
import java.util.Optional;

/**
 * A workload that is to be in a fleet, and on which node where that is said. Immutable and
 * thread-safe.
 *
 * @param workload the workload
 * @param node the name of the node that it is to come to; nothing where the fleet's strategy
 *     chooses
 */
public record PlacedWorkload(Workload workload, Optional<String> node) {
  /** Checks. */
  public PlacedWorkload {
    Objects.requireNonNull(workload, "workload");
    Objects.requireNonNull(node, "node");
  }
}
