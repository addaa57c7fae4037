package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.DisruptionBudget;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The disruption budgets of the cluster. */
final class DisruptionBudgets {
  private final Map<String, DisruptionBudget> byKey = new LinkedHashMap<>();

  void changed(String key, DisruptionBudget budget) {
    byKey.put(key, budget);
  }

  void gone(String key) {
    byKey.remove(key);
  }

  /**
   * The pods whose eviction would violate a budget, if all were evicted in this order. Each pod
   * takes one disruption of every budget that is charged for it.
   */
  Set<PodEntry> violatedBy(List<PodEntry> pods) {
    if (byKey.isEmpty()) {
      return Set.of();
    }
    List<DisruptionBudget> budgets = new ArrayList<>(byKey.values());
    int[] left = budgets.stream().mapToInt(DisruptionBudget::allowed).toArray();
    Set<PodEntry> violating = new HashSet<>();
    for (PodEntry pod : pods) {
      for (int i = 0; i < left.length; i++) {
        if (budgets.get(i).isChargedFor(pod.facts) && --left[i] < 0) {
          violating.add(pod);
        }
      }
    }
    return violating;
  }
}
