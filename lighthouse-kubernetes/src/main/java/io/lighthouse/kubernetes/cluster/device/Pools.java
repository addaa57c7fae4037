package io.lighthouse.kubernetes.cluster.device;

import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.NodeSelection;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The pools of devices, made of the ResourceSlices of the drivers. A pool counts once all slices of
 * its last generation are there, and no device is there twice. For one thread.
 */
final class Pools {
  private static final Comparator<Device> BY_ID = Comparator.comparing(Device::id);

  private final Map<String, ResourceSlice> slices = new HashMap<>();

  /** The slices of each pool, by their names. */
  private final Map<Key, TreeMap<String, ResourceSlice>> slicesOf = new HashMap<>();

  private final Map<Key, Pool> pools = new HashMap<>();

  /** The devices of one node alone, by the node. A search that ends early has its order. */
  private final Map<String, Map<Key, List<Device>>> local = new TreeMap<>();

  /** The devices that several nodes reach, by the selection of these nodes. */
  private final Map<NodeSelection, Map<Key, List<Device>>> shared = new LinkedHashMap<>();

  /**
   * What a node reaches. Nodes of which this is equal reach the same devices.
   *
   * @param node the node, if it has devices of its own; empty for none
   * @param shared by the selections of their nodes, the devices that several nodes reach
   */
  record Reached(String node, List<NodeSelection> shared) {}

  private record Key(String driver, String pool) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::driver).thenComparing(Key::pool);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  /** A slice has come or changed. Returns whether anything is different. */
  boolean changed(ResourceSlice slice) {
    ResourceSlice before = slices.put(slice.name(), slice);
    if (slice.equals(before)) {
      return false;
    }
    if (before != null) {
      removeFromPool(before);
    }
    Key key = new Key(slice.driver(), slice.pool());
    slicesOf.computeIfAbsent(key, none -> new TreeMap<>()).put(slice.name(), slice);
    build(key);
    return true;
  }

  void gone(String slice) {
    ResourceSlice before = slices.remove(slice);
    if (before != null) {
      removeFromPool(before);
    }
  }

  private void removeFromPool(ResourceSlice slice) {
    Key key = new Key(slice.driver(), slice.pool());
    Map<String, ResourceSlice> some = slicesOf.get(key);
    some.remove(slice.name());
    if (some.isEmpty()) {
      slicesOf.remove(key);
    }
    build(key);
  }

  /** Makes a pool anew from its slices. */
  private void build(Key key) {
    Pool before = pools.remove(key);
    if (before != null) {
      for (Device device : before.devices()) {
        remove(local, device.reach().node(), key);
        remove(shared, device.reach().nodes(), key);
      }
    }
    Pool pool = complete(key);
    if (pool == null) {
      return;
    }
    pools.put(key, pool);
    for (Device device : pool.devices()) {
      Device.Reach reach = device.reach();
      Map<Key, List<Device>> of =
          reach.node().isEmpty()
              ? shared.computeIfAbsent(reach.nodes(), none -> new TreeMap<>())
              : local.computeIfAbsent(reach.node(), none -> new TreeMap<>());
      of.computeIfAbsent(key, none -> new ArrayList<>()).add(device);
    }
  }

  private static <R> void remove(Map<R, Map<Key, List<Device>>> from, R reach, Key pool) {
    Map<Key, List<Device>> some = from.get(reach);
    if (some != null && some.remove(pool) != null && some.isEmpty()) {
      from.remove(reach);
    }
  }

  /** The pool; null where slices are missing or cannot be counted, or a name is there twice. */
  private Pool complete(Key key) {
    List<ResourceSlice> last = new ArrayList<>();
    for (ResourceSlice slice : slicesOf.getOrDefault(key, new TreeMap<>()).values()) {
      if (!last.isEmpty() && slice.generation() > last.get(0).generation()) {
        last.clear();
      }
      if (last.isEmpty() || slice.generation() == last.get(0).generation()) {
        last.add(slice);
      }
    }
    if (last.isEmpty() || last.size() != last.get(0).count()) {
      return null;
    }
    Set<String> names = new HashSet<>();
    List<Device> devices = new ArrayList<>();
    Map<String, Map<String, BigDecimal>> counters = new TreeMap<>();
    for (ResourceSlice slice : last) {
      if (!slice.isComplete()) {
        return null;
      }
      for (String name : slice.names()) {
        if (!names.add(name)) {
          return null;
        }
      }
      devices.addAll(slice.devices());
      counters.putAll(slice.counters());
    }
    devices.sort(BY_ID);
    return new Pool(List.copyOf(devices), counters);
  }

  /** The pool of a device; null where it is not known, or not complete. */
  Pool pool(Device.Id device) {
    return pools.get(new Key(device.driver(), device.pool()));
  }

  /** Whether devices exist that several nodes reach. */
  boolean areShared() {
    return !shared.isEmpty();
  }

  /** The nodes with devices of their own, in order. */
  Set<String> nodesWithDevices() {
    return local.keySet();
  }

  /** What a node reaches. */
  Reached reached(NodeFacts node) {
    return new Reached(
        local.containsKey(node.name()) ? node.name() : "",
        shared.keySet().stream().filter(nodes -> nodes.matches(node)).toList());
  }

  /** The devices that nodes reach, in the order of drivers, pools and names. */
  List<Device> devices(Reached reached) {
    List<Device> devices = new ArrayList<>();
    local.getOrDefault(reached.node(), Map.of()).values().forEach(devices::addAll);
    reached.shared().forEach(nodes -> shared.get(nodes).values().forEach(devices::addAll));
    if (!reached.shared().isEmpty()) {
      devices.sort(BY_ID);
    }
    return devices;
  }
}
