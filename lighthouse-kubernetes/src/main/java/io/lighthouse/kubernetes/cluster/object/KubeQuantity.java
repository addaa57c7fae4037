package io.lighthouse.kubernetes.cluster.object;

import io.lighthouse.api.error.InvalidInputException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Kubernetes' notation of quantities ({@code 100m}, {@code 1.5Gi}, {@code 1e3}), read exactly.
 * Source: the grammar at {@code k8s.io/apimachinery/pkg/api/resource.Quantity}.
 */
public final class KubeQuantity {
  /** A pod that requests this of a resource, or more, is not placed: 16 Ti. */
  static final long MOST_OF_A_POD = 1L << 44;

  /**
   * More than this of a pod that has a node, or is nominated to one, is counted as this: 64 Ti. It
   * is more than a node has of memory, and low enough that the sums of 60,000 pods stay within the
   * ledger's range.
   */
  static final long MOST_OF_A_BOUND_POD = 1L << 46;

  /** More than this on a node is counted as this: 1 Pi. */
  static final long MOST_OF_A_NODE = 1L << 50;

  private static final Pattern GRAMMAR =
      Pattern.compile(
          "([+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+))(?:([eE][+-]?[0-9]{1,9})|([numkMGTPE]|[KMGTPE]i)?)");

  private static final Map<String, BigDecimal> SUFFIXES =
      Map.ofEntries(
          Map.entry("n", BigDecimal.ONE.movePointLeft(9)),
          Map.entry("u", BigDecimal.ONE.movePointLeft(6)),
          Map.entry("m", BigDecimal.ONE.movePointLeft(3)),
          Map.entry("k", BigDecimal.ONE.movePointRight(3)),
          Map.entry("M", BigDecimal.ONE.movePointRight(6)),
          Map.entry("G", BigDecimal.ONE.movePointRight(9)),
          Map.entry("T", BigDecimal.ONE.movePointRight(12)),
          Map.entry("P", BigDecimal.ONE.movePointRight(15)),
          Map.entry("E", BigDecimal.ONE.movePointRight(18)),
          Map.entry("Ki", BigDecimal.valueOf(1L << 10)),
          Map.entry("Mi", BigDecimal.valueOf(1L << 20)),
          Map.entry("Gi", BigDecimal.valueOf(1L << 30)),
          Map.entry("Ti", BigDecimal.valueOf(1L << 40)),
          Map.entry("Pi", BigDecimal.valueOf(1L << 50)),
          Map.entry("Ei", BigDecimal.valueOf(1L << 60)));

  /** No exponent makes more digits than this be written out. */
  private static final int MOST_EXPONENT = 30;

  private KubeQuantity() {}

  /** The exact value of a text or number; see {@link #parse}. Null is 0, as Go reads it. */
  public static BigDecimal read(JsonNode value) {
    return value.isNull() ? BigDecimal.ZERO : parse(value.asString(""));
  }

  /**
   * The same, of a field.
   *
   * @param subject what the message calls the object
   * @param field the path of the field in it, asked for where something is wrong
   */
  public static BigDecimal read(String subject, Supplier<String> field, JsonNode value) {
    try {
      return read(value);
    } catch (InvalidInputException wrong) {
      throw new InvalidInputException(subject, field.get(), wrong.found(), wrong.allowed());
    }
  }

  /**
   * The exact value of a text; an exponent beyond 30 counts as 30.
   *
   * @throws InvalidInputException if the text is no quantity
   */
  public static BigDecimal parse(String text) {
    Matcher parts = GRAMMAR.matcher(text);
    if (text.length() > 100 || !parts.matches()) {
      throw new InvalidInputException(
          "quantity", "value", "'" + text + "'", "a Kubernetes quantity, such as 100m or 1.5Gi");
    }
    BigDecimal number = new BigDecimal(parts.group(1));
    if (parts.group(2) != null) {
      int exponent = Integer.parseInt(parts.group(2).substring(1));
      int bounded = Math.max(-MOST_EXPONENT, Math.min(MOST_EXPONENT, exponent));
      return number.scaleByPowerOfTen(bounded);
    }
    return parts.group(3) == null ? number : number.multiply(SUFFIXES.get(parts.group(3)));
  }

  /**
   * A sum in the whole units that the stock scheduler counts in, rounded up: thousandths of {@code
   * cpu}, else units.
   */
  static long units(String resource, BigDecimal sum, long most) {
    BigDecimal units = resource.equals("cpu") ? sum.movePointRight(3) : sum;
    if (units.signum() <= 0) {
      return 0;
    }
    BigDecimal whole = units.setScale(0, RoundingMode.CEILING);
    return whole.compareTo(BigDecimal.valueOf(most)) >= 0 ? most : whole.longValueExact();
  }
}
