package io.lighthouse.scheduler;

import io.lighthouse.api.error.Plural;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A report of a pass for people. */
final class ReportText {
  private ReportText() {}

  static String summary(SchedulingReport report) {
    List<String> parts = new ArrayList<>();
    report
        .counts()
        .forEach(
            (name, count) -> {
              if (count > 0) {
                parts.add(count + " " + (count == 1 ? singular(words(name)) : words(name)));
              }
            });
    return words(report.outcome().name())
        + ": "
        + (parts.isEmpty() ? "nothing to do" : String.join(", ", parts));
  }

  /** The words with their first plural in the singular: {@code failed launch}. */
  private static String singular(String words) {
    return words.replaceFirst("(?:(?<=ch)e)?s\\b", "");
  }

  static String full(SchedulingReport report) {
    List<String> lines = new ArrayList<>();
    lines.add(report.when() + " " + summary(report));
    queue(report.queue(), lines);
    running(report.running(), lines);
    sent(report.sent(), lines);
    report.failures().forEach(failure -> lines.add("failed: " + failure.getMessage()));
    return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
  }

  private static void queue(SchedulingReport.Queue queue, List<String> lines) {
    for (Placement placement : queue.placements()) {
      lines.add("placed " + placement.execution().id() + " on " + placement.node());
    }
    queue.cancelled().forEach(id -> lines.add("cancelled " + id));
    for (NotPlaced entry : queue.notPlaced()) {
      String names = entry.names().isEmpty() ? "" : " " + String.join(", ", entry.names());
      String shortOn = entry.shortOn().isEmpty() ? "" : ", nodes short of " + entry.shortOn();
      lines.add("not placed " + entry.execution() + ": " + words(entry.why()) + names + shortOn);
    }
    queue.excluded().forEach((type, why) -> lines.add("not looked at " + type + ": " + words(why)));
    for (SchedulingReport.Reservation each : queue.reservations()) {
      lines.add("kept " + each.node() + " free for " + each.execution());
    }
  }

  private static void running(SchedulingReport.Running running, List<String> lines) {
    for (SchedulingReport.Waiting each : running.waiting()) {
      lines.add("waiting " + each.task().id() + ", passes " + each.passes());
    }
    running.shortages().forEach((agent, lack) -> lines.add("short " + agent + ": " + lack));
    running.lost().forEach(id -> lines.add("lost " + id));
    running.starved().forEach(id -> lines.add("starved " + id));
    running.away().forEach(id -> lines.add("away " + id));
    running.toKill().forEach(task -> lines.add("to kill " + task.id() + " on " + task.agent()));
  }

  private static void sent(SchedulingReport.Sent sent, List<String> lines) {
    for (SchedulingReport.Launch launch : sent.launches()) {
      lines.add(
          (launch.failed() ? "failed to launch on " : "launched on ")
              + launch.node()
              + ": "
              + launch.tasks().stream().map(Task::id).collect(Collectors.joining(", ")));
      launch
          .refused()
          .forEach(refusal -> lines.add("refused " + refusal.task() + ": " + refusal.reason()));
    }
    for (SchedulingReport.Requeued each : sent.requeued()) {
      lines.add(
          "back to the queue "
              + each.execution()
              + ", refused "
              + Plural.of(each.refusals(), "time")
              + ", avoids "
              + each.node()
              + " until "
              + each.until());
    }
    sent.dropped().forEach(task -> lines.add("dropped " + task.id()));
    if (!sent.declined().isEmpty()) {
      lines.add(
          "declined "
              + sent.declined().stream().map(ResourceOffer::id).collect(Collectors.joining(", ")));
    }
  }

  private static String words(Enum<?> constant) {
    return words(constant.name());
  }

  private static String words(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
