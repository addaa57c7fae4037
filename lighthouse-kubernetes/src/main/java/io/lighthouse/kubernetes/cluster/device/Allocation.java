package io.lighthouse.kubernetes.cluster.device;

import io.lighthouse.kubernetes.cluster.object.KubeQuantity;
import io.lighthouse.kubernetes.cluster.object.NodeSelection;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.UnsupportedFieldException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * The devices that a claim has.
 *
 * @param uses the devices, in the order of its requests; without those that it has admin access to,
 *     for that takes nothing from others
 * @param nodes the nodes that reach all of them
 * @param json the same as {@code status.allocation} of the claim
 */
public record Allocation(List<Allocation.Use> uses, NodeSelection nodes, JsonNode json) {
  /**
   * A device of a claim.
   *
   * @param request the name of the request, or of an alternative of it
   * @param device the device
   * @param isExclusive whether no other claim may have the device; if not, it is a share
   * @param taken by name, what a share takes of the device
   */
  record Use(
      String request, Device.Id device, boolean isExclusive, Map<String, BigDecimal> taken) {}

  /** Reads {@code status.allocation}. Nodes that cannot be read are none. */
  static Allocation of(JsonNode json) {
    List<Use> uses = new ArrayList<>();
    for (JsonNode one : json.path("devices").path("results")) {
      if (one.path("adminAccess").asBoolean(false)) {
        continue;
      }
      Map<String, BigDecimal> taken = new TreeMap<>();
      for (Map.Entry<String, JsonNode> some : one.path("consumedCapacity").properties()) {
        taken.put(some.getKey(), KubeQuantity.read(some.getValue()));
      }
      uses.add(
          new Use(
              ObjectFields.text(one, "request"),
              new Device.Id(
                  ObjectFields.text(one, "driver"),
                  ObjectFields.text(one, "pool"),
                  ObjectFields.text(one, "device")),
              !one.path("shareID").isString(),
              taken));
    }
    return new Allocation(List.copyOf(uses), nodes(json.path("nodeSelector")), json);
  }

  private static NodeSelection nodes(JsonNode selector) {
    if (!selector.isObject()) {
      return NodeSelection.ALL;
    }
    try {
      return NodeSelection.ofTerms(selector, "nodeSelector");
    } catch (UnsupportedFieldException unreadable) {
      return new NodeSelection(List.of(), true, List.of());
    }
  }

  /**
   * Whether another allocation has the same devices for the same requests. What shares take follows
   * from that; a server may write it in another way.
   */
  public boolean hasDevicesOf(Allocation other) {
    return places().equals(other.places());
  }

  private List<List<Object>> places() {
    return uses.stream().map(use -> List.<Object>of(use.request(), use.device())).toList();
  }
}
