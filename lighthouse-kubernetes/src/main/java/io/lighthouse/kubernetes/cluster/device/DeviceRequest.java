package io.lighthouse.kubernetes.cluster.device;

import io.lighthouse.kubernetes.cluster.object.KubeQuantity;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.Toleration;
import io.lighthouse.kubernetes.cluster.object.UnsupportedFieldException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * A request of a claim: some devices, by one of several alternatives.
 *
 * @param name its name in the claim
 * @param options the alternatives, the most wanted first
 */
record DeviceRequest(String name, List<DeviceRequest.Option> options) {
  /**
   * An alternative of a request.
   *
   * @param name what its devices are called in the allocation: {@code request} or {@code
   *     request/option}
   * @param deviceClass the name of the class that all its devices belong to
   * @param selectors what its devices are like besides
   * @param count how many devices
   * @param tolerations the taints of devices that do not matter
   * @param toleration the same as the claim has them
   * @param capacity by name, how much of a capacity each of its devices has to have for it
   */
  record Option(
      String name,
      String deviceClass,
      List<DeviceExpression> selectors,
      int count,
      List<Toleration> tolerations,
      JsonNode toleration,
      Map<String, BigDecimal> capacity) {}

  /**
   * Reads a request.
   *
   * @throws UnsupportedFieldException if it asks for what is not supported
   */
  static DeviceRequest of(JsonNode request) {
    String name = ObjectFields.text(request, "name");
    String where = "request " + name;
    ObjectFields.requireKnown(request, where, "name", "exactly", "firstAvailable");
    List<Option> options = new ArrayList<>();
    if (request.path("exactly").isObject()) {
      options.add(option(name, where, request.path("exactly")));
    }
    for (JsonNode one : request.path("firstAvailable")) {
      options.add(option(name + "/" + ObjectFields.text(one, "name"), where, one));
    }
    if (options.isEmpty()) {
      throw new UnsupportedFieldException(where + " without exactly or firstAvailable");
    }
    return new DeviceRequest(name, List.copyOf(options));
  }

  /** The smallest number of devices that will do. */
  int leastDevices() {
    return options.stream().mapToInt(Option::count).min().orElse(0);
  }

  private static Option option(String name, String where, JsonNode one) {
    ObjectFields.requireKnown(
        one,
        where,
        "name",
        "deviceClassName",
        "selectors",
        "allocationMode",
        "count",
        "tolerations",
        "capacity");
    String mode = ObjectFields.text(one, "allocationMode");
    if (!mode.isEmpty() && !mode.equals("ExactCount")) {
      throw new UnsupportedFieldException(where + ".allocationMode: " + mode);
    }
    long count = one.path("count").asLong(1);
    if (count > ResourceClaim.MOST_DEVICES) {
      throw new UnsupportedFieldException(
          where + ": more than " + ResourceClaim.MOST_DEVICES + " devices");
    }
    List<Toleration> tolerations = new ArrayList<>();
    one.path("tolerations").forEach(toleration -> tolerations.add(Toleration.of(toleration)));
    ObjectFields.requireKnown(one.path("capacity"), where + ".capacity", "requests");
    Map<String, BigDecimal> capacity = new TreeMap<>();
    for (Map.Entry<String, JsonNode> asked : one.path("capacity").path("requests").properties()) {
      capacity.put(asked.getKey(), KubeQuantity.read(asked.getValue()));
    }
    return new Option(
        name,
        ObjectFields.text(one, "deviceClassName"),
        DeviceClass.selectors(one),
        (int) Math.max(1, count),
        List.copyOf(tolerations),
        one.path("tolerations"),
        capacity);
  }
}
