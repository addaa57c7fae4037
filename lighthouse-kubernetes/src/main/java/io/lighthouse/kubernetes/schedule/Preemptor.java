package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import io.lighthouse.kubernetes.schedule.ObjectWrites.NotWrittenException;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Carries out preemptions, several at a time. The order of the calls:
 *
 * <ol>
 *   <li>The pod is nominated to its node, together with the condition of its refusal. Where it does
 *       not wait any more, or has a newer report, nothing else is done.
 *   <li>Pods of a lower priority lose their nomination to that node.
 *   <li>Each victim gets its condition, and is then deleted ({@link VictimCalls}).
 * </ol>
 *
 * <p>After a failure the remaining victims stay, and the pod is decided again. So a process that
 * stops between two calls leaves objects from which the next one goes on. Thread-safe.
 */
final class Preemptor implements AutoCloseable {
  /** The number of its threads. */
  static final int THREADS = 16;

  /**
   * The maximum number of attempts to take a nomination back from a pod that keeps changing, or
   * while the server is busy or fails.
   */
  private static final int TRIES = 4;

  private final Reporter reporter;
  private final SchedulerMetrics metrics;
  private final JsonLog log;
  private final VictimCalls calls;
  private final CallWorkers workers;

  /** How a preemption ended. */
  enum Outcome {
    /** All victims end or have gone. */
    DONE,
    /** A call failed; the remaining victims stay. */
    FAILED,
    /** The pod does not wait any more, or has a newer report, so nothing was evicted. */
    NEEDLESS,
    /** This process does not lead any more. */
    WITHDRAWN
  }

  /**
   * A preemptor.
   *
   * @param workers its threads; they are closed with this
   */
  Preemptor(
      ApiServer server,
      Reporter reporter,
      CallWorkers workers,
      SchedulerMetrics metrics,
      JsonLog log,
      Clock wall) {
    this.reporter = reporter;
    this.metrics = metrics;
    this.log = log;
    this.workers = workers;
    this.calls = new VictimCalls(server, workers, metrics, wall);
  }

  /** Carries a preemption out in the background; the end is a message in the inbox. */
  void submit(Decision.Preempt decision) {
    PodCondition nomination =
        reporter.nomination(decision.pod(), decision.node(), decision.message());
    workers.submit(
        decision.pod().priority(),
        () -> {
          Message.PreemptionEnded ended = carryOut(decision, nomination);
          metrics.preemptions.labelValues(ended.outcome().name().toLowerCase(Locale.ROOT)).inc();
          return ended;
        });
  }

  /** Preemptions that have not ended. */
  int inFlight() {
    return workers.inFlight();
  }

  private Message.PreemptionEnded carryOut(Decision.Preempt decision, PodCondition nomination)
      throws InterruptedException {
    List<JsonNode> pods = new ArrayList<>();
    Set<String> evicted = new LinkedHashSet<>();
    Outcome outcome = Outcome.DONE;
    String detail = "";
    try {
      JsonNode pod = reporter.nominate(decision.pod(), nomination, workers::sendIfAllowed);
      if (pod == null) {
        return new Message.PreemptionEnded(decision, Outcome.NEEDLESS, pods, evicted, "");
      }
      pods.add(pod);
      for (WaitingPod displaced : decision.displaced()) {
        takeBack(displaced, decision.node());
      }
      for (WaitingPod victim : decision.victims()) {
        JsonNode answer = calls.evict(victim, decision.pod().schedulerName());
        evicted.add(victim.uid());
        if (answer != null) {
          pods.add(answer);
          metrics.victims.inc();
          reporter.preempted(victim, decision.pod(), decision.node());
        }
      }
    } catch (IOException | NotWrittenException failed) {
      outcome = workers.maySend() ? Outcome.FAILED : Outcome.WITHDRAWN;
      detail = failed.getMessage();
      metrics.failures.labelValues("preempt").inc();
    }
    return new Message.PreemptionEnded(decision, outcome, pods, evicted, detail);
  }

  /** Takes a nomination back. Where this fails, the pod keeps it until it is decided again. */
  private void takeBack(WaitingPod pod, String node) throws InterruptedException {
    try {
      calls.clearNomination(pod, node, TRIES);
    } catch (IOException | NotWrittenException failed) {
      metrics.failures.labelValues("nomination").inc();
      log.warning("nomination-stays", "pod", pod.key(), "node", node, "error", failed.getMessage());
    }
  }

  /** Sends nothing more, and waits until no nomination and no eviction takes effect any more. */
  @Override
  public void close() {
    workers.close();
  }
}
