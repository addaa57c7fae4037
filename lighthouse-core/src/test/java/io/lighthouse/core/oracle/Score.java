package io.lighthouse.core.oracle;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import java.math.BigDecimal;
import java.util.Map;

/** A sum that infinities win: the negative before the positive. */
public record Score(int infinity, BigDecimal sum) implements Comparable<Score> {
  static Score of(Map<String, Nanos> quantities, Rubric rubric) {
    Resources weights = rubric.weights();
    boolean positive = false;
    boolean negative = false;
    BigDecimal sum = BigDecimal.ZERO;
    for (int i = 0; i < weights.size(); i++) {
      BigDecimal weight = weights.quantity(i).toBigDecimal();
      Nanos quantity = quantities.getOrDefault(weights.name(i), Nanos.ZERO);
      int sign = quantity.infinity() * weight.signum();
      positive |= sign > 0;
      negative |= sign < 0;
      sum = sum.add(new BigDecimal(quantity.units()).multiply(weight));
    }
    return new Score(negative ? -1 : positive ? 1 : 0, sum);
  }

  @Override
  public int compareTo(Score other) {
    return infinity != 0 || other.infinity != 0
        ? Integer.compare(infinity, other.infinity)
        : sum.compareTo(other.sum);
  }
}
