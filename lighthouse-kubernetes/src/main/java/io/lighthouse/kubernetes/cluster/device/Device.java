package io.lighthouse.kubernetes.cluster.device;

import io.lighthouse.kubernetes.cluster.object.KubeQuantity;
import io.lighthouse.kubernetes.cluster.object.NodeSelection;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.Taint;
import io.lighthouse.kubernetes.cluster.object.UnsupportedFieldException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * A device that a driver publishes in a ResourceSlice. Immutable.
 *
 * @param id what it is known by
 * @param reach the nodes that reach it
 * @param allowsMultipleAllocations whether several claims may share it
 * @param attributes by domain and name: String, Long, Boolean or {@link DeviceExpression.Version}
 * @param amounts by the name in the slice, what it has of each capacity
 * @param capacity the same values by domain and name
 * @param taints its taints
 * @param counters by set and name, what it takes of the counters of its pool
 */
record Device(
    Device.Id id,
    Device.Reach reach,
    boolean allowsMultipleAllocations,
    Map<String, Map<String, Object>> attributes,
    Map<String, DeviceCapacity> amounts,
    Map<String, Map<String, BigDecimal>> capacity,
    List<Taint> taints,
    Map<String, Map<String, BigDecimal>> counters)
    implements DeviceExpression.Subject {

  /** What a device is known by in the cluster. */
  record Id(String driver, String pool, String name) implements Comparable<Id> {
    private static final Comparator<Id> ORDER =
        Comparator.comparing(Id::driver).thenComparing(Id::pool).thenComparing(Id::name);

    @Override
    public int compareTo(Id other) {
      return ORDER.compare(this, other);
    }

    // A search for devices spends most of its time here; those of a record take a quarter more.

    @Override
    public boolean equals(Object other) {
      return other instanceof Id that
          && name.equals(that.name)
          && pool.equals(that.pool)
          && driver.equals(that.driver);
    }

    @Override
    public int hashCode() {
      // With 31 as factor, devices and pools with numbers in their names collide.
      return (name.hashCode() * 1_000_003 + pool.hashCode()) * 1_000_003 + driver.hashCode();
    }
  }

  /**
   * The nodes that reach a device.
   *
   * @param node the only node; empty where {@code nodes} says which
   * @param nodes the selection of nodes
   * @param selector the selection as the slice has it; missing where all nodes are selected
   */
  record Reach(String node, NodeSelection nodes, JsonNode selector) {
    /** Reads the fields of a slice or device; null where none of them is there. */
    static Reach of(JsonNode object) {
      String node = ObjectFields.text(object, "nodeName");
      if (!node.isEmpty()) {
        return new Reach(node, NodeSelection.ALL, object.path("nodeSelector"));
      }
      JsonNode selector = object.path("nodeSelector");
      if (selector.isObject()) {
        return new Reach("", NodeSelection.ofTerms(selector, "nodeSelector"), selector);
      }
      return object.path("allNodes").asBoolean(false)
          ? new Reach("", NodeSelection.ALL, selector)
          : null;
    }
  }

  /**
   * Reads a device.
   *
   * @param ofSlice the nodes of its slice; null where each device has its own
   * @throws UnsupportedFieldException if it says what is not supported
   */
  static Device of(String driver, String pool, Reach ofSlice, JsonNode object) {
    ObjectFields.requireKnown(
        object,
        "devices",
        "name",
        "attributes",
        "capacity",
        "consumesCounters",
        "nodeName",
        "nodeSelector",
        "allNodes",
        "taints",
        "allowMultipleAllocations");
    Reach reach = ofSlice != null ? ofSlice : Reach.of(object);
    if (reach == null) {
      throw new UnsupportedFieldException("a device without nodes");
    }
    Map<String, DeviceCapacity> amounts = new TreeMap<>();
    Map<String, Map<String, BigDecimal>> capacity = new TreeMap<>();
    for (Map.Entry<String, JsonNode> one : object.path("capacity").properties()) {
      DeviceCapacity amount = DeviceCapacity.of(one.getValue());
      amounts.put(one.getKey(), amount);
      put(capacity, driver, one.getKey(), amount.value());
    }
    Map<String, Map<String, Object>> attributes = new TreeMap<>();
    for (Map.Entry<String, JsonNode> one : object.path("attributes").properties()) {
      Object value = attribute(one.getValue());
      if (value != null) {
        put(attributes, driver, one.getKey(), value);
      }
    }
    List<Taint> taints = new ArrayList<>();
    object.path("taints").forEach(taint -> taints.add(Taint.of(taint)));
    boolean isShared = object.path("allowMultipleAllocations").asBoolean(false);
    Map<String, Map<String, BigDecimal>> counters = counters(object.path("consumesCounters"));
    if (isShared && !counters.isEmpty()) {
      throw new UnsupportedFieldException("consumesCounters with allowMultipleAllocations");
    }
    return new Device(
        new Id(driver, pool, ObjectFields.text(object, "name")),
        reach,
        isShared,
        attributes,
        amounts,
        capacity,
        List.copyOf(taints),
        counters);
  }

  /** A name without a domain is in the domain of the driver. */
  private static <V> void put(
      Map<String, Map<String, V>> byDomain, String driver, String qualified, V value) {
    int slash = qualified.indexOf('/');
    String domain = slash < 0 ? driver : qualified.substring(0, slash);
    byDomain
        .computeIfAbsent(domain, none -> new TreeMap<>())
        .put(qualified.substring(slash + 1), value);
  }

  /** The value of an attribute; null for a list, which our expressions cannot read. */
  private static Object attribute(JsonNode attribute) {
    if (attribute.path("int").isNumber()) {
      return attribute.path("int").longValue();
    }
    if (attribute.path("bool").isBoolean()) {
      return attribute.path("bool").booleanValue();
    }
    if (attribute.path("string").isString()) {
      return attribute.path("string").asString();
    }
    try {
      return new DeviceExpression.Version(attribute.path("version").asString(""));
    } catch (IllegalArgumentException none) {
      return null;
    }
  }

  /** By set and name, the values of some counters. */
  static Map<String, Map<String, BigDecimal>> counters(JsonNode sets) {
    Map<String, Map<String, BigDecimal>> counters = new TreeMap<>();
    for (JsonNode set : sets) {
      String name = ObjectFields.text(set, set.has("counterSet") ? "counterSet" : "name");
      for (Map.Entry<String, JsonNode> one : set.path("counters").properties()) {
        counters
            .computeIfAbsent(name, none -> new TreeMap<>())
            .put(one.getKey(), KubeQuantity.read(one.getValue().path("value")));
      }
    }
    return counters;
  }

  @Override
  public String driver() {
    return id.driver();
  }

  /** The value of an attribute by its full name, {@code domain/name}; null where it has none. */
  Object attribute(String fullName) {
    int slash = fullName.indexOf('/');
    Map<String, Object> ofDomain =
        attributes.getOrDefault(fullName.substring(0, Math.max(0, slash)), Map.of());
    return ofDomain.get(fullName.substring(slash + 1));
  }
}
