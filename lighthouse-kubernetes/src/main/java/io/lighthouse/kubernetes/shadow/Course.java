package io.lighthouse.kubernetes.shadow;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Both clusters over time. Once {@value #MOST} samples are kept, every second one is dropped, and
 * the time between samples doubles. Not thread-safe.
 */
final class Course {
  private static final int MOST = 720;

  private final List<Sample> samples = new ArrayList<>();
  private long interval = TimeUnit.SECONDS.toNanos(5);
  private long next;

  /**
   * Both clusters at one moment.
   *
   * @param at the moment
   * @param there the cluster as it is
   * @param ours the cluster as it would be
   */
  public record Sample(Instant at, Figures there, Figures ours) {}

  /** Whether it is time for a sample. */
  boolean isDue(long nanos) {
    return samples.isEmpty() || nanos - next >= 0;
  }

  void add(Sample sample, long nanos) {
    if (samples.size() == MOST) {
      for (int i = 0; i < MOST / 2; i++) {
        samples.set(i, samples.get(2 * i));
      }
      samples.subList(MOST / 2, MOST).clear();
      interval *= 2;
    }
    samples.add(sample);
    next = nanos + interval;
  }

  List<Sample> samples() {
    return List.copyOf(samples);
  }
}
