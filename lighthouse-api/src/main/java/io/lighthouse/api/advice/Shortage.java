package io.lighthouse.api.advice;

import io.lighthouse.api.Change;
import io.lighthouse.api.Resources;
import java.util.List;

/**
 * Refused workloads that lack the same resources, and what would place them all. Each workload was
 * tried out in turn, with the least growth of a single node ({@link Remedies.Kind#GROW} or {@link
 * Remedies.Kind#TAG}). The total is sufficient, but not always minimal for all of them together. A
 * workload that lacks something else, or fits now, is in no shortage. Immutable and thread-safe.
 *
 * @param resources the names of the resources that they lack, those of a domain as {@code
 *     power@rack}; in the order of names
 * @param workloads their names, in the order of the batch
 * @param more the total added to nodes and domains, by these names
 * @param changes the changes to carry out, in this order, to place them all
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
