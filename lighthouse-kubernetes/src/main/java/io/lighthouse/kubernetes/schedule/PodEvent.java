package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.time.Instant;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * An event about a pod. Its name and time are the same at every attempt to write it: the server may
 * have written it without an answer.
 *
 * @param type Normal or Warning
 * @param note what it says
 * @param related the pod that a victim is evicted for; null for other events
 * @param name its name
 * @param at when it was made
 */
record PodEvent(
    WaitingPod pod,
    String type,
    String reason,
    String action,
    String note,
    WaitingPod related,
    String name,
    Instant at) {
  private static final String BOUND = "Scheduled";

  /**
   * The maximum length of the pod's name in an event's name: a name has at most 253 characters, of
   * which the suffix needs 17.
   */
  private static final int LONGEST_NAME = 253 - 17;

  /** The pod was bound. */
  static PodEvent bound(Decision.Bind bind, Instant at) {
    String note =
        "Successfully assigned "
            + bind.pod().key()
            + " to "
            + bind.node()
            + " (strategy "
            + bind.strategy()
            + ", decision "
            + bind.hash()
            + ")";
    return of(bind.pod(), "Normal", BOUND, "Binding", note, null, at);
  }

  /** The pod found no node. */
  static PodEvent refused(WaitingPod pod, String note, Instant at) {
    return of(pod, "Warning", "FailedScheduling", "Scheduling", note, null, at);
  }

  /** The pod was evicted for another one. */
  static PodEvent preempted(WaitingPod victim, WaitingPod by, String node, Instant at) {
    String note = "Preempted by pod " + by.uid() + " on node " + node;
    return of(victim, "Normal", "Preempted", "Preempting", note, by, at);
  }

  private static PodEvent of(
      WaitingPod pod,
      String type,
      String reason,
      String action,
      String note,
      WaitingPod related,
      Instant at) {
    return new PodEvent(pod, type, reason, action, note, related, name(pod.name()), at);
  }

  private static String name(String pod) {
    String start = pod.substring(0, Math.min(pod.length(), LONGEST_NAME));
    while (!Character.isLetterOrDigit(start.charAt(start.length() - 1))) {
      start = start.substring(0, start.length() - 1);
    }
    return start + "." + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }

  boolean isOfBoundPod() {
    return reason.equals(BOUND);
  }

  /** What the newest event of a pod is kept by. A victim may have one of its binding, too. */
  String key() {
    return related == null ? pod.uid() : pod.uid() + " preempted";
  }

  /** The path of its collection. */
  String collection() {
    return "/apis/events.k8s.io/v1/namespaces/" + pod.namespace() + "/events";
  }

  /**
   * The object.
   *
   * @param instance the name of this process
   */
  ObjectNode json(String instance) {
    ObjectNode event = JsonNodeFactory.instance.objectNode();
    event.put("apiVersion", "events.k8s.io/v1").put("kind", "Event");
    event.putObject("metadata").put("name", name).put("namespace", pod.namespace());
    event.put("eventTime", ApiServer.MICRO_TIME.format(at));
    // The scheduler that acted: of a victim, that of the pod it is evicted for.
    String scheduler = (related == null ? pod : related).schedulerName();
    event.put("reportingController", scheduler).put("reportingInstance", instance);
    event.put("action", action).put("type", type).put("reason", reason);
    reference(event.putObject("regarding"), pod);
    if (related != null) {
      reference(event.putObject("related"), related);
    }
    return event.put("note", Decision.cut(note));
  }

  private static void reference(ObjectNode reference, WaitingPod pod) {
    reference
        .put("apiVersion", "v1")
        .put("kind", "Pod")
        .put("namespace", pod.namespace())
        .put("name", pod.name())
        .put("uid", pod.uid());
  }
}
