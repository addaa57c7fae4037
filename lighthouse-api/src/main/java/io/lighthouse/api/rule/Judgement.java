package io.lighthouse.api.rule;

import io.lighthouse.api.Names;
import io.lighthouse.api.Quantity;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a rule says of one workload on one node. Immutable and thread-safe.
 *
 * @param excess how far the rule would be from being kept; 0 where it is kept. A negative one is a
 *     failure of the rule
 * @param text what is wrong, for people, in a few words; empty where the rule is kept
 * @param numbers what the rule counts, by name; kept in the order of names
 */
public record Judgement(long excess, String text, Map<String, Quantity> numbers) {
  /** The rule is kept. */
  public static final Judgement KEPT = new Judgement(0, "", Map.of());

  /** Copies. */
  public Judgement {
    Map<String, Quantity> sorted = new TreeMap<>(Names.order());
    sorted.putAll(numbers);
    numbers = Collections.unmodifiableMap(sorted);
  }

  /**
   * The rule is not kept.
   *
   * @param excess how far it is from being kept, above 0
   * @param text what is wrong
   * @return the judgement
   */
  public static Judgement broken(long excess, String text) {
    return new Judgement(excess, text, Map.of());
  }
}
