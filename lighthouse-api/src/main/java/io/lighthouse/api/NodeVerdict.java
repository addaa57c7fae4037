package io.lighthouse.api;

import java.util.List;

/**
 * The verdict of one node in an explanation. Immutable and thread-safe.
 *
 * @param node the name of the node
 * @param fits whether the workload fits it
 * @param reasons why the node was not chosen. If the workload does not fit: {@link Reason.Cordoned}
 *     first, then every broken condition in the order of the resources' names. If it fits: the one
 *     reason why another node was chosen. Empty for the chosen node
 */
public record NodeVerdict(String node, boolean fits, List<Reason> reasons) {
  /** Copies. */
  public NodeVerdict {
    reasons = List.copyOf(reasons);
  }

  /**
   * Whether the workload is placed here.
   *
   * @return true for the chosen node
   */
  public boolean chosen() {
    return fits && reasons.isEmpty();
  }
}
