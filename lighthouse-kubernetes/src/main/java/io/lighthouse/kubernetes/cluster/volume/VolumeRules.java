package io.lighthouse.kubernetes.cluster.volume;

import io.lighthouse.kubernetes.cluster.mirror.ClaimUsers;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.ClaimFacts;
import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.NodeSelection;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which nodes a pod's claims rule out, and what is assumed of the volumes of pods that are on the
 * way to their nodes. For one thread. Rules of the stock scheduler 1.36: VolumeRestrictions,
 * NodeVolumeLimits, VolumeBinding and VolumeZone.
 */
public final class VolumeRules {
  private final Volumes volumes;
  private final NodesByLabel nodes = new NodesByLabel();
  private final AssumedVolumes assumed = new AssumedVolumes();
  private final ClaimUsers users;

  /**
   * The nodes that will not do.
   *
   * @param topologies a volume can be made only on nodes that each of these selects
   * @param unmatched beside them, the nodes where a claim has no volume, and none can be made
   * @param full the nodes where there is not enough storage to make one
   */
  public record Unfit(List<NodeSelection> topologies, Set<String> unmatched, Set<String> full) {}

  /** The rules of a cluster without storage objects. */
  public VolumeRules(ClaimUsers users) {
    this.users = users;
    volumes = new Volumes(users);
  }

  /** The storage objects. */
  public Volumes volumes() {
    return volumes;
  }

  /** A node has come or changed. */
  public void nodeChanged(NodeFacts node) {
    nodes.changed(node);
  }

  /** A node has gone. */
  public void nodeGone(String name) {
    nodes.gone(name);
  }

  /** A node, or nothing where it is not known. */
  Optional<NodeFacts> node(String name) {
    return Optional.ofNullable(nodes.node(name));
  }

  /** The names of the nodes that reach a claim's volume. */
  public Collection<String> reaching(ClaimFacts bound) {
    return nodes.selected(volumes.volume(bound.volume()).nodes());
  }

  /** The names of all nodes. */
  public Set<String> allNodes() {
    return Set.copyOf(nodes.names());
  }

  /** The claims of a pod, sorted by what they need. */
  public PodClaims claims(PodFacts pod) {
    return PodClaims.of(pod, volumes);
  }

  /** Whether a placed pod uses a claim by its name. */
  public boolean isInUse(ClaimFacts claim) {
    for (PodEntry pod : users.ofClaim(claim.key())) {
      for (PodFacts.Claim used : pod.facts.claims) {
        if (!used.ephemeral() && used.key().equals(claim.key())) {
          return true;
        }
      }
    }
    return false;
  }

  /** How many volumes the nodes hold. */
  public AttachedVolumes attached() {
    return volumes.attached;
  }

  /** The nodes that will not do for the claims that get volumes with the pod's node. */
  public Unfit unfit(PodClaims claims) {
    if (claims.delayed().isEmpty()) {
      return new Unfit(List.of(), Set.of(), Set.of());
    }
    DelayedClaims delayed = delayed(claims);
    Optional<List<NodeSelection>> topologies = delayed.topologies();
    if (topologies.isPresent()) {
      return new Unfit(topologies.get(), Set.of(), Set.of());
    }
    DelayedClaims.Verdict verdict = delayed.verdict();
    return new Unfit(List.of(), verdict.unmatched(), verdict.full());
  }

  private DelayedClaims delayed(PodClaims claims) {
    return new DelayedClaims(volumes, assumed, nodes, claims.delayed());
  }

  /** A pod goes to a node: other pods do not get its volumes from now on. */
  public void assume(PodFacts pod, String node) {
    if (!pod.claims.isEmpty()) {
      PodClaims claims = claims(pod);
      if (!claims.delayed().isEmpty()) {
        assumed.assume(pod.pod.uid(), delayed(claims).work(node));
      }
    }
  }

  /** The pod is bound, or gone, or does not go there: its volumes are as the server has them. */
  public void release(String uid) {
    assumed.release(uid);
  }

  /** What must happen before an assumed pod is bound; nothing where its claims are bound. */
  public Optional<VolumeWork> work(String uid) {
    return Optional.ofNullable(assumed.of(uid));
  }
}
