package io.lighthouse.kubernetes.cluster.device;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which devices claims have, and how much of those that claims share. For one thread. */
final class DeviceUsage {
  /** By claim, its allocations that count: two while it has other devices than are assumed. */
  private final Map<String, List<Allocation>> counted = new HashMap<>();

  /** How many claims have a whole device: more than one only by mistake of another scheduler. */
  private final Map<Device.Id, Integer> whole = new HashMap<>();

  /** By device and name of a capacity, what claims take of it. */
  private final Map<Device.Id, Map<String, BigDecimal>> taken = new HashMap<>();

  /** How many claims share a device. */
  private final Map<Device.Id, Integer> shares = new HashMap<>();

  /** A claim has these devices from now on, in place of those that it had. */
  void count(String claim, List<Allocation> now) {
    counted.getOrDefault(claim, List.of()).forEach(this::remove);
    now.forEach(this::add);
    if (now.isEmpty()) {
      counted.remove(claim);
    } else {
      counted.put(claim, now);
    }
  }

  /** A claim gets its devices. */
  void add(Allocation allocation) {
    for (Allocation.Use use : allocation.uses()) {
      if (use.isExclusive()) {
        whole.merge(use.device(), 1, Integer::sum);
      } else {
        shares.merge(use.device(), 1, Integer::sum);
        Map<String, BigDecimal> of = taken.computeIfAbsent(use.device(), none -> new TreeMap<>());
        use.taken().forEach((name, amount) -> of.merge(name, amount, BigDecimal::add));
      }
    }
  }

  /** A claim gives up its devices. */
  void remove(Allocation allocation) {
    for (Allocation.Use use : allocation.uses()) {
      if (use.isExclusive()) {
        whole.merge(use.device(), -1, DeviceUsage::sum);
      } else if (shares.merge(use.device(), -1, DeviceUsage::sum) == null) {
        taken.remove(use.device());
      } else {
        Map<String, BigDecimal> of = taken.get(use.device());
        use.taken().forEach((name, amount) -> of.merge(name, amount, BigDecimal::subtract));
      }
    }
  }

  /** The sum of two counts; null for 0, which takes it out of a map. */
  private static Integer sum(int one, int other) {
    return one + other == 0 ? null : one + other;
  }

  /** Whether some claim has the whole device. */
  boolean isTakenWhole(Device.Id device) {
    return whole.containsKey(device);
  }

  /** Whether some claim has the device or a share of it. */
  boolean isUsed(Device.Id device) {
    return whole.containsKey(device) || shares.containsKey(device);
  }

  /** What claims take of a capacity of a device. */
  BigDecimal taken(Device.Id device, String capacity) {
    return taken.getOrDefault(device, Map.of()).getOrDefault(capacity, BigDecimal.ZERO);
  }
}
