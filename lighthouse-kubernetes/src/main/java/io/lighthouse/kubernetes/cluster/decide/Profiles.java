package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How the pods of each scheduler name are placed. Immutable. */
public final class Profiles {
  /**
   * How the pods of one scheduler name are placed.
   *
   * @param strategy the name of the strategy that chooses their nodes
   * @param spreadBy the labels of nodes by which pods of a Service or controller are spread
   * @param prefersImages whether nodes that have their images are preferred
   */
  public record Profile(String strategy, List<String> spreadBy, boolean prefersImages) {}

  private final Map<String, Profile> byName;
  private final Profile first;

  /**
   * Some profiles.
   *
   * @param byName by the name of the scheduler, at least one; the first is that of all other names
   */
  public Profiles(Map<String, Profile> byName) {
    this.byName = new LinkedHashMap<>(byName);
    first = this.byName.values().iterator().next();
  }

  /**
   * Whether the scheduler of a pod is that of another pod, too: a profile has the other's scheduler
   * name, or both have the same one. The second is for shadows, which have no profile of the pods
   * that they decide. A profile without a name is that of all.
   */
  boolean canPlaceTogether(WaitingPod first, WaitingPod other) {
    return byName.containsKey(other.schedulerName())
        || byName.containsKey("")
        || first.schedulerName().equals(other.schedulerName());
  }

  /** The profile of a pod. */
  Profile of(WaitingPod pod) {
    return byName.getOrDefault(pod.schedulerName(), first);
  }
}
