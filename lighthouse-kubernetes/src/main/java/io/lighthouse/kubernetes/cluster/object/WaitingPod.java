package io.lighthouse.kubernetes.cluster.object;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * A pod that waits for a node, as far as a queue wants to know it. Immutable.
 *
 * @param uid {@code metadata.uid}, which names it here
 * @param namespace its namespace
 * @param name its name, unique in the namespace at one time only
 * @param resourceVersion its version when it was last seen
 * @param generation {@code metadata.generation}, which counts the changes of its spec; 0 before
 *     Kubernetes 1.34
 * @param schedulerName the scheduler that it asks for
 * @param priority {@code spec.priority}, 0 where there is none
 * @param created {@code metadata.creationTimestamp}; the epoch where there is none
 * @param gated whether {@code spec.schedulingGates} hold it back
 * @param refused whether its status says already that it is not scheduled
 * @param gang the pod group that it belongs to, where it names one
 */
public record WaitingPod(
    String uid,
    String namespace,
    String name,
    String resourceVersion,
    long generation,
    String schedulerName,
    int priority,
    Instant created,
    boolean gated,
    boolean refused,
    Optional<PodGroup> gang) {
  /**
   * The highest priority first, then the oldest. A creation time counts whole seconds. Many pods
   * are equal here; a stable sort leaves them in the order in which they came.
   */
  public static final Comparator<WaitingPod> TURNS =
      Comparator.comparingInt(WaitingPod::priority).reversed().thenComparing(WaitingPod::created);

  /** Namespace and name. */
  public String key() {
    return namespace + "/" + name;
  }

  /** Its path on the API server. */
  public String path() {
    return "/api/v1/namespaces/" + namespace + "/pods/" + name;
  }

  /**
   * The name, unique in the cluster, of the group that it names; nothing where it names none. The
   * group need not be a gang.
   */
  public Optional<String> groupKey() {
    return gang.map(
        group -> (group.isObject() ? "podgroup:" : "") + namespace + "/" + group.name());
  }

  /**
   * The group of a pod. Of a group that labels name, all pods are placed, or none.
   *
   * @param name the label's value, or the name of the PodGroup object; a group is one of its
   *     namespace
   * @param members how many pods the labels want before any is placed; 1 by default
   * @param isObject whether {@code spec.schedulingGroup} names it, so that a PodGroup object has
   *     its policy
   */
  public record PodGroup(String name, int members, boolean isObject) {}
}
