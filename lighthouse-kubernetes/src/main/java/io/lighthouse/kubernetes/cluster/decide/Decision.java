package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.util.Set;

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
   * Calls the case for this kind of decision.
   *
   * @param cases one function for each kind
   * @param <R> what they return
   * @return what the case for this kind returns
   */
  <R> R match(Cases<R> cases);

  /**
   * One function for each kind of decision.
   *
   * @param <R> what the functions return
   */
  interface Cases<R> {
    /**
     * {@return the result for {@link Bind}}
     *
     * @param decision the decision
     */
    R bind(Bind decision);

    /**
     * {@return the result for {@link Refused}}
     *
     * @param decision the decision
     */
    R refused(Refused decision);

    /**
     * {@return the result for {@link Unsupported}}
     *
     * @param decision the decision
     */
    R unsupported(Unsupported decision);
  }

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
  record Bind(WaitingPod pod, String node, String strategy, String hash) implements Decision {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.bind(this);
    }
  }

  /**
   * No node fits, or a member of its gang found none.
   *
   * @param pod the pod
   * @param message {@code 0/N nodes are available: ...}, the counts as the stock scheduler writes
   *     them, and behind the first {@code ". "} the nearest remedy; at most {@link
   *     #MOST_CHARACTERS} characters
   * @param filters those that refused some node; a change may help the pod only if it is among
   *     {@link Filter#helpedBy} of one of them
   */
  record Refused(WaitingPod pod, String message, Set<Filter> filters) implements Decision {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.refused(this);
    }
  }

  /**
   * The pod asks for something that this scheduler does not support, and so is not placed at all.
   *
   * @param pod the pod
   * @param message {@code not supported: ...}; at most {@link #MOST_CHARACTERS} characters
   */
  record Unsupported(WaitingPod pod, String message) implements Decision {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.unsupported(this);
    }
  }
}
