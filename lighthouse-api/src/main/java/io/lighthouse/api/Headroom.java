package io.lighthouse.api;

import java.util.Objects;
import java.util.Optional;

/**
 * How much more of a mix of workloads fits a fleet. It is exact for one plain shape: without
 * immunities and terms, that requires nothing below 0, on a fleet without rules, with a strategy
 * that does not decline. Immutable and thread-safe.
 *
 * @param rounds how often the whole mix fits at once, as the fleet's strategy places it
 * @param atMost how often it could fit at most, whatever the strategy, which is proven; empty where
 *     nothing bounds it
 * @param first the resource that runs out first: what the workload that is refused in the next
 *     round lacks on most nodes, the first name among equals; empty where it is no resource that
 *     stands against it, or nobody is refused
 * @param refusal why the next round does not fit; empty where the search ended before
 */
public record Headroom(
    long rounds, Optional<Long> atMost, Optional<String> first, Optional<Refusal> refusal) {
  /** The most rounds that are looked for. */
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
   * @param shape what it asks for; its name is that of the shape
   * @param copies how many of it are in one round, 1 or more
   */
  public record Part(Workload shape, int copies) {
    /**
     * Checks.
     *
     * @throws InvalidInputException if there is not even one copy, or it is a member of a gang
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
