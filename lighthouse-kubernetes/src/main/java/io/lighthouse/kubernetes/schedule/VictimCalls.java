package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.Pause;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.io.IOException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The calls that change other pods for a preemption. Every call names the pod by its uid, so a
 * namesake that was made later is left alone. It gives the server a limit of time, so it takes no
 * effect under a later leader. After an answer that is an error or does not come, the pod is read
 * before the call is repeated, so a pod that ends already is not deleted again. Thread-safe.
 */
final class VictimCalls {
  /** How often the eviction of a pod is tried, while the pod does not end. */
  private static final int TRIES = 4;

  private final ApiServer server;
  private final CallWorkers workers;
  private final SchedulerMetrics metrics;
  private final Clock wall;

  VictimCalls(ApiServer server, CallWorkers workers, SchedulerMetrics metrics, Clock wall) {
    this.server = server;
    this.workers = workers;
    this.metrics = metrics;
    this.wall = wall;
  }

  /**
   * Marks a pod as a target of disruption, and deletes it with its own grace period.
   *
   * @param schedulerName the name that the condition has
   * @return the pod as it ends; null where it had gone before
   * @throws IOException if it is not known to end, or this process may not act any more
   */
  JsonNode evict(WaitingPod victim, String schedulerName) throws IOException, InterruptedException {
    Pause pause = Pause.betweenCalls();
    for (int tries = 1; ; tries++) {
      IOException cause;
      int asked = 0;
      try {
        ObjectNode condition = condition(victim, schedulerName);
        workers.sendIfAllowed(() -> server.patch(status(victim), condition));
        ObjectNode deletion = ObjectWrites.deletion(victim.uid());
        return workers.sendIfAllowed(() -> server.delete(victim.path(), deletion));
      } catch (ApiException refused) {
        if (refused.code() == 404) {
          return null;
        }
        cause = refused;
        asked = refused.retryAfter();
        tries -= refused.code() == 429 ? 1 : 0;
      } catch (IOException unknown) {
        cause = unknown;
      }
      requireLead();
      metrics.failures.labelValues("evict").inc();
      JsonNode now = look(victim, pause);
      if (now == null || ObjectFields.isDeleting(now)) {
        return now;
      }
      if (tries >= TRIES) {
        throw cause;
      }
      pause.sleep(asked);
    }
  }

  /**
   * Takes the nomination to a node back from a pod that has it still.
   *
   * @param most the maximum number of attempts
   */
  void clearNomination(WaitingPod pod, String node, int most)
      throws IOException, InterruptedException {
    Pause pause = Pause.betweenCalls();
    String version = pod.resourceVersion();
    for (int tries = 1; ; tries++) {
      ObjectNode patch = named(pod);
      patch.withObjectProperty("metadata").put("resourceVersion", version);
      patch.putObject("status").putNull("nominatedNodeName");
      try {
        workers.sendIfAllowed(() -> server.patch(status(pod), patch));
        return;
      } catch (ApiException refused) {
        if (refused.code() == 404) {
          return;
        }
        if (refused.code() != 409 && refused.code() != 422 || tries == most) {
          throw refused;
        }
        JsonNode now = look(pod, pause);
        if (now == null
            || !ObjectFields.text(now.path("status"), "nominatedNodeName").equals(node)) {
          return;
        }
        version = ObjectFields.version(now);
      }
    }
  }

  private void requireLead() throws IOException {
    if (!workers.maySend()) {
      throw new IOException("no leader");
    }
  }

  /** The pod as the server has it; null if it has gone. Retries until there is an answer. */
  private JsonNode look(WaitingPod pod, Pause pause) throws IOException, InterruptedException {
    while (true) {
      requireLead();
      try {
        JsonNode now = server.find(pod.path());
        boolean same = ObjectFields.uid(now).equals(pod.uid());
        return same ? now : null;
      } catch (IOException failed) {
        if (!ApiException.mayHelpToWait(failed)) {
          throw failed;
        }
        pause.sleep(failed);
      }
    }
  }

  private static String status(WaitingPod pod) {
    return pod.path() + "/status";
  }

  private static ObjectNode named(WaitingPod pod) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("uid", pod.uid());
    return patch;
  }

  private ObjectNode condition(WaitingPod victim, String schedulerName) {
    ObjectNode patch = named(victim);
    patch
        .putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", "DisruptionTarget")
        .put("status", "True")
        .put("reason", "PreemptionByScheduler")
        .put("message", schedulerName + ": preempting to accommodate a higher priority pod")
        .put("lastTransitionTime", wall.instant().truncatedTo(ChronoUnit.SECONDS).toString());
    return patch;
  }
}
