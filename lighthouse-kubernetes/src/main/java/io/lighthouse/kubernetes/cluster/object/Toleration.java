package io.lighthouse.kubernetes.cluster.object;

import java.util.Collection;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A toleration of a pod.
 *
 * @param key the key of the taints; empty for every key
 * @param operator what the value of a taint must be, beside the value here
 * @param value the value to compare with
 * @param effect the effect; empty for every effect
 */
public record Toleration(String key, Operator operator, String value, String effect) {
  /** An integer as people write it: the only values that are compared by size. */
  private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]{0,18}");

  /** How the value of a taint is compared; the last two are alpha in Kubernetes 1.36. */
  public enum Operator {
    EQUAL,
    EXISTS,
    /** The taint's value is less. */
    LT,
    /** The taint's value is greater. */
    GT
  }

  /** Reads one; the time that it lasts is nothing to a scheduler. */
  public static Toleration of(JsonNode toleration) {
    ObjectFields.requireKnown(
        toleration, "tolerations", "key", "operator", "value", "effect", "tolerationSeconds");
    return new Toleration(
        ObjectFields.text(toleration, "key"),
        operator(ObjectFields.text(toleration, "operator")),
        ObjectFields.text(toleration, "value"),
        ObjectFields.text(toleration, "effect"));
  }

  private static Operator operator(String word) {
    return switch (word) {
      case "", "Equal" -> Operator.EQUAL;
      case "Exists" -> Operator.EXISTS;
      case "Lt" -> Operator.LT;
      case "Gt" -> Operator.GT;
      default -> throw new UnsupportedFieldException("operator " + word + " in tolerations");
    };
  }

  boolean tolerates(Taint taint) {
    return (effect.isEmpty() || effect.equals(taint.effect()))
        && (key.isEmpty() || key.equals(taint.key()))
        && switch (operator) {
          case EQUAL -> value.equals(taint.value());
          case EXISTS -> true;
          case LT -> areIntegers(taint) && Long.parseLong(taint.value()) < Long.parseLong(value);
          case GT -> areIntegers(taint) && Long.parseLong(taint.value()) > Long.parseLong(value);
        };
  }

  /** Whether both values are integers of 64 bits. */
  private boolean areIntegers(Taint taint) {
    return isInteger(value) && isInteger(taint.value());
  }

  private static boolean isInteger(String text) {
    if (!INTEGER.matcher(text).matches()) {
      return false;
    }
    try {
      Long.parseLong(text);
      return true;
    } catch (NumberFormatException tooLarge) {
      return false;
    }
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
