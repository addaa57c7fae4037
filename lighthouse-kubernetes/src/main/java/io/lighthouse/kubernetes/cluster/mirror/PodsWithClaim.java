package io.lighthouse.kubernetes.cluster.mirror;

import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.PodFacts;

/** The placed pods that use a claim by its name. A claim that is made for a pod has no others. */
public final class PodsWithClaim extends PodCount {
  /** The claim, as namespace and name. */
  public record Key(String claim) {}

  private final String namespace;
  private final String claim;

  public PodsWithClaim(Key key) {
    super("claim:" + key.claim());
    claim = key.claim();
    namespace = claim.substring(0, claim.indexOf('/'));
  }

  @Override
  boolean selects(LabelledPods.Key pods) {
    return pods.namespace().equals(namespace);
  }

  @Override
  boolean counts(PodFacts pod, NodeFacts node) {
    for (PodFacts.Claim one : pod.claims) {
      if (!one.ephemeral() && one.key().equals(claim)) {
        return true;
      }
    }
    return false;
  }
}
