package io.lighthouse.kubernetes.cluster;

/** What became of a waiting pod. Immutable. */
public sealed interface Decision {
  /** The most characters that the API server takes as the note of an event. */
  int MOST_CHARACTERS = 1024;

  /**
   * Which pod.
   *
   * @return the pod as it was when it was decided
   */
  WaitingPod pod();

  /**
   * The pod is to be bound. The cluster keeps the placement as assumed until an event shows the pod
   * bound, or {@link Cluster#assumeFailed} takes it back.
   *
   * @param pod the pod
   * @param node the name of the node
   * @param strategy the name of the strategy that chose it
   * @param hash 64 hexadecimal digits: SHA-256 of what was decided and on what, see {@link
   *     Cluster#decide}
   */
  record Bind(WaitingPod pod, String node, String strategy, String hash) implements Decision {}

  /**
   * No node fits, or a member of its gang found none.
   *
   * @param pod the pod
   * @param message {@code 0/N nodes are available: ...}, the counts as the stock scheduler writes
   *     them, and behind the first {@code ". "} the nearest remedy; at most {@link
   *     #MOST_CHARACTERS} characters
   */
  record Refused(WaitingPod pod, String message) implements Decision {}

  /**
   * The pod asks for something that this scheduler does not support, and so is not placed at all.
   *
   * @param pod the pod
   * @param message {@code not supported: ...}; at most {@link #MOST_CHARACTERS} characters
   */
  record Unsupported(WaitingPod pod, String message) implements Decision {}
}
