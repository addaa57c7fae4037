package io.lighthouse.kubernetes.extender;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.cluster.object.KubeQuantity;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The kinds of values in the pod of a question, where Lighthouse reads them. Readers of pods take
 * another kind for an absent field, as the API server sends none. A question may come from others.
 */
final class PodShape {
  private static final List<String> LISTS =
      List.of(
          "containers",
          "initContainers",
          "resourceClaims",
          "schedulingGates",
          "tolerations",
          "topologySpreadConstraints",
          "volumes");

  private static final List<String> OBJECTS =
      List.of("affinity", "nodeSelector", "overhead", "resources");

  private final String subject;

  private PodShape(String subject) {
    this.subject = subject;
  }

  /** A pod in messages. */
  static String subject(JsonNode pod) {
    String namespace = pod.path("metadata").path("namespace").asString("");
    String name = pod.path("metadata").path("name").asString("");
    return "pod '" + (namespace.isEmpty() ? "" : namespace + "/") + name + "'";
  }

  /**
   * Checks a pod.
   *
   * @throws InvalidInputException if a field is of another kind, or holds what is no quantity
   */
  static void check(JsonNode pod) {
    PodShape shape = new PodShape(subject(pod));
    JsonNode spec = pod.path("spec");
    if (!spec.isObject()) {
      throw shape.wrong("spec", spec, "an object");
    }
    OBJECTS.forEach(field -> shape.object(spec, "spec", field));
    for (String field : LISTS) {
      shape.list(spec.path(field), "spec." + field);
    }
    JsonNode priority = spec.path("priority");
    if (isThere(priority) && !priority.isInt()) {
      throw shape.wrong("spec.priority", priority, "a whole number");
    }
    for (String field : List.of("containers", "initContainers")) {
      for (int i = 0; i < spec.path(field).size(); i++) {
        String container = "spec." + field + "[" + i + "]";
        shape.resources(spec.path(field).path(i), container);
      }
    }
    shape.resources(spec, "spec");
    shape.quantities(spec, "spec", "overhead");
  }

  private static boolean isThere(JsonNode value) {
    return !value.isMissingNode() && !value.isNull();
  }

  private void object(JsonNode of, String where, String field) {
    JsonNode value = of.path(field);
    if (isThere(value) && !value.isObject()) {
      throw wrong(where + "." + field, value, "an object");
    }
  }

  private void list(JsonNode list, String where) {
    if (isThere(list) && !list.isArray()) {
      throw wrong(where, list, "a list");
    }
    for (int i = 0; i < list.size(); i++) {
      if (!list.path(i).isObject()) {
        throw wrong(where + "[" + i + "]", list.path(i), "an object");
      }
    }
  }

  private void resources(JsonNode of, String where) {
    object(of, where, "resources");
    quantities(of.path("resources"), where + ".resources", "requests");
    quantities(of.path("resources"), where + ".resources", "limits");
  }

  private void quantities(JsonNode of, String where, String field) {
    object(of, where, field);
    for (Map.Entry<String, JsonNode> entry : of.path(field).properties()) {
      JsonNode value = entry.getValue();
      String at = where + "." + field + "." + entry.getKey();
      if (!value.isString() && !value.isNumber()) {
        throw wrong(at, value, "a Kubernetes quantity");
      }
      try {
        KubeQuantity.read(value);
      } catch (InvalidInputException wrong) {
        throw new InvalidInputException(subject, at, wrong.found(), wrong.allowed());
      }
    }
  }

  private InvalidInputException wrong(String field, JsonNode found, String allowed) {
    return new InvalidInputException(
        subject, field, found.isMissingNode() ? "not there" : found.toString(), allowed);
  }
}
