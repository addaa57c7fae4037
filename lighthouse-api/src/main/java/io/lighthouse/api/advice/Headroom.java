package io.lighthouse.api.advice;

import io.lighthouse.api.Refusal;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import java.util.Objects;
import java.util.Optional;

/**
 * How much more of a mix of workloads fits a fleet. It is exact for a single shape without
 * immunities, terms and negative requirements, on a fleet without rules, with a strategy that does
 * not decline. It may be inexact where rules of placed workloads limit the shape's aversion groups
 * in domains that overlap without lying within each other. Immutable and thread-safe.
 *
 * <p>The search ends with its budget. It also ends before it tries more than a million workloads at
 * once, even in the first round, and where the sums of their quantities would be out of range. Then
 * {@code refusal} is empty, and {@code atMost} at least {@code rounds}, or empty.
 *
 * @param rounds how many rounds of the whole mix fit at once, as placed by the fleet's strategy
 * @param atMost a proven upper bound of the rounds for any strategy; empty if they are unbounded
 * @param first the resource that runs out first: the one that the workload refused in the next
 *     round lacks on most nodes, the first by name of equal ones. That of a domain is named as in
 *     {@code power@rack}. Empty if no workload is refused, or not for lack of a resource
 * @param refusal why the next round does not fit; empty if the search ended before it. Where it
 *     fits after the others, but not together with them, of the first workload refused then
 */
public record Headroom(
    long rounds, Optional<Long> atMost, Optional<String> first, Optional<Refusal> refusal) {
  /** The most rounds that the search tries. */
  public static final long MOST = 100_000;

  /** Checks. */
  public Headroom {
    Objects.requireNonNull(atMost, "atMost");
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(refusal, "refusal");
  }

  /**
   * One workload of a mix.
   *
   * @param shape its requirements; its name is that of the shape
   * @param copies how many of it are in one round, 1 or more
   */
  public record Part(Workload shape, int copies) {
    /**
     * Checks.
     *
     * @throws InvalidInputException if the number of copies is below 1, or the shape is a member of
     *     a gang
     */
    public Part {
      if (copies < 1) {
        throw new InvalidInputException(
            "shape '" + shape.name() + "'", "copies", String.valueOf(copies), "1 or more");
      }
      if (shape.terms().gang().isPresent()) {
        throw new InvalidInputException(
            "shape '" + shape.name() + "'", "gang", "a gang", "a shape without a gang");
      }
    }
  }
}
