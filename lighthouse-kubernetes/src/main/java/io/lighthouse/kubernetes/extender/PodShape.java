package io.lighthouse.kubernetes.extender;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.cluster.object.KubeQuantity;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * The kinds of values in the pod of a question, where Lighthouse reads them. Readers of pods take
 * another kind for an absent field, as the API server sends none. A question may come from others.
 * Null is as absent, as Go reads it.
 */
final class PodShape {
  /** What a value may be. */
  private interface Shape {
    /**
     * Checks a value that is not null.
     *
     * @param pod the pod, for messages
     * @param field where the value is
     */
    void check(String pod, String field, JsonNode value);
  }

  private static final Shape TEXT = kind("a text", JsonNode::isString);
  private static final Shape KEY =
      kind("a text that is not empty", value -> value.isString() && !value.asString().isEmpty());
  private static final Shape NUMBER = kind("a whole number", JsonNode::isInt);
  private static final Shape TRUTH = kind("true or false", JsonNode::isBoolean);
  private static final Shape TEXTS = map(TEXT);
  private static final Shape QUANTITIES = map(PodShape::quantity);

  private static final Shape EXPRESSIONS =
      list(object(fields(TEXT, "key", "operator"), fields(list(TEXT), "values")));

  private static final Shape SELECTOR =
      object(fields(TEXTS, "matchLabels"), fields(EXPRESSIONS, "matchExpressions"));

  private static final Shape NODE_TERM =
      object(fields(EXPRESSIONS, "matchExpressions", "matchFields"));

  private static final Shape NODE_AFFINITY =
      affinity(
          object(fields(list(NODE_TERM), "nodeSelectorTerms")),
          object(fields(NUMBER, "weight"), fields(NODE_TERM, "preference")));

  private static final Shape POD_TERM =
      with(
          KEY,
          "topologyKey",
          object(
              fields(list(TEXT), "namespaces"),
              fields(SELECTOR, "labelSelector", "namespaceSelector")));

  private static final Shape POD_AFFINITY =
      affinity(list(POD_TERM), with(POD_TERM, "podAffinityTerm", object(fields(NUMBER, "weight"))));

  private static final Shape AFFINITY =
      object(
          fields(NODE_AFFINITY, "nodeAffinity"),
          fields(POD_AFFINITY, "podAffinity", "podAntiAffinity"));

  private static final Shape SPREAD =
      with(
          KEY,
          "topologyKey",
          object(
              fields(NUMBER, "maxSkew", "minDomains"),
              fields(TEXT, "whenUnsatisfiable", "nodeAffinityPolicy", "nodeTaintsPolicy"),
              fields(SELECTOR, "labelSelector"),
              fields(list(TEXT), "matchLabelKeys")));

  private static final Shape RESOURCES = object(fields(QUANTITIES, "requests", "limits"));

  private static final Shape CONTAINER =
      object(
          fields(TEXT, "name", "image", "restartPolicy"),
          fields(RESOURCES, "resources"),
          fields(list(object(fields(TEXT, "action"))), "restartPolicyRules"),
          fields(
              list(object(fields(NUMBER, "hostPort"), fields(TEXT, "hostIP", "protocol"))),
              "ports"));

  private static final Shape VOLUME =
      object(
          fields(TEXT, "name"),
          fields(object(), "ephemeral"),
          fields(object(fields(TEXT, "claimName")), "persistentVolumeClaim"),
          fields(object(fields(TEXT, "reference")), "image"));

  private static final Shape METADATA =
      object(
          fields(TEXT, "namespace", "resourceVersion", "creationTimestamp", "deletionTimestamp"),
          fields(TEXTS, "labels", "annotations"),
          fields(
              list(object(fields(TEXT, "apiVersion", "kind", "name"), fields(TRUTH, "controller"))),
              "ownerReferences"));

  private static final Shape SPEC =
      object(
          fields(TEXT, "nodeName", "schedulerName", "preemptionPolicy"),
          fields(NUMBER, "priority"),
          fields(TRUTH, "hostNetwork", "hostUsers"),
          fields(TEXTS, "nodeSelector"),
          fields(QUANTITIES, "overhead"),
          fields(RESOURCES, "resources"),
          fields(AFFINITY, "affinity"),
          fields(list(CONTAINER), "containers", "initContainers"),
          fields(list(SPREAD), "topologySpreadConstraints"),
          fields(list(VOLUME), "volumes"),
          fields(list(object()), "schedulingGates"),
          fields(object(fields(TEXT, "podGroupName")), "schedulingGroup"),
          fields(
              list(object(fields(TEXT, "name", "resourceClaimName", "resourceClaimTemplateName"))),
              "resourceClaims"),
          fields(list(object(fields(TEXT, "key", "operator", "value", "effect"))), "tolerations"));

  private static final Shape HELD =
      object(
          fields(TEXT, "name"),
          fields(RESOURCES, "resources"),
          fields(QUANTITIES, "allocatedResources"));

  private static final Shape STATUS =
      object(
          fields(TEXT, "phase", "nominatedNodeName", "startTime"),
          fields(RESOURCES, "resources"),
          fields(QUANTITIES, "allocatedResources"),
          fields(list(HELD), "containerStatuses", "initContainerStatuses"),
          fields(list(object(fields(TEXT, "type", "status", "reason"))), "conditions"),
          fields(list(object(fields(TEXT, "name", "resourceClaimName"))), "resourceClaimStatuses"),
          fields(object(), "extendedResourceClaimStatus"));

  private PodShape() {}

  /**
   * Checks a pod.
   *
   * @throws InvalidInputException if a field is of another kind, or holds what is no quantity
   */
  static void check(JsonNode pod) {
    String subject = "pod '" + ObjectFields.key(pod) + "'";
    JsonNode spec = pod.path("spec");
    if (spec.isMissingNode() || spec.isNull()) {
      throw wrong(subject, "spec", spec, "an object");
    }
    METADATA.check(subject, "metadata", pod.path("metadata"));
    SPEC.check(subject, "spec", spec);
    checkPart(STATUS, subject, "status", pod.path("status"));
  }

  private static void checkPart(Shape shape, String pod, String field, JsonNode value) {
    if (!value.isMissingNode() && !value.isNull()) {
      shape.check(pod, field, value);
    }
  }

  private static Shape kind(String allowed, Predicate<JsonNode> isAllowed) {
    return (pod, field, value) -> {
      if (!isAllowed.test(value)) {
        throw wrong(pod, field, value, allowed);
      }
    };
  }

  /** An object with some fields of these shapes; others are not read. */
  @SafeVarargs
  private static Shape object(Map<String, Shape>... fields) {
    Map<String, Shape> shapes = new HashMap<>();
    for (Map<String, Shape> some : fields) {
      shapes.putAll(some);
    }
    Shape any = (pod, field, value) -> {};
    return entries(name -> shapes.getOrDefault(name, any));
  }

  /** An object that has to have a field. */
  private static Shape with(Shape needed, String name, Shape object) {
    return (pod, field, value) -> {
      object.check(pod, field, value);
      needed.check(pod, field + "." + name, value.path(name));
    };
  }

  private static Map<String, Shape> fields(Shape shape, String... names) {
    return Arrays.stream(names).collect(Collectors.toMap(name -> name, name -> shape));
  }

  /** An object whose values are all of a shape. */
  private static Shape map(Shape shape) {
    return entries(name -> shape);
  }

  private static Shape entries(Function<String, Shape> shapes) {
    Shape object = kind("an object", JsonNode::isObject);
    return (pod, field, value) -> {
      object.check(pod, field, value);
      value
          .properties()
          .forEach(
              entry ->
                  checkPart(
                      shapes.apply(entry.getKey()),
                      pod,
                      field + "." + entry.getKey(),
                      entry.getValue()));
    };
  }

  private static Shape list(Shape shape) {
    Shape list = kind("a list", JsonNode::isArray);
    return (pod, field, value) -> {
      list.check(pod, field, value);
      for (int i = 0; i < value.size(); i++) {
        checkPart(shape, pod, field + "[" + i + "]", value.path(i));
      }
    };
  }

  private static Shape affinity(Shape required, Shape preferred) {
    return object(
        fields(required, "requiredDuringSchedulingIgnoredDuringExecution"),
        fields(list(preferred), "preferredDuringSchedulingIgnoredDuringExecution"));
  }

  private static void quantity(String pod, String field, JsonNode value) {
    if (!value.isString() && !value.isNumber()) {
      throw wrong(pod, field, value, "a Kubernetes quantity");
    }
    KubeQuantity.read(pod, () -> field, value);
  }

  private static InvalidInputException wrong(
      String pod, String field, JsonNode found, String allowed) {
    return new InvalidInputException(
        pod, field, found.isMissingNode() ? "not there" : found.toString(), allowed);
  }
}
