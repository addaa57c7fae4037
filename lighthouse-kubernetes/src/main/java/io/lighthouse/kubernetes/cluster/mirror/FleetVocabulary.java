package io.lighthouse.kubernetes.cluster.mirror;

import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Taint;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The taints, labels and overcommitted resources that the nodes have, each with its number. */
final class FleetVocabulary {
  /** The number of nodes with each taint that keeps pods off. */
  final Map<Taint, Integer> hardTaints = new LinkedHashMap<>();

  /** The number of nodes with each taint that only repels pods, in the order of their text. */
  private final Map<Taint, Integer> softTaints =
      new TreeMap<>(Comparator.comparing(Taint::toString));

  /** The number of nodes that are closed to pods. */
  int unschedulable;

  /** The number of nodes that have more of a resource in use than there is. */
  final Map<String, Integer> overcommitted = new TreeMap<>();

  /** By label, the number of nodes with each value. */
  private final Map<String, Map<String, Integer>> values = new TreeMap<>();

  /** By label, the number of nodes with it. */
  private final Map<String, Integer> labelled = new TreeMap<>();

  private long version;

  /** Adds a node (1), or takes it back (-1). */
  void count(NodeFacts facts, int by) {
    for (Taint taint : facts.taints()) {
      if (taint.hard()) {
        count(hardTaints, taint, by);
      } else if (taint.soft()) {
        count(softTaints, taint, by);
      }
    }
    unschedulable += facts.unschedulable() ? by : 0;
    facts
        .labels()
        .forEach(
            (key, value) -> {
              Map<String, Integer> counted = values.computeIfAbsent(key, k -> new TreeMap<>());
              count(counted, value, by);
              if (counted.isEmpty()) {
                values.remove(key);
              }
              labelled.merge(key, by, (a, b) -> a + b == 0 ? null : Integer.valueOf(a + b));
            });
  }

  /** Adds a node that has more of a resource in use than there is (1), or takes it back (-1). */
  void countOvercommitted(String resource, int by) {
    count(overcommitted, resource, by);
  }

  private <K> void count(Map<K, Integer> counted, K key, int by) {
    int now = counted.getOrDefault(key, 0) + by;
    if (now == 0) {
      counted.remove(key);
    } else {
      counted.put(key, now);
    }
    if (now == 0 || now == by) {
      version++;
    }
  }

  /** Grows whenever a taint, an overcommitted resource or a value of a label comes or goes. */
  long version() {
    return version;
  }

  Collection<Taint> softTaints() {
    return softTaints.keySet();
  }

  /** The wards and overcommitted resources that do not matter to a newcomer. */
  Set<String> immunities(PodFacts facts) {
    if (hardTaints.isEmpty() && unschedulable == 0 && overcommitted.isEmpty()) {
      return Set.of();
    }
    Set<String> immunities = new TreeSet<>();
    for (Taint taint : hardTaints.keySet()) {
      if (facts.tolerates(taint)) {
        immunities.add(EngineWords.TAINT + taint);
      }
    }
    if (unschedulable > 0 && facts.tolerates(Taint.UNSCHEDULABLE)) {
      immunities.add(EngineWords.UNSCHEDULABLE);
    }
    for (String resource : overcommitted.keySet()) {
      if (!resource.equals(NodeFacts.PODS) && !facts.request.containsKey(resource)) {
        immunities.add(resource);
      }
    }
    return Collections.unmodifiableSet(immunities);
  }

  Collection<String> values(String label) {
    return values.getOrDefault(label, Map.of()).keySet();
  }

  int nodesWith(String label) {
    return labelled.getOrDefault(label, 0);
  }
}
