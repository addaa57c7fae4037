package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.api.error.Plural;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * What evicting some pods of a node costs, by the stock scheduler's criteria, in their order:
 *
 * <ol>
 *   <li>the fewest victims whose eviction violates a disruption budget
 *   <li>the lowest priority of the most important victim
 *   <li>the smallest sum of priorities
 *   <li>the fewest victims
 *   <li>the latest start of the victims of the highest priority
 * </ol>
 *
 * @param violations victims whose eviction violates a disruption budget
 * @param highest the highest priority of a victim
 * @param sum the sum of the priorities, each raised by 2^31 so that none is negative
 * @param victims the number of victims
 * @param earliest the earliest start of the victims of the highest priority
 */
record Harm(int violations, int highest, long sum, int victims, Instant earliest)
    implements Comparable<Harm> {
  private static final Comparator<Harm> ORDER =
      Comparator.comparingInt(Harm::violations)
          .thenComparingInt(Harm::highest)
          .thenComparingLong(Harm::sum)
          .thenComparingInt(Harm::victims)
          .thenComparing(Harm::earliest, Comparator.reverseOrder());

  /** The harm of evicting at least one pod. */
  static Harm of(int violations, List<PodEntry> victims) {
    int highest = Integer.MIN_VALUE;
    long sum = 0;
    Instant earliest = Instant.MAX;
    for (PodEntry victim : victims) {
      int priority = victim.facts.pod.priority();
      Instant started = victim.facts.started;
      if (priority > highest) {
        highest = priority;
        earliest = started;
      } else if (priority == highest && started.isBefore(earliest)) {
        earliest = started;
      }
      sum += raised(priority);
    }
    return new Harm(violations, highest, sum, victims.size(), earliest);
  }

  /**
   * A harm that no set of victims undercuts.
   *
   * @param victims the least number of victims
   * @param lowest the lowest priority of a victim
   * @param highest the least priority that one of them has
   * @param latest the latest possible start of the victims of that priority
   */
  static Harm atLeast(int victims, int lowest, int highest, Instant latest) {
    return new Harm(0, highest, raised(highest) + (victims - 1) * raised(lowest), victims, latest);
  }

  private static long raised(int priority) {
    return priority + (1L << Integer.SIZE - 1);
  }

  @Override
  public int compareTo(Harm other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return Plural.of(violations, "budget")
        + " violated, highest priority "
        + highest
        + ", "
        + Plural.of(victims, "victim")
        + (earliest.equals(Instant.MAX) ? ", not started" : ", started " + earliest);
  }
}
