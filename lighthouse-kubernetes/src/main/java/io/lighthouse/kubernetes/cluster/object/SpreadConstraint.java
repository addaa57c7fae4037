package io.lighthouse.kubernetes.cluster.object;

import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * A topology spread constraint.
 *
 * @param key the label of nodes whose values are the domains
 * @param maxSkew by how many the fullest domain may exceed the emptiest
 * @param minDomains with fewer domains than these the emptiest counts as empty
 * @param hard whether it refuses nodes ({@code DoNotSchedule}), or only prefers others
 * @param selector which pods of the namespace are counted
 * @param honorsAffinity whether only nodes that the pod selects count
 * @param honorsTaints whether only nodes whose taints the pod tolerates count
 */
public record SpreadConstraint(
    String key,
    int maxSkew,
    int minDomains,
    boolean hard,
    LabelSelector selector,
    boolean honorsAffinity,
    boolean honorsTaints) {
  private static final String FIELD = "topologySpreadConstraints";

  static SpreadConstraint of(JsonNode constraint, Map<String, String> podLabels) {
    ObjectFields.requireKnown(
        constraint,
        FIELD,
        "topologyKey",
        "maxSkew",
        "minDomains",
        "whenUnsatisfiable",
        "labelSelector",
        "nodeAffinityPolicy",
        "nodeTaintsPolicy",
        "matchLabelKeys");
    String when = ObjectFields.text(constraint, "whenUnsatisfiable");
    if (!when.equals("DoNotSchedule") && !when.equals("ScheduleAnyway")) {
      throw new UnsupportedFieldException(FIELD + ".whenUnsatisfiable " + when);
    }
    int maxSkew = constraint.path("maxSkew").asInt(1);
    if (maxSkew < 1) {
      throw new UnsupportedFieldException(FIELD + ".maxSkew " + maxSkew);
    }
    LabelSelector selector =
        LabelSelector.of(constraint.path("labelSelector"), FIELD)
            .withEqual(ObjectFields.texts(constraint.path("matchLabelKeys")), podLabels);
    return new SpreadConstraint(
        ObjectFields.text(constraint, "topologyKey"),
        maxSkew,
        constraint.path("minDomains").asInt(1),
        when.equals("DoNotSchedule"),
        selector,
        honors(constraint, "nodeAffinityPolicy", true),
        honors(constraint, "nodeTaintsPolicy", false));
  }

  private static boolean honors(JsonNode constraint, String field, boolean otherwise) {
    String policy = ObjectFields.text(constraint, field);
    return switch (policy) {
      case "" -> otherwise;
      case "Honor" -> true;
      case "Ignore" -> false;
      default -> throw new UnsupportedFieldException(FIELD + "." + field + " " + policy);
    };
  }
}
