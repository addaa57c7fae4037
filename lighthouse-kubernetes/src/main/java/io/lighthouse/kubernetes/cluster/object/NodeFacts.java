package io.lighthouse.kubernetes.cluster.object;

import io.lighthouse.api.error.InvalidInputException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * What counts of a node.
 *
 * @param name its name
 * @param labels in the order of keys
 * @param taints as given, each once
 * @param unschedulable whether it is closed to pods that do not tolerate that
 * @param allocatable what pods may have of it, in the units of {@link KubeQuantity#units}, or
 *     {@link #UNLIMITED}; {@code pods} always
 */
public record NodeFacts(
    String name,
    Map<String, String> labels,
    List<Taint> taints,
    boolean unschedulable,
    Map<String, Long> allocatable) {
  /** The resource that counts pods. */
  public static final String PODS = "pods";

  /** More than pods can use: of a resource that does not decide whether a pod fits the node. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  /**
   * Reads a node; capacity is not looked at.
   *
   * @throws InvalidInputException if it has no name, or a quantity is none
   */
  public static NodeFacts of(JsonNode node) {
    String name = ObjectFields.text(node.path("metadata"), "name");
    if (name.isEmpty()) {
      throw new InvalidInputException("node", "metadata.name", "nothing", "a name");
    }
    List<Taint> taints = new ArrayList<>();
    for (JsonNode taint : node.path("spec").path("taints")) {
      Taint one = Taint.of(taint);
      if (!taints.contains(one)) {
        taints.add(one);
      }
    }
    Map<String, Long> allocatable = new TreeMap<>();
    allocatable.put(PODS, 0L);
    for (Map.Entry<String, JsonNode> entry : node.path("status").path("allocatable").properties()) {
      String resource = entry.getKey();
      if (resource.equals(PODS) || PodRequests.counts(resource)) {
        allocatable.put(resource, units(name, resource, entry.getValue()));
      }
    }
    return new NodeFacts(
        name,
        ObjectFields.labels(node.path("metadata").path("labels")),
        List.copyOf(taints),
        node.path("spec").path("unschedulable").asBoolean(false),
        allocatable);
  }

  /** The node, with as much as pods may request of some resources, but of no others. */
  public NodeFacts withUnlimited(Set<String> resources) {
    if (resources.isEmpty() && !allocatable.containsValue(UNLIMITED)) {
      return this;
    }
    Map<String, Long> amounts = new TreeMap<>(allocatable);
    amounts.values().removeIf(amount -> amount == UNLIMITED);
    for (String resource : resources) {
      amounts.merge(resource, UNLIMITED, (own, unlimited) -> own > 0 ? own : unlimited);
    }
    return new NodeFacts(name, labels, taints, unschedulable, amounts);
  }

  /** Whether a resource does not decide whether a pod fits the node. */
  public boolean isUnlimited(String resource) {
    return allocatable.getOrDefault(resource, 0L) == UNLIMITED;
  }

  private static long units(String node, String resource, JsonNode value) {
    BigDecimal quantity =
        KubeQuantity.read("node '" + node + "'", () -> "status.allocatable." + resource, value);
    return KubeQuantity.units(resource, quantity, KubeQuantity.MOST_OF_A_NODE);
  }
}
