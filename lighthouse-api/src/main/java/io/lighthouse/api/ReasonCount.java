package io.lighthouse.api;

import java.util.Optional;

/**
 * On how many nodes a reason stood, over all nodes. Immutable and thread-safe.
 *
 * @param kind the kind of reason
 * @param about the name of the resource; empty text where the reason is about the node as a whole
 * @param nodes the number of nodes, at least 1
 */
public record ReasonCount(Reason.Kind kind, String about, int nodes) {
  /**
   * The resource that the reason is about.
   *
   * @return its name, or nothing where the reason is about the node as a whole
   */
  public Optional<String> resource() {
    return about.isEmpty() ? Optional.empty() : Optional.of(about);
  }
}
