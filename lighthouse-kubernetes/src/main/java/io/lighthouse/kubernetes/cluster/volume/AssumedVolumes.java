package io.lighthouse.kubernetes.cluster.volume;

import io.lighthouse.kubernetes.cluster.object.ClaimFacts;
import io.lighthouse.kubernetes.cluster.object.VolumeFacts;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The volumes and claims of pods that have a node and are not bound yet. No other claim gets such a
 * volume. No other node makes a volume for such a claim. What the server has goes before an
 * assumption.
 */
final class AssumedVolumes {
  /** An assumption and the pods that made it: several pods may share a claim. */
  private record Assumed<T>(T value, Set<String> pods) {}

  private final Map<String, VolumeWork> byPod = new HashMap<>();

  /** By the uid of a claim, the node that its volume is made for. */
  private final Map<String, Assumed<String>> nodes = new HashMap<>();

  /** By volume, the claim that gets it. */
  private final Map<String, Assumed<ClaimFacts>> claims = new HashMap<>();

  void assume(String uid, VolumeWork work) {
    release(uid);
    if (work.isEmpty()) {
      return;
    }
    byPod.put(uid, work);
    for (VolumeWork.Match match : work.matches()) {
      add(claims, match.volume().name(), match.claim(), uid);
    }
    for (ClaimFacts claim : work.provisions()) {
      add(nodes, claim.uid(), work.node(), uid);
    }
  }

  private static <T> void add(Map<String, Assumed<T>> all, String key, T value, String uid) {
    all.computeIfAbsent(key, none -> new Assumed<>(value, new HashSet<>())).pods().add(uid);
  }

  void release(String uid) {
    VolumeWork work = byPod.remove(uid);
    if (work == null) {
      return;
    }
    work.matches().forEach(match -> drop(claims, match.volume().name(), uid));
    work.provisions().forEach(claim -> drop(nodes, claim.uid(), uid));
  }

  private static <T> void drop(Map<String, Assumed<T>> all, String key, String uid) {
    Assumed<T> assumed = all.get(key);
    if (assumed != null && assumed.pods().remove(uid) && assumed.pods().isEmpty()) {
      all.remove(key);
    }
  }

  /** What is assumed for a pod, or null. */
  VolumeWork of(String uid) {
    return byPod.get(uid);
  }

  /** The node that a claim's volume is made for; null where none is selected. */
  String selectedNode(ClaimFacts claim) {
    Assumed<String> assumed = nodes.get(claim.uid());
    return claim.selectedNode() != null || assumed == null ? claim.selectedNode() : assumed.value();
  }

  /** A volume with the claim that gets it. */
  VolumeFacts withClaim(VolumeFacts volume) {
    Assumed<ClaimFacts> assumed = claims.get(volume.name());
    return volume.claim().isEmpty() && assumed != null ? volume.withClaim(assumed.value()) : volume;
  }
}
