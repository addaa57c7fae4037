package io.lighthouse.kubernetes.cluster.object;

import java.util.Collection;
import tools.jackson.databind.JsonNode;

/**
 * A toleration of a pod.
 *
 * @param key the key of the taints; empty for every key
 * @param exists whether any value will do
 * @param value the value otherwise
 * @param effect the effect; empty for every effect
 */
public record Toleration(String key, boolean exists, String value, String effect) {
  /** Reads one; the time that it lasts is nothing to a scheduler. */
  static Toleration of(JsonNode toleration) {
    ObjectFields.requireKnown(
        toleration, "tolerations", "key", "operator", "value", "effect", "tolerationSeconds");
    String operator = ObjectFields.text(toleration, "operator");
    if (!operator.isEmpty() && !operator.equals("Equal") && !operator.equals("Exists")) {
      throw new UnsupportedFieldException("operator " + operator + " in tolerations");
    }
    return new Toleration(
        ObjectFields.text(toleration, "key"),
        operator.equals("Exists"),
        ObjectFields.text(toleration, "value"),
        ObjectFields.text(toleration, "effect"));
  }

  boolean tolerates(Taint taint) {
    return (effect.isEmpty() || effect.equals(taint.effect()))
        && (key.isEmpty() || key.equals(taint.key()))
        && (exists || value.equals(taint.value()));
  }

  public static boolean tolerated(Taint taint, Collection<Toleration> tolerations) {
    for (Toleration toleration : tolerations) {
      if (toleration.tolerates(taint)) {
        return true;
      }
    }
    return false;
  }
}
