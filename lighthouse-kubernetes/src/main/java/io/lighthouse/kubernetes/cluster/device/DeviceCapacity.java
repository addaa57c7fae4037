package io.lighthouse.kubernetes.cluster.device;

import io.lighthouse.kubernetes.cluster.object.KubeQuantity;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What a device has of a capacity, and how much of it a claim takes.
 *
 * @param value all of it
 * @param standard what a claim takes that asks for none of it; null where it takes all
 * @param steps the only amounts that a claim may take, in order; empty for any
 * @param least the least that a claim takes; null where there is no range
 * @param most the most that a claim may take; null for no limit
 * @param step amounts are {@code least} and a multiple of this; null for any
 */
record DeviceCapacity(
    BigDecimal value,
    BigDecimal standard,
    List<BigDecimal> steps,
    BigDecimal least,
    BigDecimal most,
    BigDecimal step) {

  static DeviceCapacity of(JsonNode capacity) {
    JsonNode policy = capacity.path("requestPolicy");
    List<BigDecimal> steps = new ArrayList<>();
    policy.path("validValues").forEach(value -> steps.add(KubeQuantity.read(value)));
    JsonNode range = policy.path("validRange");
    return new DeviceCapacity(
        KubeQuantity.read(capacity.path("value")),
        read(policy.path("default")),
        List.copyOf(steps),
        read(range.path("min")),
        read(range.path("max")),
        read(range.path("step")));
  }

  private static BigDecimal read(JsonNode quantity) {
    return ObjectFields.says(quantity) ? KubeQuantity.read(quantity) : null;
  }

  /**
   * What a claim takes: what it asks for, rounded up to what may be taken.
   *
   * @param asked what it asks for; null where it does not say
   * @return nothing where it asks for more than may be taken
   */
  Optional<BigDecimal> taken(BigDecimal asked) {
    if (asked == null) {
      return Optional.of(standard == null ? value : standard);
    }
    if (least != null) {
      return Optional.of(inRange(asked))
          .filter(taken -> most == null || taken.compareTo(most) <= 0);
    }
    if (!steps.isEmpty()) {
      return steps.stream().filter(some -> some.compareTo(asked) >= 0).findFirst();
    }
    return Optional.of(asked);
  }

  private BigDecimal inRange(BigDecimal asked) {
    if (asked.compareTo(least) <= 0) {
      return least;
    }
    if (step == null || step.signum() <= 0) {
      return asked;
    }
    BigDecimal count = asked.subtract(least).divide(step, 0, RoundingMode.CEILING);
    return least.add(step.multiply(count));
  }
}
