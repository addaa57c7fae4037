package io.lighthouse.kubernetes.cluster.device;

import io.lighthouse.kubernetes.cluster.object.PodFacts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The claim that a pod gets for its extended resources which devices provide: a request for each
 * container and resource. An init container that ends first uses the devices of the containers
 * behind it, and all of these share one request for what they need beyond that. (Upstream:
 * extendeddynamicresources.go.)
 *
 * @param claim the claim, which is not created yet. Its name follows from the uid of the pod, so a
 *     pod has one such claim at most, and whether it was created can be looked up
 * @param podStatus what the status of the pod says of it
 */
record ExtendedClaim(ResourceClaim claim, ObjectNode podStatus) {
  /** With the value "true": the claim is one of these. */
  static final String ANNOTATION = "resource.kubernetes.io/extended-resource-claim";

  /** The field of a pod's status that names its claim. */
  private static final String STATUS = "extendedResourceClaimStatus";

  /** Pods of longer names are not named by their claims: the name of an object has 253 letters. */
  private static final int LONGEST_NAME = 190;

  /** A request for a resource, or what is to become one. */
  private record Request(String name, long count) {}

  /** That a container uses the devices of a request; null for the one that all share. */
  private record Use(String container, String request) {}

  /**
   * The claim of a pod.
   *
   * @param resources the resources that devices provide
   * @param classes the class that provides each resource
   */
  static ExtendedClaim of(
      PodFacts pod, Collection<String> resources, Map<String, DeviceClass> classes) {
    String name = name(pod);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("apiVersion", "resource.k8s.io/v1").put("kind", "ResourceClaim");
    ObjectNode metadata = json.putObject("metadata");
    metadata.put("name", name).put("namespace", pod.pod.namespace());
    metadata.putObject("annotations").put(ANNOTATION, "true");
    metadata.putArray("finalizers").add(ResourceClaim.FINALIZER);
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "v1")
        .put("kind", "Pod")
        .put("name", pod.pod.name())
        .put("uid", pod.pod.uid())
        .put("controller", true);
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    ObjectNode ofPod = status.putObject(STATUS).put("resourceClaimName", name);
    ArrayNode mappings = ofPod.putArray("requestMappings");
    SortedMap<String, ObjectNode> requests = new TreeMap<>();
    for (String resource : new TreeSet<>(resources)) {
      add(pod.containers, resource, classes.get(resource).name(), requests, mappings);
    }
    json.putObject("spec").putObject("devices").putArray("requests").addAll(requests.values());
    return new ExtendedClaim(ResourceClaim.of(json), status);
  }

  /** What the status of a pod says that has no such claim any more. */
  static ObjectNode noPodStatus() {
    return JsonNodeFactory.instance.objectNode().putNull(STATUS);
  }

  private static String name(PodFacts pod) {
    String name = "extended-resources-" + pod.pod.uid();
    return pod.pod.name().length() > LONGEST_NAME ? name : pod.pod.name() + "-" + name;
  }

  private static void add(
      List<PodFacts.Container> containers,
      String resource,
      String deviceClass,
      SortedMap<String, ObjectNode> requests,
      ArrayNode mappings) {
    Request[] lasting = new Request[containers.size()];
    List<Use> uses = new ArrayList<>();
    for (int i = 0; i < lasting.length; i++) {
      PodFacts.Container container = containers.get(i);
      long count = container.requests().getOrDefault(resource, 0L);
      if (count > 0 && !container.endsFirst()) {
        lasting[i] = new Request(requestName(i, container, resource), count);
        uses.add(new Use(container.name(), lasting[i].name()));
      }
    }
    Request shared = new Request("", 0);
    for (int i = 0; i < lasting.length; i++) {
      PodFacts.Container container = containers.get(i);
      long lacks = container.endsFirst() ? container.requests().getOrDefault(resource, 0L) : 0;
      for (int later = i; later < lasting.length && lacks > 0; later++) {
        if (lasting[later] != null) {
          uses.add(new Use(container.name(), lasting[later].name()));
          lacks -= lasting[later].count();
        }
      }
      if (lacks > 0) {
        uses.add(new Use(container.name(), null));
        if (lacks > shared.count()) {
          shared = new Request(requestName(i, container, resource), lacks);
        }
      }
    }
    if (shared.count() > 0) {
      requests.put(shared.name(), json(shared, deviceClass));
    }
    for (Request request : lasting) {
      if (request != null) {
        requests.put(request.name(), json(request, deviceClass));
      }
    }
    for (Use use : uses) {
      mappings
          .addObject()
          .put("containerName", use.container())
          .put("resourceName", resource)
          .put("requestName", use.request() == null ? shared.name() : use.request());
    }
  }

  /** By the place of the container, and that of the resource among all that it requests. */
  private static String requestName(int index, PodFacts.Container container, String resource) {
    int place = container.requests().headMap(resource).size();
    return "container-" + index + "-request-" + place;
  }

  private static ObjectNode json(Request request, String deviceClass) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("name", request.name());
    json.putObject("exactly")
        .put("deviceClassName", deviceClass)
        .put("allocationMode", "ExactCount")
        .put("count", request.count());
    return json;
  }
}
