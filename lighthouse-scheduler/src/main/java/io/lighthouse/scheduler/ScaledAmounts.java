package io.lighthouse.scheduler;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.Amounts;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The quantities of the cluster and of one request as whole numbers, for a strategy that computes
 * with many of them. They have at most nine digits after the point, and 18 in all: what is finer or
 * larger is rounded, down where a node has it and up where it is asked for. So what seems to fit
 * here fits; the rule itself is {@link io.lighthouse.api.strategy.Session#fits}.
 */
final class ScaledAmounts implements Amounts {
  private static final int MOST_DIGITS = 18;
  private static final BigDecimal MOST = BigDecimal.TEN.pow(MOST_DIGITS);

  private final List<SchedulerFleet.View> nodes;
  private final Resources request;
  private final String[] names;

  /** Digits after the point; by id. */
  private final int[] digits;

  ScaledAmounts(List<SchedulerFleet.View> nodes, Resources request) {
    this.nodes = nodes;
    this.request = request;
    Map<String, int[]> needed = new TreeMap<>(Names.order());
    measure(request, needed);
    for (SchedulerFleet.View node : nodes) {
      measure(node.left(), needed);
      measure(node.capacity(), needed);
    }
    names = needed.keySet().toArray(String[]::new);
    digits =
        needed.values().stream()
            .mapToInt(most -> Math.max(0, Math.min(most[1], MOST_DIGITS - most[0])))
            .map(most -> Math.min(most, Quantity.LEDGER_DIGITS))
            .toArray();
  }

  /** Notes how many digits the quantities of each resource have before and after the point. */
  private static void measure(Resources vector, Map<String, int[]> needed) {
    for (int i = 0; i < vector.size(); i++) {
      int[] most = needed.computeIfAbsent(vector.name(i), name -> new int[2]);
      Quantity quantity = vector.quantity(i);
      if (!quantity.isInfinite()) {
        BigDecimal value = quantity.toBigDecimal();
        most[0] = Math.max(most[0], value.precision() - value.scale());
        most[1] = Math.max(most[1], value.scale());
      }
    }
  }

  @Override
  public int ids() {
    return names.length;
  }

  @Override
  public String resource(int id) {
    return names[Objects.checkIndex(id, names.length)];
  }

  @Override
  public int digits(int id) {
    return digits[Objects.checkIndex(id, digits.length)];
  }

  @Override
  public void left(int node, long[] into) {
    write(nodes.get(node).left(), RoundingMode.FLOOR, into);
  }

  @Override
  public void capacity(int node, long[] into) {
    write(nodes.get(node).capacity(), RoundingMode.FLOOR, into);
  }

  /** What the request asks for. */
  void required(long[] into) {
    write(request, RoundingMode.CEILING, into);
  }

  private void write(Resources vector, RoundingMode mode, long[] into) {
    Arrays.fill(into, ABSENT);
    for (int i = 0; i < vector.size(); i++) {
      int id = Arrays.binarySearch(names, vector.name(i), Names.order());
      into[id] = scaled(vector.quantity(i), digits[id], mode);
    }
  }

  private static long scaled(Quantity quantity, int digits, RoundingMode mode) {
    if (quantity.isInfinite()) {
      return quantity.signum() > 0 ? INFINITY : NEGATIVE_INFINITY;
    }
    return quantity
        .toBigDecimal()
        .movePointRight(digits)
        .setScale(0, mode)
        .min(MOST)
        .max(MOST.negate())
        .longValueExact();
  }
}
