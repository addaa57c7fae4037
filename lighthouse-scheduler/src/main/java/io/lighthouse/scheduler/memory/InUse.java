package io.lighthouse.scheduler.memory;

import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.scheduler.model.ResourceVectors;
import io.lighthouse.scheduler.model.Task;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** What tasks use, by agent. */
final class InUse {
  /** The names of the first vector. */
  private final String[] names;

  /** The sums of those vectors that have just these names. */
  private final Quantity[] sums;

  /** The sum of all others. */
  private Resources others = Resources.none();

  private InUse(Resources first) {
    names = new String[first.size()];
    sums = new Quantity[names.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = first.name(i);
      sums[i] = Quantity.ZERO;
    }
  }

  static Map<String, Resources> byAgent(Collection<Task> tasks) {
    Map<String, InUse> uses = new HashMap<>();
    for (Task task : tasks) {
      uses.computeIfAbsent(task.agent(), agent -> new InUse(task.resources()))
          .add(task.resources());
    }
    Map<String, Resources> byAgent = new HashMap<>();
    uses.forEach((agent, use) -> byAgent.put(agent, use.sum()));
    return byAgent;
  }

  /** Tasks of one agent mostly name the same resources: then no names are looked for. */
  private void add(Resources used) {
    if (used.size() != names.length) {
      others = ResourceVectors.plus(others, used);
      return;
    }
    for (int i = 0; i < names.length; i++) {
      if (!names[i].equals(used.name(i))) {
        others = ResourceVectors.plus(others, used);
        return;
      }
    }
    for (int i = 0; i < names.length; i++) {
      sums[i] = sums[i].plus(used.quantity(i));
    }
  }

  private Resources sum() {
    return ResourceVectors.plus(Resources.of(names, sums), others);
  }
}
