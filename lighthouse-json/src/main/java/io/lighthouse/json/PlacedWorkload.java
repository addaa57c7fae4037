package io.lighthouse.json;

import io.lighthouse.api.Workload;
import java.util.Objects;
import java.util.Optional;

/**
 * A workload for a fleet, and the node where the caller names one. Immutable and thread-safe.
 *
 * @param workload the workload
 * @param node the name of its node; nothing where the fleet's strategy chooses
 */
public record PlacedWorkload(Workload workload, Optional<String> node) {
  /** Checks. */
  public PlacedWorkload {
    Objects.requireNonNull(workload, "workload");
    Objects.requireNonNull(node, "node");
  }
}
