package io.lighthouse.kubernetes.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The pods whose claims to devices are being written. No member of a gang is bound before the
 * claims of all members that were placed with it are written. For one thread.
 */
final class DeviceWrites {
  /** By the uid of each pod whose claims are being written. */
  private final Map<String, Group> groups = new HashMap<>();

  /** Pods that were placed together: the members of a gang, or one pod. */
  private static final class Group {
    private final List<Binding> ready = new ArrayList<>();
    private final Map<Binding, String> failures = new LinkedHashMap<>();
    private int open;
  }

  /**
   * The claims of a group were written, or could not be.
   *
   * @param ready the pods that have all their claims
   * @param failures the others, and why
   */
  record Ended(List<Binding> ready, Map<Binding, String> failures) {}

  /**
   * The writing begins.
   *
   * @param writing the pods of a group whose claims are being written; at least one
   * @param ready its pods without claims
   */
  void begin(List<Binding> writing, List<Binding> ready) {
    Group group = new Group();
    group.open = writing.size();
    group.ready.addAll(ready);
    writing.forEach(binding -> groups.put(binding.uid(), group));
  }

  /**
   * The claims of a pod were written, or could not be.
   *
   * @param failure why not; empty if they were written
   * @return its group once no more claims of it are being written
   */
  Optional<Ended> end(Binding binding, String failure) {
    Group group = groups.remove(binding.uid());
    group.open--;
    if (failure.isEmpty()) {
      group.ready.add(binding);
    } else {
      group.failures.put(binding, failure);
    }
    return group.open > 0 ? Optional.empty() : Optional.of(new Ended(group.ready, group.failures));
  }

  /** The pods that wait for the claims of others. */
  int waiting() {
    return groups.values().stream().distinct().mapToInt(group -> group.ready.size()).sum();
  }
}
