package io.lighthouse.kubernetes.cluster.object;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** How fields of the API server's objects are read: absent, null and empty are the same. */
public final class ObjectFields {
  private ObjectFields() {}

  public static String text(JsonNode object, String field) {
    return object.path(field).asString("");
  }

  /** What an object is known by: namespace and name, or the name alone. */
  public static String key(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    String namespace = text(metadata, "namespace");
    String name = text(metadata, "name");
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }

  public static String uid(JsonNode object) {
    return text(object.path("metadata"), "uid");
  }

  public static String version(JsonNode object) {
    return text(object.path("metadata"), "resourceVersion");
  }

  public static boolean isDeleting(JsonNode object) {
    return says(object.path("metadata").path("deletionTimestamp"));
  }

  /** The condition of a type in an object's status; a missing node where there is none. */
  public static JsonNode condition(JsonNode object, String type) {
    for (JsonNode condition : object.path("status").path("conditions")) {
      if (text(condition, "type").equals(type)) {
        return condition;
      }
    }
    return MissingNode.getInstance();
  }

  /** Whether the status of a pod says already that it is not scheduled. */
  public static boolean isRefused(JsonNode pod) {
    return text(condition(pod, "PodScheduled"), "status").equals("False");
  }

  /** The node that a pod is bound to; empty where it has none. */
  public static String node(JsonNode pod) {
    return text(pod.path("spec"), "nodeName");
  }

  public static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>(list.size());
    for (JsonNode one : list) {
      texts.add(one.asString(""));
    }
    return texts;
  }

  /** A map of texts, in the order of keys. */
  public static Map<String, String> labels(JsonNode object) {
    Map<String, String> labels = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      labels.put(entry.getKey(), entry.getValue().asString(""));
    }
    return labels;
  }

  /** The reference to the owner that controls an object; a missing node where there is none. */
  public static JsonNode controllerOf(JsonNode metadata) {
    for (JsonNode owner : metadata.path("ownerReferences")) {
      if (owner.path("controller").asBoolean(false)) {
        return owner;
      }
    }
    return MissingNode.getInstance();
  }

  /** The uid of the owner that controls an object; empty where there is none. */
  public static String controller(JsonNode metadata) {
    return text(controllerOf(metadata), "uid");
  }

  /** Whether a field says something: it is there, not null, not empty, not false. */
  public static boolean says(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return false;
    }
    if (value.isContainer()) {
      return !value.isEmpty();
    }
    return !value.asString("").isEmpty() && !(value.isBoolean() && !value.booleanValue());
  }

  /**
   * Checks that an object says nothing beyond some fields.
   *
   * @throws UnsupportedFieldException if it does
   */
  public static void requireKnown(JsonNode object, String where, String... known) {
    requireKnown(object, where, Set.of(known)::contains);
  }

  static void requireKnown(JsonNode object, String where, Predicate<String> isKnown) {
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      if (!isKnown.test(entry.getKey()) && says(entry.getValue())) {
        throw new UnsupportedFieldException(
            where.isEmpty() ? entry.getKey() : where + "." + entry.getKey());
      }
    }
  }
}
