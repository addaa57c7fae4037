package io.lighthouse.api;

import java.util.List;

/**
 * What an explanation says of one node. Immutable and thread-safe.
 *
 * @param node the name of the node
 * @param fits whether the workload fits it
 * @param reasons why it was not taken: {@link Reason.Cordoned} first, then every broken condition
 *     in the order of the resources' names; or, where it fits, the one reason why it was not
 *     chosen. Empty for the chosen node
 */
public record NodeVerdict(String node, boolean fits, List<Reason> reasons) {
  /** Copies. */
  public NodeVerdict {
    reasons = List.copyOf(reasons);
  }

  /**
   * Whether the workload goes here.
   *
   * @return true for the chosen node
   */
  public boolean chosen() {
    return fits && reasons.isEmpty();
  }
}
