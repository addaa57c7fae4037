package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The pods that name each group, found without a search of all pods. Not thread-safe.
 *
 * @param <E> what is kept of a pod
 */
public final class PodsByGroup<E> {
  private final Map<String, Set<E>> byKey = new HashMap<>();

  /** Adds a pod, if it names a group. One that is there keeps its place. */
  public void add(WaitingPod pod, E entry) {
    pod.groupKey()
        .ifPresent(key -> byKey.computeIfAbsent(key, none -> new LinkedHashSet<>()).add(entry));
  }

  /** Removes a pod from the group that it names. */
  public void remove(WaitingPod pod, E entry) {
    pod.groupKey().ifPresent(key -> remove(key, entry));
  }

  private void remove(String key, E entry) {
    Set<E> group = byKey.get(key);
    if (group != null && group.remove(entry) && group.isEmpty()) {
      byKey.remove(key);
    }
  }

  /**
   * The pods that name a group.
   *
   * @param key its {@link WaitingPod#groupKey}
   * @return in the order in which they were added; changes with this
   */
  public Collection<E> of(String key) {
    Set<E> group = byKey.get(key);
    return group == null ? List.of() : group;
  }
}
