package io.lighthouse.kubernetes.cluster.device;

import io.lighthouse.kubernetes.cluster.object.Taint;
import io.lighthouse.kubernetes.cluster.object.Toleration;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Looks for devices of one node for some claims: in the order of claims, requests, alternatives and
 * devices, going back where that does not end well. The first answer counts. A search that takes
 * more than {@value #MOST_STEPS} steps finds nothing.
 */
final class DeviceSearch {
  static final int MOST_STEPS = 20_000;

  private final Map<String, DeviceClass> classes;
  private final Pools pools;
  private final DeviceUsage usage;
  private final List<Device> devices;
  private final List<ResourceClaim> claims;

  /** What is chosen so far, the last first. */
  private final Deque<Choice> choices = new ArrayDeque<>();

  private final Set<Device.Id> wholes = new HashSet<>();

  /** By pool, set and name, what is left of the counters that a search has asked for. */
  private final Map<Pool, Map<String, Map<String, BigDecimal>>> left = new IdentityHashMap<>();

  private int steps;

  /**
   * A device that is chosen.
   *
   * @param taken by name, what it takes of the device's capacity; empty where that is no matter
   */
  record Choice(
      ResourceClaim claim,
      DeviceRequest request,
      DeviceRequest.Option option,
      Device device,
      Map<String, BigDecimal> taken) {}

  /**
   * A search.
   *
   * @param devices the devices that the node reaches, in order
   * @param claims what is looked for
   */
  DeviceSearch(
      Map<String, DeviceClass> classes,
      Pools pools,
      DeviceUsage usage,
      List<Device> devices,
      List<ResourceClaim> claims) {
    this.classes = classes;
    this.pools = pools;
    this.usage = usage;
    this.devices = devices;
    this.claims = claims;
  }

  /** The devices for all claims, in the order of claims and requests; nothing where some lack. */
  Optional<List<Choice>> find() {
    if (!findFrom(0, 0)) {
      return Optional.empty();
    }
    List<Choice> found = new ArrayList<>();
    choices.descendingIterator().forEachRemaining(found::add);
    return Optional.of(found);
  }

  /** How often a device was tried, beyond once each. */
  int stepsBack() {
    return Math.max(0, steps - devices.size());
  }

  private boolean findFrom(int claim, int request) {
    if (claim == claims.size()) {
      return true;
    }
    List<DeviceRequest> requests = claims.get(claim).requests();
    if (request == requests.size()) {
      return findFrom(claim + 1, 0);
    }
    for (DeviceRequest.Option option : requests.get(request).options()) {
      boolean isTooMuch =
          devicesOf(claims.get(claim)) + option.count() > ResourceClaim.MOST_DEVICES;
      if (!isTooMuch && findFor(claim, request, option, option.count(), 0)) {
        return true;
      }
    }
    return false;
  }

  private long devicesOf(ResourceClaim claim) {
    return choices.stream().filter(choice -> choice.claim() == claim).count();
  }

  /**
   * Devices of one alternative are chosen in their order: no set of devices is tried twice, and
   * each device is chosen once, also where it may be shared.
   */
  private boolean findFor(
      int claim, int request, DeviceRequest.Option option, int count, int from) {
    if (count == 0) {
      return findFrom(claim, request + 1);
    }
    for (int i = from; i < devices.size() && steps < MOST_STEPS; i++) {
      steps++;
      Device device = devices.get(i);
      if (!isTaken(device)
          && matches(device, classes.get(option.deviceClass()), option)
          && choose(claims.get(claim), request, option, device)) {
        if (findFor(claim, request, option, count - 1, i + 1)) {
          return true;
        }
        undo();
      }
    }
    return false;
  }

  /** Whether nothing of a device is left. */
  private boolean isTaken(Device device) {
    return usage.isTakenWhole(device.id())
        || wholes.contains(device.id())
        || !device.allowsMultipleAllocations() && usage.isUsed(device.id());
  }

  private static boolean matches(Device device, DeviceClass of, DeviceRequest.Option option) {
    for (Taint taint : device.taints()) {
      if (taint.hard() && !Toleration.tolerated(taint, option.tolerations())) {
        return false;
      }
    }
    return device.amounts().keySet().containsAll(option.capacity().keySet())
        && match(of.selectors(), device)
        && match(option.selectors(), device);
  }

  private static boolean match(List<DeviceExpression> selectors, Device device) {
    for (DeviceExpression selector : selectors) {
      if (!selector.matches(device)) {
        return false;
      }
    }
    return true;
  }

  /** Chooses a device that is not taken if it has enough left, and goes with those before. */
  private boolean choose(
      ResourceClaim claim, int request, DeviceRequest.Option option, Device device) {
    Map<String, BigDecimal> taken = taken(option, device);
    if (taken == null) {
      return false;
    }
    Choice choice = new Choice(claim, claim.requests().get(request), option, device, taken);
    if (!hasCapacity(choice) || !goesWithOthers(choice) || !hasCounters(device)) {
      return false;
    }
    if (!device.allowsMultipleAllocations()) {
      wholes.add(device.id());
      count(device, -1);
    }
    choices.push(choice);
    return true;
  }

  private void undo() {
    Device device = choices.pop().device();
    if (!device.allowsMultipleAllocations()) {
      wholes.remove(device.id());
      count(device, 1);
    }
  }

  /**
   * What an alternative takes of each capacity of a device; null if that is more than it may take.
   */
  private static Map<String, BigDecimal> taken(DeviceRequest.Option option, Device device) {
    if (!device.allowsMultipleAllocations() && option.capacity().isEmpty()) {
      return Map.of();
    }
    Map<String, BigDecimal> taken = new TreeMap<>();
    for (Map.Entry<String, DeviceCapacity> amount : device.amounts().entrySet()) {
      Optional<BigDecimal> some = amount.getValue().taken(option.capacity().get(amount.getKey()));
      if (some.isEmpty()) {
        return null;
      }
      taken.put(amount.getKey(), some.get());
    }
    return taken;
  }

  private boolean hasCapacity(Choice choice) {
    Device device = choice.device();
    for (Map.Entry<String, BigDecimal> some : choice.taken().entrySet()) {
      BigDecimal sum = some.getValue().add(usage.taken(device.id(), some.getKey()));
      for (Choice before : choices) {
        if (before.device() == device) {
          sum = sum.add(before.taken().get(some.getKey()));
        }
      }
      if (sum.compareTo(device.amounts().get(some.getKey()).value()) > 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether the constraints of its claim hold. */
  private boolean goesWithOthers(Choice choice) {
    for (ResourceClaim.Constraint constraint : choice.claim().constraints()) {
      if (!constraint.isAbout(choice.request(), choice.option())) {
        continue;
      }
      Object value = choice.device().attribute(constraint.attribute());
      if (value == null) {
        return false;
      }
      for (Choice before : choices) {
        if (before.claim() == choice.claim()
            && constraint.isAbout(before.request(), before.option())
            && !value.equals(before.device().attribute(constraint.attribute()))) {
          return false;
        }
      }
    }
    return true;
  }

  // ---- counters ----

  private boolean hasCounters(Device device) {
    if (device.counters().isEmpty()) {
      return true;
    }
    Map<String, Map<String, BigDecimal>> of = left(device);
    for (Map.Entry<String, Map<String, BigDecimal>> set : device.counters().entrySet()) {
      Map<String, BigDecimal> some = of.getOrDefault(set.getKey(), Map.of());
      for (Map.Entry<String, BigDecimal> counter : set.getValue().entrySet()) {
        BigDecimal there = some.getOrDefault(counter.getKey(), BigDecimal.ZERO);
        if (there.compareTo(counter.getValue()) < 0) {
          return false;
        }
      }
    }
    return true;
  }

  /** What the counters of a device's pool have left, without the devices that claims have. */
  private Map<String, Map<String, BigDecimal>> left(Device device) {
    return left.computeIfAbsent(
        pools.pool(device.id()),
        pool -> {
          Map<String, Map<String, BigDecimal>> some = new HashMap<>();
          pool.counters().forEach((set, counters) -> some.put(set, new HashMap<>(counters)));
          for (Device other : pool.devices()) {
            if (usage.isUsed(other.id())) {
              add(some, other, -1);
            }
          }
          return some;
        });
  }

  private void count(Device device, int sign) {
    if (!device.counters().isEmpty()) {
      add(left(device), device, sign);
    }
  }

  private static void add(Map<String, Map<String, BigDecimal>> left, Device device, int sign) {
    BigDecimal factor = BigDecimal.valueOf(sign);
    device
        .counters()
        .forEach(
            (set, counters) ->
                counters.forEach(
                    (name, value) ->
                        left.computeIfAbsent(set, none -> new HashMap<>())
                            .merge(name, value.multiply(factor), BigDecimal::add)));
  }
}
