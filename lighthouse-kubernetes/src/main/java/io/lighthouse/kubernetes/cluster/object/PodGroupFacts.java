package io.lighthouse.kubernetes.cluster.object;

import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * What counts of a {@code PodGroup} of {@code scheduling.k8s.io/v1alpha2}. Immutable.
 *
 * @param minCount how many of its pods need a node before any is bound; 0 for the basic policy,
 *     whose pods are placed one by one
 * @param unsupported the first field that this scheduler does not support; empty where there is
 *     none
 */
public record PodGroupFacts(int minCount, String unsupported) {
  private static final Set<String> SPEC =
      Set.of(
          "podGroupTemplateRef",
          "schedulingPolicy",
          "disruptionMode",
          "priorityClassName",
          "priority");

  /** Reads a group. A group with an unsupported field has {@code minCount} 0. */
  public static PodGroupFacts of(JsonNode group) {
    JsonNode spec = group.path("spec");
    try {
      check(spec);
    } catch (UnsupportedFieldException found) {
      return new PodGroupFacts(0, found.getMessage());
    }
    return new PodGroupFacts(spec.at("/schedulingPolicy/gang/minCount").asInt(0), "");
  }

  /** A field of a further feature gate may only hold its default. */
  private static void check(JsonNode spec) {
    ObjectFields.requireKnown(spec, "", SPEC::contains);
    JsonNode policy = spec.path("schedulingPolicy");
    ObjectFields.requireKnown(policy, "schedulingPolicy", "basic", "gang");
    ObjectFields.requireKnown(policy.path("basic"), "schedulingPolicy.basic");
    ObjectFields.requireKnown(policy.path("gang"), "schedulingPolicy.gang", "minCount");
    boolean isGang = policy.path("gang").path("minCount").asInt(0) > 0;
    if (isGang == policy.path("basic").isObject()) {
      throw new UnsupportedFieldException("schedulingPolicy " + policy);
    }
    JsonNode disruption = spec.path("disruptionMode");
    boolean isDefault =
        disruption.isMissingNode()
            || disruption.isNull()
            || disruption.isString() && Set.of("", "Pod").contains(disruption.asString());
    if (!isDefault) {
      String mode = disruption.isString() ? disruption.asString() : disruption.toString();
      throw new UnsupportedFieldException("disruptionMode: " + mode);
    }
    // The API server has resolved priorityClassName to this.
    if (spec.path("priority").asInt(0) != 0) {
      throw new UnsupportedFieldException("priority: " + spec.path("priority").asInt(0));
    }
  }
}
