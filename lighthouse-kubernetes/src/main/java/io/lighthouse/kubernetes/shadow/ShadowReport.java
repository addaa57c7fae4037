package io.lighthouse.kubernetes.shadow;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What a shadow has found so far. Immutable.
 *
 * @param server the address of the API server
 * @param scheduler the name of the other scheduler
 * @param strategy the name of Lighthouse's strategy
 * @param since when it began
 * @param at when the report was made
 * @param counts the number of decisions with each outcome, all outcomes in their order
 * @param causes the number of differences by outcome and by the filter, preference or strategy
 * @param last the last differences, the newest first
 * @param there the cluster as it is
 * @param ours the cluster as it would be if Lighthouse had placed these pods
 * @param course both over time, the oldest first
 */
record ShadowReport(
    String server,
    String scheduler,
    String strategy,
    Instant since,
    Instant at,
    Map<ComparisonOutcome, Long> counts,
    Map<ComparisonOutcome, Map<String, Long>> causes,
    List<Difference> last,
    Figures there,
    Figures ours,
    List<Course.Sample> course) {

  /** The number of decisions in a group of outcomes. */
  long count(ComparisonOutcome.Group group) {
    return counts.entrySet().stream()
        .filter(entry -> entry.getKey().group() == group)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** The number of decisions that were compared: all but those that were not judged. */
  long compared() {
    return counts.values().stream().mapToLong(Long::longValue).sum()
        - count(ComparisonOutcome.Group.NOT_JUDGED);
  }
}
