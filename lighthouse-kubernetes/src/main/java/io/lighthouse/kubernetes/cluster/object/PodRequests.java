package io.lighthouse.kubernetes.cluster.object;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
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
  private final String subject;
  private final Part spec;
  private final Part status;
  private final Map<String, Part> statuses = new HashMap<>();
  private final boolean infeasible;

  /**
   * A part of the pod.
   *
   * @param path where it is, as messages say it: only they need it
   */
  private record Part(Supplier<String> path, JsonNode value) {
    Part at(String field) {
      return new Part(() -> path.get() + "." + field, value.path(field));
    }

    List<Part> elements() {
      List<Part> elements = new ArrayList<>(value.size());
      for (JsonNode element : value) {
        int place = elements.size();
        elements.add(new Part(() -> path.get() + "[" + place + "]", element));
      }
      return elements;
    }

    /** Whether it is an init container that runs on beside the others. */
    boolean stays() {
      return ObjectFields.text(value, "restartPolicy").equals("Always");
    }
  }

  private PodRequests(JsonNode pod) {
    subject = "pod '" + ObjectFields.key(pod) + "'";
    spec = new Part(() -> "spec", pod.path("spec"));
    status = new Part(() -> "status", pod.path("status"));
    for (String list : List.of("containerStatuses", "initContainerStatuses")) {
      for (Part one : status.at(list).elements()) {
        statuses.put(ObjectFields.text(one.value, "name"), one);
      }
    }
    JsonNode resize = ObjectFields.condition(pod, "PodResizePending");
    infeasible = ObjectFields.text(resize, "reason").equals("Infeasible");
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
  static List<PodFacts.Container> containers(JsonNode pod) {
    PodRequests all = new PodRequests(pod);
    List<PodFacts.Container> containers = new ArrayList<>();
    for (String list : List.of("initContainers", "containers")) {
      for (Part container : all.spec.at(list).elements()) {
        SortedMap<String, Long> requests = new TreeMap<>();
        all.read(container.at("resources").at("requests"))
            .forEach(
                (resource, quantity) ->
                    requests.put(
                        resource,
                        KubeQuantity.units(resource, quantity, KubeQuantity.MOST_OF_A_POD)));
        boolean endsFirst = list.equals("initContainers") && !container.stays();
        String name = ObjectFields.text(container.value, "name");
        containers.add(new PodFacts.Container(name, endsFirst, requests));
      }
    }
    return List.copyOf(containers);
  }

  private Map<String, BigDecimal> sum() {
    Map<String, BigDecimal> sum = new HashMap<>();
    for (Part container : spec.at("containers").elements()) {
      add(sum, ofContainer(container, true));
    }
    Map<String, BigDecimal> sidecars = new HashMap<>();
    Map<String, BigDecimal> largest = new HashMap<>();
    for (Part container : spec.at("initContainers").elements()) {
      boolean stays = container.stays();
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
    add(sum, read(spec.at("overhead")));
    return sum;
  }

  private Map<String, BigDecimal> ofContainer(Part container, boolean resizable) {
    Map<String, BigDecimal> asked = quantities(container.at("resources"));
    Part own = resizable ? statuses.get(ObjectFields.text(container.value, "name")) : null;
    return own == null ? asked : held(asked, own);
  }

  /** What {@code spec.resources} replaces. */
  private Map<String, BigDecimal> ofPod() {
    Map<String, BigDecimal> asked = quantities(spec.at("resources"));
    Map<String, BigDecimal> held = held(asked, status);
    Map<String, BigDecimal> replaced = new HashMap<>();
    for (String resource : asked.keySet()) {
      replaced.put(resource, held.getOrDefault(resource, BigDecimal.ZERO));
    }
    return replaced;
  }

  /** While it is resized, the largest of the new request, what is in force and the allocation. */
  private Map<String, BigDecimal> held(Map<String, BigDecimal> asked, Part status) {
    Part resources = status.at("resources");
    if (!resources.value.isObject()) {
      return asked;
    }
    Map<String, BigDecimal> held = infeasible ? new HashMap<>() : new HashMap<>(asked);
    raise(held, read(resources.at("requests")));
    raise(held, read(status.at("allocatedResources")));
    return held;
  }

  /** Requests; a missing one equals its limit. */
  private Map<String, BigDecimal> quantities(Part resources) {
    Map<String, BigDecimal> asked = read(resources.at("limits"));
    asked.putAll(read(resources.at("requests")));
    return asked;
  }

  private Map<String, BigDecimal> read(Part list) {
    Map<String, BigDecimal> quantities = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : list.value.properties()) {
      Part one = list.at(entry.getKey());
      quantities.put(entry.getKey(), KubeQuantity.read(subject, one.path, one.value));
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
