package io.lighthouse.kubernetes.cluster.volume;

import io.lighthouse.kubernetes.cluster.object.ClaimFacts;
import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.VolumeFacts;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * How far the volume controllers have come with the claims of a pod.
 *
 * @param state the state
 * @param detail why it failed; empty otherwise
 */
public record VolumeProgress(VolumeProgress.State state, String detail) {
  /** The states. */
  public enum State {
    /** All claims are bound. */
    BOUND,
    /** Some claim is not bound yet. */
    WAITING,
    /** It will not happen on this node: the pod is to be decided again. */
    FAILED
  }

  private static final VolumeProgress BOUND = new VolumeProgress(State.BOUND, "");
  private static final VolumeProgress WAITING = new VolumeProgress(State.WAITING, "");

  private static VolumeProgress failed(String detail) {
    return new VolumeProgress(State.FAILED, detail);
  }

  /**
   * The progress, by what is known of the cluster.
   *
   * @param work what was written to the server, with the versions of the written objects
   * @param isOlder whether one version comes before another
   */
  public static VolumeProgress of(
      VolumeRules rules, VolumeWork work, BiPredicate<String, String> isOlder) {
    Optional<NodeFacts> node = rules.node(work.node());
    if (node.isEmpty()) {
      return failed("node \"" + work.node() + "\" not found");
    }
    for (VolumeWork.Match match : work.matches()) {
      VolumeProgress one = ofMatch(rules.volumes(), match, node.get(), isOlder);
      if (one.state != State.BOUND) {
        return one;
      }
    }
    for (ClaimFacts claim : work.provisions()) {
      VolumeProgress one = ofProvision(rules.volumes(), claim, node.get(), isOlder);
      if (one.state != State.BOUND) {
        return one;
      }
    }
    return BOUND;
  }

  private static VolumeProgress ofMatch(
      Volumes volumes,
      VolumeWork.Match match,
      NodeFacts node,
      BiPredicate<String, String> isOlder) {
    VolumeFacts volume = volumes.volume(match.volume().name());
    if (volume == null) {
      return failed("persistentvolume \"" + match.volume().name() + "\" not found");
    }
    ClaimFacts claim = volumes.claim(match.claim().key());
    if (claim == null || !claim.uid().equals(match.claim().uid())) {
      return failed("persistentvolumeclaim \"" + match.claim().name() + "\" not found");
    }
    if (isOlder.test(volume.version(), match.volume().version())) {
      return WAITING;
    }
    if (!volume.nodes().matches(node)) {
      return failed(mismatch(volume, node));
    }
    if (volume.claimUid().isEmpty()) {
      return failed("ClaimRef got reset for pv \"" + volume.name() + "\"");
    }
    return claim.bound() ? BOUND : WAITING;
  }

  private static VolumeProgress ofProvision(
      Volumes volumes, ClaimFacts written, NodeFacts node, BiPredicate<String, String> isOlder) {
    ClaimFacts claim = volumes.claim(written.key());
    if (claim == null || !claim.uid().equals(written.uid())) {
      return failed("persistentvolumeclaim \"" + written.name() + "\" not found");
    }
    if (isOlder.test(claim.version(), written.version())) {
      return WAITING;
    }
    if (!node.name().equals(claim.selectedNode())) {
      return failed("provisioning failed for PVC \"" + claim.name() + "\"");
    }
    if (claim.volume().isEmpty()) {
      return WAITING;
    }
    VolumeFacts volume = volumes.volume(claim.volume());
    if (volume == null) {
      return WAITING;
    }
    if (!volume.nodes().matches(node)) {
      return failed(mismatch(volume, node));
    }
    return claim.bound() ? BOUND : WAITING;
  }

  private static String mismatch(VolumeFacts volume, NodeFacts node) {
    return "pv \"%s\" node affinity doesn't match node \"%s\""
        .formatted(volume.name(), node.name());
  }
}
