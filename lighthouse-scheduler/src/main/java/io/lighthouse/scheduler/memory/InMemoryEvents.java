package io.lighthouse.scheduler.memory;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.model.Warning;
import io.lighthouse.scheduler.port.SchedulingEvents;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The warnings that are active, one of each subject, and the last total. A warning expires an hour
 * after it was last raised. At most 10,000 are kept, the latest. Thread-safe: one lock.
 */
public final class InMemoryEvents implements SchedulingEvents {
  /** How long a warning is active after it was last raised. */
  public static final Duration EXPIRY = Duration.ofHours(1);

  private static final int MOST = 10_000;

  /** The last warning of each subject; the oldest first. */
  private final Map<String, Raised> raised = new LinkedHashMap<>();

  private Optional<Resources> total = Optional.empty();

  private record Raised(Warning warning, Instant when) {}

  /** No warning. */
  public InMemoryEvents() {}

  @Override
  public synchronized void clusterTotal(Resources sum, Instant when) {
    total = Optional.of(sum);
  }

  @Override
  public synchronized void raise(Warning warning, Instant when) {
    raised.remove(warning.subject());
    raised.put(warning.subject(), new Raised(warning, when));
    if (raised.size() > MOST) {
      raised.remove(raised.keySet().iterator().next());
    }
  }

  @Override
  public synchronized void clear(String jobType) {
    raised.remove(jobType);
  }

  /**
   * The warnings that are active.
   *
   * @param when the time
   * @return the warnings, the one that was raised last at the end
   */
  public synchronized List<Warning> active(Instant when) {
    List<Warning> active = new ArrayList<>();
    for (Raised each : raised.values()) {
      if (Duration.between(each.when(), when).compareTo(EXPIRY) <= 0) {
        active.add(each.warning());
      }
    }
    return active;
  }

  /**
   * The size of the cluster as last reported.
   *
   * @return the sum over all agents; nothing if it was never reported
   */
  public synchronized Optional<Resources> clusterTotal() {
    return total;
  }
}
