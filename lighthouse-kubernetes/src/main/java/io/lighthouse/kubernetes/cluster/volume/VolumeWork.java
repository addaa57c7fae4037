package io.lighthouse.kubernetes.cluster.volume;

import io.lighthouse.kubernetes.cluster.object.ClaimFacts;
import io.lighthouse.kubernetes.cluster.object.VolumeFacts;
import java.util.List;

/**
 * What must happen to the claims of a pod before the pod is bound to its node.
 *
 * @param node the node
 * @param matches the claims that get a volume that is there
 * @param provisions the claims for which volumes are made
 */
public record VolumeWork(String node, List<VolumeWork.Match> matches, List<ClaimFacts> provisions) {
  /** A claim and the volume that it gets. */
  public record Match(ClaimFacts claim, VolumeFacts volume) {}

  /** Copies. */
  public VolumeWork {
    matches = List.copyOf(matches);
    provisions = List.copyOf(provisions);
  }

  /** Nothing to do. */
  static VolumeWork none(String node) {
    return new VolumeWork(node, List.of(), List.of());
  }

  /** Whether all claims are bound already. */
  public boolean isEmpty() {
    return matches.isEmpty() && provisions.isEmpty();
  }
}
