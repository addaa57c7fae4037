package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The disruption budgets of the cluster. */
final class DisruptionBudgets {
  /** By namespace and key. */
  private final Map<String, Map<String, DisruptionBudget>> byNamespace = new LinkedHashMap<>();

  void changed(String key, DisruptionBudget budget) {
    byNamespace.computeIfAbsent(budget.namespace(), none -> new LinkedHashMap<>()).put(key, budget);
  }

  void gone(String key) {
    byNamespace.values().forEach(budgets -> budgets.remove(key));
    byNamespace.values().removeIf(Map::isEmpty);
  }

  /**
   * The pods whose eviction would violate a budget, if all were evicted in this order. Each pod
   * takes one disruption of every budget that is charged for it.
   */
  Set<PodEntry> violatedBy(List<PodEntry> pods) {
    if (byNamespace.isEmpty()) {
      return Set.of();
    }
    Map<String, Integer> charged = new HashMap<>();
    Set<PodEntry> violating = new HashSet<>();
    for (PodEntry pod : pods) {
      byNamespace
          .getOrDefault(pod.facts.pod.namespace(), Map.of())
          .forEach(
              (key, budget) -> {
                if (budget.isChargedFor(pod.facts)
                    && charged.merge(key, 1, Integer::sum) > budget.allowed()) {
                  violating.add(pod);
                }
              });
    }
    return violating;
  }
}
