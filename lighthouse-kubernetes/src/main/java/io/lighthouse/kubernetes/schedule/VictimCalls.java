package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.Pause;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import io.lighthouse.kubernetes.schedule.ObjectWrites.NotWrittenException;
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
  private final ApiServer server;
  private final CallWorkers workers;
  private final ObjectWrites writes;
  private final Clock wall;

  VictimCalls(ApiServer server, CallWorkers workers, SchedulerMetrics metrics, Clock wall) {
    this.server = server;
    this.workers = workers;
    this.wall = wall;
    writes = new ObjectWrites(server, workers, metrics, "evict");
  }

  /**
   * Marks a pod as a target of disruption, and deletes it with its own grace period.
   *
   * @param schedulerName the name that the condition has
   * @return the pod as it ends; null where it had gone before
   * @throws NotWrittenException if it is not known to end, or this process may not act any more
   */
  JsonNode evict(WaitingPod victim, String schedulerName)
      throws NotWrittenException, InterruptedException {
    String uid = victim.uid();
    JsonNode condition = condition(victim, schedulerName);
    JsonNode now =
        writes.writeIfThere(
            victim.path(), "/status", condition, pod -> ObjectWrites.isGoneOrEnding(pod, uid));
    if (!ObjectWrites.isGoneOrEnding(now, uid)) {
      now = writes.delete(victim.path(), uid);
    }
    return ObjectFields.uid(now).equals(uid) ? now : null;
  }

  /**
   * Takes the nomination to a node back from a pod that has it still.
   *
   * @param most the maximum number of attempts
   * @throws IOException if it fails in a way that does not pass, or at the last attempt
   * @throws NotWrittenException if the pod cannot be read, or this process may not act any more
   */
  void clearNomination(WaitingPod pod, String node, int most)
      throws IOException, NotWrittenException, InterruptedException {
    Pause pause = Pause.betweenCalls();
    String version = pod.resourceVersion();
    for (int tries = 1; ; tries++) {
      ObjectNode patch = named(pod);
      patch.withObjectProperty("metadata").put("resourceVersion", version);
      patch.putObject("status").putNull("nominatedNodeName");
      try {
        workers.sendIfAllowed(() -> server.patch(status(pod), patch));
        return;
      } catch (IOException failed) {
        int code = failed instanceof ApiException refused ? refused.code() : 0;
        if (code == 404) {
          return;
        }
        boolean isStale = code == 409 || code == 422;
        if (!isStale && !ApiException.mayHelpToWait(failed) || tries == most) {
          throw failed;
        }
        pause.sleep(failed);
      }
      JsonNode now = writes.find(pod.path());
      if (!ObjectFields.uid(now).equals(pod.uid())
          || !ObjectFields.text(now.path("status"), "nominatedNodeName").equals(node)) {
        return;
      }
      version = ObjectFields.version(now);
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
    ObjectNode condition =
        patch
            .putObject("status")
            .putArray("conditions")
            .addObject()
            .put("type", "DisruptionTarget")
            .put("status", "True")
            .put("reason", "PreemptionByScheduler")
            .put("message", schedulerName + ": preempting to accommodate a higher priority pod")
            .put("lastTransitionTime", wall.instant().truncatedTo(ChronoUnit.SECONDS).toString());
    if (victim.generation() > 0) {
      condition.put("observedGeneration", victim.generation());
    }
    return patch;
  }
}
