package io.lighthouse.kubernetes.cluster.object;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * One requirement of a selector on one label.
 *
 * @param key the label
 * @param operator how it is compared
 * @param values with what, in order; none for {@code Exists} and {@code DoesNotExist}
 */
record LabelRequirement(String key, Operator operator, List<String> values)
    implements Comparable<LabelRequirement> {
  /** Kubernetes' operators, as {@code labels.Requirement.Matches} has them. */
  enum Operator {
    IN,
    NOT_IN,
    EXISTS,
    DOES_NOT_EXIST,
    GT,
    LT
  }

  private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]{1,30}");

  /** One for each label: its value is this one. */
  static List<LabelRequirement> ofLabels(Map<String, String> labels) {
    return labels.entrySet().stream()
        .map(one -> new LabelRequirement(one.getKey(), Operator.IN, List.of(one.getValue())))
        .toList();
  }

  static LabelRequirement of(String key, Operator operator, List<String> values) {
    return new LabelRequirement(key, operator, List.copyOf(new TreeSet<>(values)));
  }

  /** Reads {@code matchExpressions}; only nodes may be compared by number. */
  static List<LabelRequirement> ofAll(JsonNode expressions, String field, boolean numbers) {
    List<LabelRequirement> all = new ArrayList<>();
    expressions.forEach(one -> all.add(of(one, field, numbers)));
    return all;
  }

  private static LabelRequirement of(JsonNode expression, String field, boolean numbers) {
    ObjectFields.requireKnown(expression, field, "key", "operator", "values");
    String word = expression.path("operator").asString("");
    Operator operator =
        switch (word) {
          case "In" -> Operator.IN;
          case "NotIn" -> Operator.NOT_IN;
          case "Exists" -> Operator.EXISTS;
          case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
          case "Gt" -> Operator.GT;
          case "Lt" -> Operator.LT;
          default -> null;
        };
    if (operator == null || (!numbers && operator.compareTo(Operator.GT) >= 0)) {
      throw new UnsupportedFieldException("operator " + word + " in " + field);
    }
    String key = expression.path("key").asString("");
    return of(key, operator, ObjectFields.texts(expression.path("values")));
  }

  /** Whether labels are right by all of some requirements. */
  static boolean allMatch(List<LabelRequirement> requirements, Map<String, String> labels) {
    for (LabelRequirement requirement : requirements) {
      if (!requirement.matches(labels.get(requirement.key))) {
        return false;
      }
    }
    return true;
  }

  /** Whether a value of the label is right; null where the label is absent. */
  boolean matches(String value) {
    return switch (operator) {
      case IN -> value != null && values.contains(value);
      case NOT_IN -> value == null || !values.contains(value);
      case EXISTS -> value != null;
      case DOES_NOT_EXIST -> value == null;
      case GT, LT -> value != null && values.size() == 1 && compares(value, values.get(0));
    };
  }

  private boolean compares(String value, String bound) {
    BigInteger a = integer(value);
    BigInteger b = integer(bound);
    if (a == null || b == null) {
      return false;
    }
    return operator == Operator.GT ? a.compareTo(b) > 0 : a.compareTo(b) < 0;
  }

  /** A signed 64-bit integer, or null. */
  private static BigInteger integer(String text) {
    if (!INTEGER.matcher(text).matches()) {
      return null;
    }
    BigInteger number = new BigInteger(text);
    return number.bitLength() < Long.SIZE ? number : null;
  }

  @Override
  public int compareTo(LabelRequirement other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public String toString() {
    return key + " " + operator + (values.isEmpty() ? "" : " " + values);
  }
}
