package io.lighthouse.scheduler.manager;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.scheduler.NotPlaced;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.SchedulingReport.Outcome;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.Task;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What goes into the report of a pass, while the pass is made. */
final class PassLog {
  Outcome outcome = Outcome.DONE;
  final Queue queue = new Queue();
  final Running running = new Running();
  final Sent sent = new Sent();
  final List<LighthouseException> failures = new ArrayList<>();

  /** Of the work that waits. */
  static final class Queue {
    final List<Placement> placements = new ArrayList<>();
    final List<String> cancelled = new ArrayList<>();
    final List<NotPlaced> notPlaced = new ArrayList<>();
    final Map<String, NotPlaced.Why> excluded = new TreeMap<>(Names.order());
    final List<SchedulingReport.Reservation> reservations = new ArrayList<>();
  }

  /** Of the work that runs. */
  static final class Running {
    final List<SchedulingReport.Waiting> waiting = new ArrayList<>();
    final Map<String, Resources> shortages = new TreeMap<>(Names.order());
    final List<String> lost = new ArrayList<>();
    final List<String> starved = new ArrayList<>();
    final List<String> away = new ArrayList<>();
    final List<Task> toKill = new ArrayList<>();
  }

  /** Of what was sent. */
  static final class Sent {
    final List<SchedulingReport.Launch> launches = new ArrayList<>();
    final List<SchedulingReport.Requeued> requeued = new ArrayList<>();
    final List<Task> dropped = new ArrayList<>();
    final List<ResourceOffer> declined = new ArrayList<>();
  }

  void notPlaced(
      PendingExecution entry, NotPlaced.Why why, List<String> names, Map<String, Integer> shortOn) {
    queue.notPlaced.add(
        new NotPlaced(entry.id(), entry.jobType(), entry.priority(), why, names, shortOn));
  }

  /** Does what the pass can do without: what it throws is reported. */
  boolean tries(Runnable action) {
    try {
      action.run();
      return true;
    } catch (LighthouseException failed) {
      failures.add(failed);
      return false;
    }
  }

  /** Calls a port that the pass can do without: what it throws is reported. */
  boolean triesToTell(String port, String method, Runnable message) {
    return tries(() -> Guard.tell(port, method, message));
  }

  SchedulingReport report(Instant when) {
    return new SchedulingReport(
        when,
        outcome,
        new SchedulingReport.Queue(
            queue.placements, queue.cancelled, queue.notPlaced, queue.excluded, queue.reservations),
        new SchedulingReport.Running(
            running.waiting,
            running.shortages,
            running.lost,
            running.starved,
            running.away,
            running.toKill),
        new SchedulingReport.Sent(sent.launches, sent.requeued, sent.dropped, sent.declined),
        failures);
  }
}
