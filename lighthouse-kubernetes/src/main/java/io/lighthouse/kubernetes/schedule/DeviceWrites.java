package io.lighthouse.kubernetes.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The pods whose claims to devices are being written. No member of a gang is bound before the
 * claims of all members that were placed until then are written. For one thread, but for {@link
 * #waiting}.
 */
final class DeviceWrites {
  /** By gang its pods that are not bound yet; a pod without a gang is one of its own. */
  private final Map<String, Group> groups = new HashMap<>();

  /** The pods that wait for the claims of others. */
  private volatile int waiting;

  /** Pods that are bound together. */
  static final class Group {
    private final List<Binding> ready = new ArrayList<>();
    private final Map<Binding, String> failures = new LinkedHashMap<>();
    private int open;

    /** The pods that have all their claims. */
    List<Binding> ready() {
      return ready;
    }

    /** The others, and why their claims could not be written. */
    Map<Binding, String> failures() {
      return failures;
    }
  }

  /** Whether claims of a gang are being written. */
  boolean isOpen(String gang) {
    return groups.containsKey(gang);
  }

  /**
   * Adds pods of a gang to those that are bound once its claims are written.
   *
   * @param writing those whose claims are being written from now on; there are some, or some of the
   *     gang are being written already
   * @param ready those without claims
   */
  void begin(String gang, List<Binding> writing, List<Binding> ready) {
    Group group = groups.computeIfAbsent(gang, none -> new Group());
    group.open += writing.size();
    group.ready.addAll(ready);
    countWaiting();
  }

  /**
   * The claims of a pod were written, or could not be.
   *
   * @param failure why not; empty if they were written
   * @return the pods of its gang once no more claims of it are being written
   */
  Optional<Group> end(Binding binding, String failure) {
    Group group = groups.get(binding.gang());
    group.open--;
    if (failure.isEmpty()) {
      group.ready.add(binding);
    } else {
      group.failures.put(binding, failure);
    }
    boolean hasEnded = group.open == 0;
    if (hasEnded) {
      groups.remove(binding.gang());
    }
    countWaiting();
    return hasEnded ? Optional.of(group) : Optional.empty();
  }

  private void countWaiting() {
    waiting = groups.values().stream().mapToInt(group -> group.ready.size()).sum();
  }

  /** The pods that wait for the claims of others. */
  int waiting() {
    return waiting;
  }
}
