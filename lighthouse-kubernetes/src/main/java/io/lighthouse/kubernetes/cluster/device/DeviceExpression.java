package io.lighthouse.kubernetes.cluster.device;

import io.lighthouse.kubernetes.cluster.object.UnsupportedFieldException;
import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A selector of devices ({@code selectors[].cel.expression} of a DeviceClass or a ResourceClaim) in
 * a subset of the Common Expression Language (CEL).
 *
 * <p>The subset:
 *
 * <ul>
 *   <li>{@code device.driver}, {@code device.allowMultipleAllocations}, {@code
 *       device.attributes["domain"].name}, {@code device.capacity["domain"].name}. An unknown
 *       domain is empty. An unknown name is an error.
 *   <li>{@code "name" in device.attributes["domain"]}, {@code "domain" in device.attributes},
 *       {@code has(device.attributes["domain"].name)}, {@code value in [literal, ...]}.
 *   <li>Strings, decimal integers of 64 bits, {@code true}, {@code false}, {@code
 *       quantity("40Gi")}, {@code semver("1.2.3")}.
 *   <li>{@code == != < <= > >= && || !}, {@code a ? b : c}, and parentheses.
 *   <li>{@code startsWith}, {@code endsWith}, {@code contains}, {@code lowerAscii}, {@code
 *       upperAscii} and {@code size} of strings; {@code compareTo}, {@code isGreaterThan} and
 *       {@code isLessThan} of quantities and versions.
 * </ul>
 *
 * <p>Everything else is refused when the expression is parsed. Types are checked when it is
 * evaluated:
 *
 * <ul>
 *   <li>Values of different types are not equal, as CEL defines, and their order is an error.
 *   <li>As upstream, {@code ==} is an error if its left side is a quantity or a version, and its
 *       right side is of another type. So is a version {@code in} a list.
 *   <li>{@code &&} and {@code ||} ignore an error if another operand alone decides the result.
 * </ul>
 *
 * <p>Equal texts make equal expressions. Immutable and thread-safe.
 *
 * <p>Source: the CEL language definition, and {@code k8s.io/dynamic-resource-allocation/cel}.
 */
final class DeviceExpression {
  /** What an expression reads of a device. The maps hold no null. */
  interface Subject {
    String driver();

    boolean allowsMultipleAllocations();

    /**
     * Attributes by domain, then by name, such as {@code gpu.nvidia.com} and {@code model}. A value
     * is a String, a Long, a Boolean or a {@link Version}.
     */
    Map<String, Map<String, Object>> attributes();

    /** Exact capacities by domain, then by name. */
    Map<String, Map<String, BigDecimal>> capacity();
  }

  /**
   * A semantic version. Its order ignores build metadata, so that it is not consistent with equals.
   * Source: semver.org, version 2.0.0.
   */
  record Version(String text) implements Comparable<Version> {
    private static final String NUMBER = "(0|[1-9][0-9]*)";
    private static final String LABEL = "(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)";
    private static final Pattern GRAMMAR =
        Pattern.compile(
            (NUMBER + "\\." + NUMBER + "\\." + NUMBER)
                + ("(?:-(" + LABEL + "(?:\\." + LABEL + ")*+))?")
                + "(?:\\+[0-9a-zA-Z-]++(?:\\.[0-9a-zA-Z-]++)*+)?");

    /**
     * Reads a version.
     *
     * @throws IllegalArgumentException if the text is no semantic version
     */
    Version {
      if (!GRAMMAR.matcher(text).matches()) {
        throw new IllegalArgumentException("'" + text + "' is no semantic version");
      }
    }

    @Override
    public int compareTo(Version other) {
      Matcher mine = GRAMMAR.matcher(text);
      Matcher theirs = GRAMMAR.matcher(other.text);
      mine.matches();
      theirs.matches();
      for (int part = 1; part <= 3; part++) {
        int order = compareLabels(mine.group(part), theirs.group(part));
        if (order != 0) {
          return order;
        }
      }
      if (mine.group(4) == null || theirs.group(4) == null) {
        return Boolean.compare(mine.group(4) == null, theirs.group(4) == null);
      }
      String[] labels = mine.group(4).split("\\.");
      String[] others = theirs.group(4).split("\\.");
      for (int i = 0; i < Math.min(labels.length, others.length); i++) {
        int order = compareLabels(labels[i], others[i]);
        if (order != 0) {
          return order;
        }
      }
      return Integer.compare(labels.length, others.length);
    }

    /** Numbers come before words. The longer of two numbers is greater, as none begins with 0. */
    private static int compareLabels(String mine, String theirs) {
      boolean isNumber = mine.matches("[0-9]+");
      if (isNumber != theirs.matches("[0-9]+")) {
        return isNumber ? -1 : 1;
      }
      if (isNumber && mine.length() != theirs.length()) {
        return Integer.compare(mine.length(), theirs.length());
      }
      return mine.compareTo(theirs);
    }
  }

  private final String text;
  private final DeviceOperands.Operand root;

  private DeviceExpression(String text, DeviceOperands.Operand root) {
    this.text = text;
    this.root = root;
  }

  /**
   * Parses an expression.
   *
   * @throws UnsupportedFieldException if it is not in the subset; the message names the expression
   *     and the first thing in it that is not supported
   */
  static DeviceExpression parse(String text) {
    return new DeviceExpression(text, new DeviceExpressionParser(text).parse());
  }

  /** Whether the expression is true of a device. An error, or another type, does not match. */
  boolean matches(Subject device) {
    return root.value(device).equals(true);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DeviceExpression that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
