package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.kubernetes.cluster.object.PodGroupFacts;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The PodGroup objects that are known, and what they make of the pods that name them. A group that
 * labels name needs no object: all its pods are a gang.
 */
final class PodGroups {
  /** By namespace and name. */
  private final Map<String, PodGroupFacts> known = new HashMap<>();

  /** A group has come or changed. Returns whether that may help a pod. */
  boolean changed(String key, PodGroupFacts group) {
    return !group.equals(known.put(key, group));
  }

  /** A group has gone. */
  void gone(String key) {
    known.remove(key);
  }

  /**
   * The gang that a pod is a member of, as the groups are now.
   *
   * @return its {@link WaitingPod#groupKey}; empty where the pod is placed alone
   */
  Optional<String> gangKey(WaitingPod pod) {
    boolean isMember = !isOfObject(pod) || minCount(pod) > 0;
    return isMember ? pod.groupKey() : Optional.empty();
  }

  /** Whether a pod names a PodGroup object. */
  static boolean isOfObject(WaitingPod pod) {
    return pod.gang().isPresent() && pod.gang().get().isObject();
  }

  /**
   * How many pods of a pod's PodGroup need a node; 0 where that is not known, or does not count.
   */
  int minCount(WaitingPod pod) {
    return group(pod).map(PodGroupFacts::minCount).orElse(0);
  }

  /** Whether a pod names a PodGroup object that is not there. */
  boolean lacksGroup(WaitingPod pod) {
    return isOfObject(pod) && group(pod).isEmpty();
  }

  /** What of its group keeps a pod from being placed at all; empty for nothing. */
  String unsupported(WaitingPod pod) {
    return group(pod)
        .filter(group -> !group.unsupported().isEmpty())
        .map(group -> "PodGroup " + pod.gang().get().name() + ": " + group.unsupported())
        .orElse("");
  }

  private Optional<PodGroupFacts> group(WaitingPod pod) {
    return isOfObject(pod)
        ? Optional.ofNullable(known.get(pod.namespace() + "/" + pod.gang().get().name()))
        : Optional.empty();
  }
}
