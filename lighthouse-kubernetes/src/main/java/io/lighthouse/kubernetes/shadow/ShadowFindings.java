package io.lighthouse.kubernetes.shadow;

import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What was found since the start: counts of all decisions, the last {@value #MOST} differences, and
 * both clusters over time. It outlives the models of the cluster. Thread-safe.
 */
final class ShadowFindings {
  /** The largest number of differences that are kept. */
  static final int MOST = 1_000;

  /** The largest number of causes that are counted by themselves, for each outcome. */
  private static final int MOST_CAUSES = 64;

  /** The largest number of differences of verdict that are logged in one minute, and of others. */
  private static final int MOST_LINES = 120;

  private static final String OTHERS = "others";

  private final JsonLog log;
  private final SchedulerMetrics metrics;
  private final Clock wall;
  private final LongSupplier nanos;
  private final Instant since;
  private final Map<ComparisonOutcome, Long> counts = new EnumMap<>(ComparisonOutcome.class);
  private final Map<ComparisonOutcome, Map<String, Long>> causes =
      new EnumMap<>(ComparisonOutcome.class);
  private final Deque<Difference> last = new ArrayDeque<>();
  private final Course course = new Course();
  private Figures there = Figures.NONE;
  private Figures ours = Figures.NONE;
  private long minute;
  private int lines;
  private int verdictLines;
  private long unlogged;

  ShadowFindings(JsonLog log, SchedulerMetrics metrics, Clock wall, LongSupplier nanos) {
    this.log = log;
    this.metrics = metrics;
    this.wall = wall;
    this.nanos = nanos;
    since = wall.instant();
    minute = nanos.getAsLong();
    for (ComparisonOutcome outcome : ComparisonOutcome.values()) {
      counts.put(outcome, 0L);
      metrics.shadowed.labelValues(outcome.word());
    }
  }

  /** Counts a decision that is no difference. */
  synchronized void count(ComparisonOutcome outcome) {
    counts.merge(outcome, 1L, Long::sum);
    metrics.shadowed.labelValues(outcome.word()).inc();
  }

  /** Counts a decision, and keeps and logs it as a difference. */
  synchronized void add(
      ComparisonOutcome outcome, String pod, String there, String ours, String by, String reason) {
    count(outcome);
    Map<String, Long> of = causes.computeIfAbsent(outcome, one -> new TreeMap<>());
    String cause = of.containsKey(by) || of.size() < MOST_CAUSES ? by : OTHERS;
    of.merge(cause, 1L, Long::sum);
    if (last.size() == MOST) {
      dropOldest();
    }
    last.addFirst(new Difference(wall.instant(), pod, outcome, there, ours, by, reason));
    log(outcome, pod, there, ours, by, reason);
  }

  /** Drops the oldest difference; a difference of verdict only where there is nothing else. */
  private void dropOldest() {
    Iterator<Difference> oldest = last.descendingIterator();
    while (oldest.hasNext()) {
      if (oldest.next().outcome().group() != ComparisonOutcome.Group.VERDICT) {
        oldest.remove();
        return;
      }
    }
    last.removeLast();
  }

  private void log(
      ComparisonOutcome outcome, String pod, String there, String ours, String by, String reason) {
    long now = nanos.getAsLong();
    if (now - minute >= TimeUnit.MINUTES.toNanos(1)) {
      if (unlogged > 0) {
        log.info("differences-not-logged", "count", unlogged);
      }
      minute = now;
      lines = 0;
      verdictLines = 0;
      unlogged = 0;
    }
    boolean isVerdict = outcome.group() == ComparisonOutcome.Group.VERDICT;
    if ((isVerdict ? verdictLines : lines) == MOST_LINES) {
      unlogged++;
      return;
    }
    if (isVerdict) {
      verdictLines++;
    } else {
      lines++;
    }
    Object[] fields = {
      "outcome",
      outcome.word(),
      "pod",
      pod,
      "there",
      there,
      "ours",
      ours,
      "by",
      by,
      "reason",
      reason
    };
    if (isVerdict) {
      log.warning("difference", fields);
    } else {
      log.info("difference", fields);
    }
  }

  /** Takes the figures of both clusters; not all of them are kept over time. */
  synchronized void sample(Figures there, Figures ours) {
    this.there = there;
    this.ours = ours;
    long now = nanos.getAsLong();
    if (course.isDue(now)) {
      course.add(new Course.Sample(wall.instant(), there, ours), now);
    }
  }

  synchronized Figures there() {
    return there;
  }

  synchronized Figures ours() {
    return ours;
  }

  /** A copy of all. */
  synchronized ShadowReport report(String server, String scheduler, String strategy) {
    Map<ComparisonOutcome, Map<String, Long>> copied = new EnumMap<>(ComparisonOutcome.class);
    causes.forEach((outcome, of) -> copied.put(outcome, new TreeMap<>(of)));
    List<Difference> differences = new ArrayList<>(last);
    return new ShadowReport(
        server,
        scheduler,
        strategy,
        since,
        wall.instant(),
        Collections.unmodifiableMap(new EnumMap<>(counts)),
        Collections.unmodifiableMap(copied),
        Collections.unmodifiableList(differences),
        there,
        ours,
        course.samples());
  }
}
