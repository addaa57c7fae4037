package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.kubernetes.cluster.object.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * A naive model of the default spread: every object is read as it is at each question. Which pods
 * are counted is written from {@code helper.DefaultSelector} and {@code podtopologyspread} of
 * kube-scheduler 1.36. Where that sums scores, the fewest pods by hostname are best here, and then
 * the fewest by zone. It shares no code with what it judges.
 */
final class StockDefaultSpread {
  /** Ways of getting a rule wrong. */
  enum Fault {
    NONE,
    NO_SPREAD,
    SERVICES_IGNORED,
    SERVICE_OF_ONE_LABEL_IS_ENOUGH,
    SERVICES_OF_OTHER_NAMESPACES,
    CONTROLLER_IGNORED,
    CONTROLLER_OF_OTHER_NAMESPACE,
    OWNER_THAT_IS_NO_CONTROLLER,
    VERSION_IGNORED,
    EVERY_SELECTOR_IN_PLACE_OF_NONE,
    WRONG_SELECTOR_MATCHES_NOTHING,
    REPLICATION_CONTROLLER_ADDS,
    ONLY_THE_CONTROLLER_COUNTS,
    PODS_OF_ALL_NAMESPACES,
    ENDING_PODS_COUNT,
    ZONE_FIRST,
    NO_ZONE,
    NO_HOSTNAME,
    NODES_WITHOUT_LABEL_ARE_WORST,
    OWN_SPREAD_DOES_NOT_REPLACE_IT
  }

  private static final String HOST = "kubernetes.io/hostname";
  private static final String ZONE = "topology.kubernetes.io/zone";

  private final List<JsonNode> nodes;
  private final List<JsonNode> pods;
  private final Map<Resource, Map<String, JsonNode>> owners;
  private final Fault fault;

  StockDefaultSpread(
      List<JsonNode> nodes,
      List<JsonNode> pods,
      Map<Resource, Map<String, JsonNode>> owners,
      Fault fault) {
    this.nodes = nodes;
    this.pods = pods;
    this.owners = owners;
    this.fault = fault;
  }

  /** The names of the nodes that are best for a pod; any of them will do. */
  List<String> best(JsonNode pod) {
    boolean own = !pod.at("/spec/topologySpreadConstraints").isEmpty();
    List<JsonNode> left = nodes;
    if (own) {
      Predicate<JsonNode> web = other -> label(other, "app").equals("web");
      left = least(left, "rack", pod, web, true);
    }
    if (own && fault != Fault.OWN_SPREAD_DOES_NOT_REPLACE_IT || fault == Fault.NO_SPREAD) {
      return names(left);
    }
    List<Predicate<JsonNode>> selector = selector(pod);
    if (selector.isEmpty()) {
      return names(left);
    }
    Predicate<JsonNode> all = other -> selector.stream().allMatch(one -> one.test(other));
    List<String> keys = new ArrayList<>(List.of(HOST, ZONE));
    switch (fault) {
      case ZONE_FIRST -> keys = List.of(ZONE, HOST);
      case NO_ZONE -> keys.remove(ZONE);
      case NO_HOSTNAME -> keys.remove(HOST);
      default -> {}
    }
    for (String key : keys) {
      left = least(left, key, pod, all, fault == Fault.NODES_WITHOUT_LABEL_ARE_WORST);
    }
    return names(left);
  }

  private static List<String> names(List<JsonNode> nodes) {
    return nodes.stream().map(node -> node.at("/metadata/name").asString()).toList();
  }

  private static String label(JsonNode object, String key) {
    return object.path("metadata").path("labels").path(key).asString("");
  }

  /** Those of some nodes with the fewest pods in their domain. */
  private List<JsonNode> least(
      List<JsonNode> among,
      String key,
      JsonNode pod,
      Predicate<JsonNode> counted,
      boolean worstWithoutLabel) {
    Map<String, Long> zones = new HashMap<>();
    for (JsonNode other : pods) {
      boolean alive = other.at("/metadata/deletionTimestamp").isMissingNode();
      boolean near =
          other.at("/metadata/namespace").equals(pod.at("/metadata/namespace"))
              || fault == Fault.PODS_OF_ALL_NAMESPACES;
      if (near && (alive || fault == Fault.ENDING_PODS_COUNT) && counted.test(other)) {
        for (JsonNode node : nodes) {
          if (node.at("/metadata/name").equals(other.at("/spec/nodeName"))) {
            zones.merge(label(node, key), 1L, Long::sum);
          }
        }
      }
    }
    TreeMap<Long, List<JsonNode>> byCount = new TreeMap<>();
    for (JsonNode node : among) {
      String value = label(node, key);
      long count =
          value.isEmpty() ? worstWithoutLabel ? Long.MAX_VALUE : 0 : zones.getOrDefault(value, 0L);
      byCount.computeIfAbsent(count, none -> new ArrayList<>()).add(node);
    }
    return byCount.firstEntry().getValue();
  }

  /** The requirements on the pods that count; none for no spread. */
  private List<Predicate<JsonNode>> selector(JsonNode pod) {
    String namespace = pod.at("/metadata/namespace").asString();
    Map<String, String> merged = new TreeMap<>();
    if (fault != Fault.SERVICES_IGNORED) {
      for (JsonNode service : owners.get(Resource.SERVICES).values()) {
        boolean here =
            service.at("/metadata/namespace").asString().equals(namespace)
                || fault == Fault.SERVICES_OF_OTHER_NAMESPACES;
        Map<String, String> labels = labels(service.at("/spec/selector"));
        boolean matches =
            fault == Fault.SERVICE_OF_ONE_LABEL_IS_ENOUGH
                ? labels.entrySet().stream().anyMatch(one -> has(pod, one))
                : labels.entrySet().stream().allMatch(one -> has(pod, one));
        if (here && matches) {
          merged.putAll(labels);
        }
      }
    }
    List<Predicate<JsonNode>> more = new ArrayList<>();
    JsonNode owner = fault == Fault.CONTROLLER_IGNORED ? null : controller(pod, namespace);
    if (owner != null) {
      if (fault == Fault.ONLY_THE_CONTROLLER_COUNTS) {
        merged.clear();
      }
      JsonNode selector = owner.at("/spec/selector");
      if (owners.get(Resource.REPLICATION_CONTROLLERS).containsValue(owner)) {
        if (fault == Fault.REPLICATION_CONTROLLER_ADDS) {
          labels(selector).entrySet().forEach(one -> more.add(other -> has(other, one)));
        } else {
          merged.putAll(labels(selector));
        }
      } else if (selector.isObject()) {
        more.addAll(requirements(selector));
      }
      if (fault == Fault.EVERY_SELECTOR_IN_PLACE_OF_NONE && selector.isMissingNode()) {
        more.add(other -> true);
      }
    }
    List<Predicate<JsonNode>> all = new ArrayList<>(more);
    merged.entrySet().forEach(one -> all.add(other -> has(other, one)));
    return all;
  }

  /** None where a requirement is not valid. */
  private List<Predicate<JsonNode>> requirements(JsonNode selector) {
    List<Predicate<JsonNode>> found = new ArrayList<>();
    labels(selector.path("matchLabels"))
        .entrySet()
        .forEach(one -> found.add(other -> has(other, one)));
    for (JsonNode expression : selector.path("matchExpressions")) {
      String key = expression.path("key").asString();
      String value = expression.path("values").path(0).asString("");
      switch (expression.path("operator").asString()) {
        case "In" -> found.add(other -> label(other, key).equals(value));
        case "NotIn" -> found.add(other -> !label(other, key).equals(value));
        case "Exists" -> found.add(other -> !label(other, key).isEmpty());
        default -> {
          return fault == Fault.WRONG_SELECTOR_MATCHES_NOTHING
              ? List.of(other -> false)
              : List.of();
        }
      }
    }
    return found;
  }

  private JsonNode controller(JsonNode pod, String namespace) {
    for (JsonNode reference : pod.at("/metadata/ownerReferences")) {
      boolean controls = reference.path("controller").asBoolean(false);
      if (controls || fault == Fault.OWNER_THAT_IS_NO_CONTROLLER) {
        String name = reference.path("name").asString();
        String type =
            (fault == Fault.VERSION_IGNORED ? "" : reference.path("apiVersion").asString() + " ")
                + reference.path("kind").asString();
        Resource kind =
            switch (type) {
              case "v1 ReplicationController", "ReplicationController" ->
                  Resource.REPLICATION_CONTROLLERS;
              case "apps/v1 ReplicaSet", "ReplicaSet" -> Resource.REPLICA_SETS;
              case "apps/v1 StatefulSet", "StatefulSet" -> Resource.STATEFUL_SETS;
              default -> null;
            };
        if (kind == null) {
          return null;
        }
        String space = fault == Fault.CONTROLLER_OF_OTHER_NAMESPACE ? "team" : namespace;
        return owners.get(kind).get(space + "/" + name);
      }
    }
    return null;
  }

  private static Map<String, String> labels(JsonNode object) {
    Map<String, String> labels = new TreeMap<>();
    object.properties().forEach(one -> labels.put(one.getKey(), one.getValue().asString()));
    return labels;
  }

  private static boolean has(JsonNode object, Map.Entry<String, String> label) {
    return label(object, label.getKey()).equals(label.getValue());
  }
}
