package io.lighthouse.kubernetes.cluster.object;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * The effective request of a pod: what it holds of its node.
 *
 * <p>Application containers are summed, and with them the init containers that go on running
 * (sidecars). The other init containers run one after the other, each beside the sidecars before
 * it; the largest of that is the least that counts. Then {@code spec.resources} replaces cpu,
 * memory and huge pages, and {@code spec.overhead} comes on top. While a container or pod is being
 * resized, the largest of three counts: the new request, the allocation, and what is in force. The
 * new request does not count where the node has found it infeasible. Source: {@code
 * k8s.io/component-helpers/resource.PodRequests}.
 */
final class PodRequests {
  private final JsonNode pod;
  private final Map<String, JsonNode> statuses = new HashMap<>();
  private final boolean infeasible;

  private PodRequests(JsonNode pod) {
    this.pod = pod;
    for (String list : List.of("containerStatuses", "initContainerStatuses")) {
      for (JsonNode status : pod.path("status").path(list)) {
        statuses.put(ObjectFields.text(status, "name"), status);
      }
    }
    boolean resize = false;
    for (JsonNode condition : pod.path("status").path("conditions")) {
      resize |=
          ObjectFields.text(condition, "type").equals("PodResizePending")
              && ObjectFields.text(condition, "reason").equals("Infeasible");
    }
    infeasible = resize;
  }

  /** Whether the stock scheduler counts a resource of this name: {@code storage} it does not. */
  static boolean counts(String resource) {
    return resource.indexOf('/') > 0
        || resource.equals("cpu")
        || resource.equals("memory")
        || resource.equals("ephemeral-storage")
        || resource.startsWith("hugepages-")
        || resource.startsWith("attachable-volumes-");
  }

  /**
   * The request, in the units of {@link KubeQuantity#units}; nothing of 0 is in it, and more than
   * {@link KubeQuantity#MOST_OF_A_BOUND_POD} is counted as that.
   */
  static Map<String, Long> of(JsonNode pod) {
    Map<String, Long> units = new TreeMap<>();
    new PodRequests(pod)
        .sum()
        .forEach(
            (resource, sum) -> {
              long amount = KubeQuantity.units(resource, sum, KubeQuantity.MOST_OF_A_BOUND_POD);
              if (amount > 0 && counts(resource)) {
                units.put(resource, amount);
              }
            });
    return units;
  }

  /** What each init container requests by itself, and then each other container. */
  static List<PodFacts.Container> containers(JsonNode spec) {
    List<PodFacts.Container> containers = new ArrayList<>();
    for (String list : List.of("initContainers", "containers")) {
      for (JsonNode container : spec.path(list)) {
        SortedMap<String, Long> requests = new TreeMap<>();
        read(container.path("resources").path("requests"))
            .forEach(
                (resource, quantity) ->
                    requests.put(
                        resource,
                        KubeQuantity.units(resource, quantity, KubeQuantity.MOST_OF_A_POD)));
        boolean endsFirst = list.equals("initContainers") && !stays(container);
        containers.add(
            new PodFacts.Container(ObjectFields.text(container, "name"), endsFirst, requests));
      }
    }
    return List.copyOf(containers);
  }

  /** Whether an init container runs on beside the others. */
  private static boolean stays(JsonNode container) {
    return ObjectFields.text(container, "restartPolicy").equals("Always");
  }

  private Map<String, BigDecimal> sum() {
    JsonNode spec = pod.path("spec");
    Map<String, BigDecimal> sum = new HashMap<>();
    for (JsonNode container : spec.path("containers")) {
      add(sum, ofContainer(container, true));
    }
    Map<String, BigDecimal> sidecars = new HashMap<>();
    Map<String, BigDecimal> largest = new HashMap<>();
    for (JsonNode container : spec.path("initContainers")) {
      boolean stays = stays(container);
      Map<String, BigDecimal> own = new HashMap<>(ofContainer(container, stays));
      if (stays) {
        add(sum, own);
        add(sidecars, own);
        raise(largest, sidecars);
      } else {
        add(own, sidecars);
        raise(largest, own);
      }
    }
    raise(sum, largest);
    ofPod()
        .forEach(
            (resource, quantity) -> {
              if (resource.equals("cpu")
                  || resource.equals("memory")
                  || resource.startsWith("hugepages-")) {
                sum.put(resource, quantity);
              }
            });
    add(sum, read(spec.path("overhead")));
    return sum;
  }

  private Map<String, BigDecimal> ofContainer(JsonNode container, boolean resizable) {
    Map<String, BigDecimal> asked = quantities(container.path("resources"));
    JsonNode status = resizable ? statuses.get(ObjectFields.text(container, "name")) : null;
    return status == null ? asked : held(asked, status);
  }

  /** What {@code spec.resources} replaces. */
  private Map<String, BigDecimal> ofPod() {
    Map<String, BigDecimal> asked = quantities(pod.path("spec").path("resources"));
    Map<String, BigDecimal> held = held(asked, pod.path("status"));
    Map<String, BigDecimal> replaced = new HashMap<>();
    for (String resource : asked.keySet()) {
      replaced.put(resource, held.getOrDefault(resource, BigDecimal.ZERO));
    }
    return replaced;
  }

  /** While it is resized, the largest of the new request, what is in force and the allocation. */
  private Map<String, BigDecimal> held(Map<String, BigDecimal> asked, JsonNode status) {
    if (!status.path("resources").isObject()) {
      return asked;
    }
    Map<String, BigDecimal> held = infeasible ? new HashMap<>() : new HashMap<>(asked);
    raise(held, read(status.path("resources").path("requests")));
    raise(held, read(status.path("allocatedResources")));
    return held;
  }

  /** Requests; a missing one equals its limit. */
  private static Map<String, BigDecimal> quantities(JsonNode resources) {
    Map<String, BigDecimal> asked = read(resources.path("limits"));
    asked.putAll(read(resources.path("requests")));
    return asked;
  }

  private static Map<String, BigDecimal> read(JsonNode list) {
    Map<String, BigDecimal> quantities = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : list.properties()) {
      quantities.put(entry.getKey(), KubeQuantity.read(entry.getKey(), entry.getValue()));
    }
    return quantities;
  }

  private static void add(Map<String, BigDecimal> to, Map<String, BigDecimal> more) {
    more.forEach((resource, quantity) -> to.merge(resource, quantity, BigDecimal::add));
  }

  private static void raise(Map<String, BigDecimal> to, Map<String, BigDecimal> least) {
    least.forEach((resource, quantity) -> to.merge(resource, quantity, BigDecimal::max));
  }
}
