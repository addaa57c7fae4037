package io.lighthouse.api.rule;

import io.lighthouse.api.Names;
import io.lighthouse.api.quantity.Quantity;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A rule's judgement of one workload on one node. Immutable and thread-safe.
 *
 * @param excess by how much the rule would be violated; 0 if it is kept. A negative excess is a
 *     failure of the rule
 * @param text what is wrong, for people, in a few words; empty if the rule is kept
 * @param numbers the figures that the rule reports, by name; kept in the order of names
 */
public record Judgement(long excess, String text, Map<String, Quantity> numbers) {
  /** The rule is kept. */
  public static final Judgement KEPT = new Judgement(0, "", Map.of());

  /** Copies. */
  public Judgement {
    Objects.requireNonNull(text, "text");
    Map<String, Quantity> sorted = new TreeMap<>(Names.order());
    sorted.putAll(Map.copyOf(numbers)); // Without null.
    numbers = Collections.unmodifiableMap(sorted);
  }

  /**
   * The rule is not kept.
   *
   * @param excess by how much it is violated, above 0
   * @param text what is wrong
   * @return the judgement
   */
  public static Judgement broken(long excess, String text) {
    return new Judgement(excess, text, Map.of());
  }
}
