package io.lighthouse.kubernetes.cluster.volume;

import io.lighthouse.kubernetes.cluster.object.ClaimFacts;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.StorageClassFacts;
import java.util.ArrayList;
import java.util.List;

/**
 * The claims of a pod, in the order of its volumes.
 *
 * @param refusal why no node will do, in the stock scheduler's words; empty for nothing
 * @param oncePod the claims that only one pod may use
 * @param bound the claims that have their volumes
 * @param named of these, the ones that the pod names: only their zones count
 * @param delayed the claims that get a volume with the pod's node
 */
public record PodClaims(
    String refusal,
    List<ClaimFacts> oncePod,
    List<ClaimFacts> bound,
    List<ClaimFacts> named,
    List<ClaimFacts> delayed) {
  static final PodClaims NONE = new PodClaims("", List.of(), List.of(), List.of(), List.of());

  /** Sorts the claims of a pod. */
  static PodClaims of(PodFacts pod, Volumes volumes) {
    if (pod.claims.isEmpty()) {
      return NONE;
    }
    String refusal = refusal(pod, volumes);
    if (!refusal.isEmpty()) {
      return refused(refusal);
    }
    List<ClaimFacts> oncePod = new ArrayList<>();
    List<ClaimFacts> bound = new ArrayList<>();
    List<ClaimFacts> named = new ArrayList<>();
    List<ClaimFacts> delayed = new ArrayList<>();
    for (PodFacts.Claim used : pod.claims) {
      ClaimFacts claim = volumes.claim(used.key());
      if (claim.oncePod() && !used.ephemeral()) {
        oncePod.add(claim);
      }
      if (!claim.bound()) {
        delayed.add(claim);
        continue;
      }
      bound.add(claim);
      if (!used.ephemeral()) {
        named.add(claim);
      }
    }
    return new PodClaims("", oncePod, bound, named, delayed);
  }

  private static PodClaims refused(String refusal) {
    return new PodClaims(refusal, List.of(), List.of(), List.of(), List.of());
  }

  /** The first refusal, in the order of the stock scheduler's checks. */
  private static String refusal(PodFacts pod, Volumes volumes) {
    for (PodFacts.Claim used : pod.claims) {
      if (!used.ephemeral() && volumes.claim(used.key()) == null) {
        return "persistentvolumeclaim \"" + used.name() + "\" not found";
      }
    }
    for (PodFacts.Claim used : pod.claims) {
      String refusal = refusal(pod, used, volumes.claim(used.key()));
      if (!refusal.isEmpty()) {
        return refusal;
      }
    }
    for (PodFacts.Claim used : pod.claims) {
      if (isImmediate(volumes.claim(used.key()), volumes)) {
        return "pod has unbound immediate PersistentVolumeClaims";
      }
    }
    for (PodFacts.Claim used : pod.claims) {
      String volume = volumes.claim(used.key()).volume();
      if (!used.ephemeral() && !volume.isEmpty() && volumes.volume(volume) == null) {
        return "persistentvolume \"" + volume + "\" not found";
      }
    }
    return "";
  }

  private static String refusal(PodFacts pod, PodFacts.Claim used, ClaimFacts claim) {
    if (claim == null) {
      return "waiting for ephemeral volume controller to create the persistentvolumeclaim \""
          + used.name()
          + "\"";
    }
    if (claim.lost()) {
      return "persistentvolumeclaim \"%s\" bound to non-existent persistentvolume \"%s\""
          .formatted(claim.name(), claim.volume());
    }
    if (claim.deleting()) {
      return "persistentvolumeclaim \"" + claim.name() + "\" is being deleted";
    }
    if (used.ephemeral() && !claim.controller().equals(pod.pod.uid())) {
      return "PVC %s was not created for pod %s (pod is not owner)"
          .formatted(claim.key(), pod.pod.key());
    }
    return "";
  }

  /** Whether a claim that is not bound is to be bound before any pod that uses it has a node. */
  private static boolean isImmediate(ClaimFacts claim, Volumes volumes) {
    if (claim.bound()) {
      return false;
    }
    StorageClassFacts storageClass = volumes.storageClass(claim.storageClass());
    return storageClass == null || !storageClass.waits() || !claim.volume().isEmpty();
  }
}
