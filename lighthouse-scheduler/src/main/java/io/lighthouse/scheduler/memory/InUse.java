package io.lighthouse.scheduler.memory;

import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.model.Task;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** What tasks use, by agent. */
final class InUse {
  private InUse() {}

  static Map<String, Resources> byAgent(Collection<Task> tasks) {
    Map<String, Map<String, Quantity>> sums = new HashMap<>();
    for (Task task : tasks) {
      Map<String, Quantity> sum = sums.computeIfAbsent(task.agent(), agent -> new HashMap<>(8));
      Resources used = task.resources();
      for (int i = 0; i < used.size(); i++) {
        sum.merge(used.name(i), used.quantity(i), Quantity::plus);
      }
    }
    Map<String, Resources> byAgent = new HashMap<>();
    sums.forEach((agent, sum) -> byAgent.put(agent, Resources.of(sum)));
    return byAgent;
  }
}
