package io.lighthouse.api;

import java.util.List;

/**
 * Refused workloads that lack the same, and what would place them all: each was tried out in turn,
 * with the least growth of a single node ({@link Remedies.Kind#GROW} or {@link Remedies.Kind#TAG}).
 * It is enough, and need not be the least for all of them together. A workload that lacks something
 * else, or fits now, is in none. Immutable and thread-safe.
 *
 * @param resources the names of the resources that they lack, those of a domain as {@code
 *     power@rack}; in the order of names
 * @param workloads their names, in the order of the batch
 * @param more what comes to nodes and domains in all, by these names
 * @param changes what to carry out, in this order, to place them all
 */
public record Shortage(
    List<String> resources, List<String> workloads, Resources more, List<Change> changes) {
  /** Copies. */
  public Shortage {
    resources = List.copyOf(resources);
    workloads = List.copyOf(workloads);
    changes = List.copyOf(changes);
  }
}
