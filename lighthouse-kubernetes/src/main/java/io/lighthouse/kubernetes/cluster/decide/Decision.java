package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** What became of a waiting pod. Immutable. */
public sealed interface Decision {
  /** The most bytes that the API server takes as the note of an event. */
  int MOST_BYTES = 1024;

  /**
   * A text of at most {@link #MOST_BYTES} bytes in UTF-8, ended at a reason where possible.
   *
   * @param text any text
   * @return the text, or its beginning and "..."
   */
  static String cut(String text) {
    if (bytes(text) <= MOST_BYTES) {
      return text;
    }
    String more = "...";
    int end = Math.min(text.length(), MOST_BYTES - more.length());
    while (bytes(text.substring(0, end)) > MOST_BYTES - more.length()) {
      end--;
    }
    // Half of a pair of surrogates is no character.
    end = text.offsetByCodePoints(end + 1, -1);
    int comma = text.lastIndexOf(", ", end - 2);
    return text.substring(0, comma > end / 2 ? comma + 2 : end) + more;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /**
   * Which pod.
   *
   * @return the pod as it was when it was decided
   */
  WaitingPod pod();

  /** Calls the case for this kind of decision. */
  void match(Cases cases);

  /** What is done about each kind of decision. */
  interface Cases {
    void bind(Bind decision);

    void refused(Refused decision);

    void preempt(Preempt decision);

    void unsupported(Unsupported decision);
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
    public void match(Cases cases) {
      cases.bind(this);
    }
  }

  /**
   * No node fits, or a member of its gang found none.
   *
   * @param pod the pod
   * @param message {@code 0/N nodes are available: ...}, the counts as the stock scheduler writes
   *     them, and behind the first {@code ". "} the nearest remedy; at most {@link #MOST_BYTES}
   *     bytes
   * @param filters those that refused some node; a change may help the pod only if it is among
   *     {@link Filter#helpedBy} of one of them
   * @param lostNomination the node that it was nominated to in vain, so that the nomination is to
   *     be taken back; empty where a nomination stays as it is
   * @param freesDevices whether its claims are to give their devices back: a node refused it for
   *     devices, or its whole gang waits
   */
  record Refused(
      WaitingPod pod,
      String message,
      Set<Filter> filters,
      String lostNomination,
      boolean freesDevices)
      implements Decision {
    /**
     * A refusal by these filters. Where any change may help, it is not known which node refused.
     *
     * @param pod the pod
     * @param message the message
     * @param filters those that refused some node
     * @param lostNomination the node that it was nominated to in vain
     */
    public Refused(WaitingPod pod, String message, Set<Filter> filters, String lostNomination) {
      this(
          pod,
          message,
          filters,
          lostNomination,
          filters.contains(Filter.DYNAMIC_RESOURCES) && !filters.equals(Filter.ALL));
    }

    /**
     * A refusal that leaves the nomination as it is.
     *
     * @param pod the pod
     * @param message the message
     * @param filters those that refused some node
     */
    public Refused(WaitingPod pod, String message, Set<Filter> filters) {
      this(pod, message, filters, "");
    }

    /** The same, and the nomination of the pod stays as it is. */
    Refused keepingNomination() {
      return new Refused(pod, message, filters, "", freesDevices);
    }

    /** The refusal of a pod that waits together with its whole gang. */
    Refused withGang() {
      return new Refused(pod, message, filters, lostNomination, true);
    }

    @Override
    public void match(Cases cases) {
      cases.refused(this);
    }
  }

  /**
   * No node fits, and pods of a lower priority are to be evicted for it. The pod is to be nominated
   * to the node first. The cluster keeps the node reserved for it until {@link
   * Cluster#preemptionEnded}.
   *
   * @param pod the pod
   * @param message the message of a refusal
   * @param node the name of the node that the pod is nominated to
   * @param victims the pods to be evicted, the most important first
   * @param ending the pods that have to go, too, and are ending already
   * @param displaced pods of a lower priority whose nomination to the node is to be taken back
   * @param why the figures by which this node was chosen
   */
  record Preempt(
      WaitingPod pod,
      String message,
      String node,
      List<WaitingPod> victims,
      List<WaitingPod> ending,
      List<WaitingPod> displaced,
      String why)
      implements Decision {
    /** Copies. */
    public Preempt {
      victims = List.copyOf(victims);
      ending = List.copyOf(ending);
      displaced = List.copyOf(displaced);
    }

    /** The same with other victims. */
    public Preempt withVictims(List<WaitingPod> others) {
      return new Preempt(pod, message, node, others, ending, displaced, why);
    }

    @Override
    public void match(Cases cases) {
      cases.preempt(this);
    }
  }

  /**
   * The pod asks for something that this scheduler does not support, and so is not placed at all.
   *
   * @param pod the pod
   * @param message {@code not supported: ...}; at most {@link #MOST_BYTES} bytes
   */
  record Unsupported(WaitingPod pod, String message) implements Decision {
    @Override
    public void match(Cases cases) {
      cases.unsupported(this);
    }
  }
}
