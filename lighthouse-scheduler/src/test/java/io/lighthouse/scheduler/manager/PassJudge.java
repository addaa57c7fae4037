package io.lighthouse.scheduler.manager;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.Fixtures.TestNode;
import io.lighthouse.scheduler.NotPlaced;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.SchedulingReport.Launch;
import io.lighthouse.scheduler.SchedulingReport.Outcome;
import io.lighthouse.scheduler.SchedulingReport.Reservation;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Task;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Judges one pass by what went in and what came out, with arithmetic of its own: none of the
 * engine's classes that count, compare or choose is used.
 */
final class PassJudge {
  private final RandomPass before;
  private final SchedulingReport report;
  private final List<String> findings = new ArrayList<>();
  private final Set<String> launched = new HashSet<>();

  private PassJudge(RandomPass before, SchedulingReport report) {
    this.before = before;
    this.report = report;
    before.cluster.client.launched.forEach(task -> launched.add(task.id()));
  }

  /** What is wrong with the pass; nothing if all is well. */
  static List<String> judge(RandomPass before, SchedulingReport report) {
    PassJudge judge = new PassJudge(before, report);
    judge.launchesFitTheirOffers();
    judge.newWorkGoesToFreeAndReadyNodes();
    judge.typesKeepTheirLimits();
    judge.reservedNodesStayFree();
    judge.entriesAreInOnePlace();
    judge.offersGoOneWay();
    judge.systemTasksComeFirst();
    judge.nothingThatFitsIsLeft();
    judge.devicesBelongToWhatRuns();
    return judge.findings;
  }

  private void find(boolean wrong, String finding, Object... values) {
    if (wrong) {
      findings.add(String.format(finding, values));
    }
  }

  /** 1. */
  private void launchesFitTheirOffers() {
    for (Launch launch : report.sent().launches()) {
      Map<String, BigDecimal> lent = new HashMap<>();
      launch.offers().forEach(offer -> add(lent, offer.resources(), 1));
      launch.tasks().forEach(task -> add(lent, task.resources(), -1));
      find(isNegative(lent), "launch on %s exceeds its offers: %s", launch.node(), lent);
    }
  }

  /** 2. */
  private void newWorkGoesToFreeAndReadyNodes() {
    for (Placement placement : report.queue().placements()) {
      TestNode node = node(placement.node());
      find(!node.newJobs, "%s is on a node that is not ready", placement);
      find(waitsOn(node.agent), "%s is on a node where something waits", placement);
    }
  }

  private boolean waitsOn(String agent) {
    return before.ready.stream()
        .anyMatch(task -> task.agent().equals(agent) && !launched.contains(task.id()));
  }

  /** 3; and what is refused for the limit has reached it. */
  private void typesKeepTheirLimits() {
    Map<String, Integer> count = new HashMap<>();
    for (RunningExecution execution : before.running) {
      // What is lost holds no room, although its task may never be heard of.
      boolean there =
          before.cluster.nodes.stream()
              .anyMatch(
                  node ->
                      node.name.equals(execution.node())
                          && node.agent.equals(execution.agent())
                          && node.nextTasks);
      count.merge(execution.jobType(), there ? 1 : 0, Integer::sum);
    }
    Map<String, Integer> old = new HashMap<>(count);
    for (Placement placement : report.queue().placements()) {
      count.merge(placement.execution().jobType(), 1, Integer::sum);
    }
    for (JobType type : before.types) {
      int now = count.getOrDefault(type.name(), 0);
      boolean grew = now > old.getOrDefault(type.name(), 0);
      find(grew && type.paused(), "%s is paused and grew", type);
      find(
          grew && type.maxScheduled() > 0 && now > type.maxScheduled(),
          "%s grew beyond its limit to %s",
          type,
          now);
      boolean refused =
          report.queue().excluded().get(type.name()) == NotPlaced.Why.TYPE_LIMIT
              || report.queue().notPlaced().stream()
                  .anyMatch(
                      entry ->
                          entry.jobType().equals(type.name())
                              && entry.why() == NotPlaced.Why.TYPE_LIMIT);
      boolean undone = report.outcome() == Outcome.NEW_WORK_ROLLED_BACK;
      find(refused && !undone && now < type.maxScheduled(), "%s was refused at %s", type, now);
    }
  }

  /** 4. */
  private void reservedNodesStayFree() {
    List<String> order = new ArrayList<>();
    before.queue.stream()
        .sorted(
            Comparator.comparingInt(PendingExecution::priority)
                .thenComparing(PendingExecution::queued)
                .thenComparing(PendingExecution::id))
        .forEach(entry -> order.add(entry.id()));
    for (Reservation reservation : report.queue().reservations()) {
      for (Placement placement : report.queue().placements()) {
        find(
            placement.node().equals(reservation.node())
                && order.indexOf(placement.execution().id())
                    > order.indexOf(reservation.execution()),
            "%s is behind %s",
            placement,
            reservation);
      }
    }
  }

  /** 5. */
  private void entriesAreInOnePlace() {
    for (PendingExecution entry : before.queue) {
      boolean queued = before.cluster.memory.queue().get(entry.id()).isPresent();
      boolean runs = before.cluster.memory.executions().get(entry.id()).isPresent();
      boolean over = before.cluster.memory.executions().ended(entry.id()).isPresent();
      int places = (queued ? 1 : 0) + (runs ? 1 : 0) + (over ? 1 : 0);
      find(places != 1, "%s is in %s places", entry.id(), places);
      boolean reported =
          report.queue().placements().stream()
              .anyMatch(placement -> placement.execution().id().equals(entry.id()));
      find(reported != runs, "%s is reported otherwise than it is", entry.id());
      find(entry.cancelled() && runs, "%s was cancelled and runs", entry.id());
      find(entry.cancelled() && queued && !before.storeFails, "%s is still queued", entry.id());
    }
  }

  /** 6. */
  private void offersGoOneWay() {
    for (ResourceOffer offer : before.cluster.made) {
      long times =
          before.cluster.client.accepted.stream().filter(offer::equals).count()
              + before.cluster.client.declined.stream().filter(offer::equals).count();
      find(times != 1, "offer %s was used %s times", offer.id(), times);
    }
  }

  /** 8. */
  private void systemTasksComeFirst() {
    for (Task task : before.system) {
      find(
          !launched.contains(task.id()) && !report.queue().placements().isEmpty(),
          "new work was placed although %s waits",
          task.id());
    }
  }

  /**
   * What remains of the offered resources only shrinks in a pass: what fits in the end did before.
   */
  private void nothingThatFitsIsLeft() {
    for (NotPlaced entry : report.queue().notPlaced()) {
      if (entry.why() != NotPlaced.Why.NO_ROOM && entry.why() != NotPlaced.Why.NO_ROOM_RESERVED) {
        continue;
      }
      Resources request =
          before.queue.stream()
              .filter(each -> each.id().equals(entry.execution()))
              .findFirst()
              .orElseThrow()
              .request();
      for (TestNode node : before.cluster.nodes) {
        boolean reserved =
            report.queue().reservations().stream().anyMatch(each -> each.node().equals(node.name));
        boolean lends =
            before.cluster.made.stream().anyMatch(offer -> offer.agent().equals(node.agent));
        boolean open = node.newJobs && node.nextTasks && lends;
        if (open && !reserved && !waitsOn(node.agent)) {
          Map<String, BigDecimal> left = new HashMap<>();
          before.cluster.made.stream()
              .filter(offer -> offer.agent().equals(node.agent))
              .forEach(offer -> add(left, offer.resources(), 1));
          before.cluster.client.launched.stream()
              .filter(task -> task.agent().equals(node.agent))
              .forEach(task -> add(left, task.resources(), -1));
          add(left, request, -1);
          find(
              !before.storeFails && !isNegative(left),
              "%s would fit on %s",
              entry.execution(),
              node.name);
        }
      }
    }
  }

  private void devicesBelongToWhatRuns() {
    for (String holder : before.cluster.ports.devices().holders()) {
      find(
          before.cluster.memory.executions().get(holder).isEmpty(),
          "%s has devices and does not run",
          holder);
    }
  }

  private TestNode node(String name) {
    return before.cluster.nodes.stream()
        .filter(node -> node.name.equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static void add(Map<String, BigDecimal> sum, Resources vector, int sign) {
    vector
        .asMap()
        .forEach(
            (name, quantity) ->
                sum.merge(
                    name,
                    quantity.toBigDecimal().multiply(BigDecimal.valueOf(sign)),
                    BigDecimal::add));
  }

  private static boolean isNegative(Map<String, BigDecimal> vector) {
    return vector.values().stream().anyMatch(amount -> amount.signum() < 0);
  }
}
