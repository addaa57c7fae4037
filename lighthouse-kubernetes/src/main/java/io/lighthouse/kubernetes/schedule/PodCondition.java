package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The condition {@code PodScheduled} of a pod without a node, and what becomes of its nomination.
 *
 * @param reason such as Unschedulable
 * @param message why it has no node
 * @param to the node that the pod is nominated to; empty for none
 * @param lost the node whose nomination is taken back, if the pod has it still; empty for none
 * @param generation that of the pod which was decided about; 0 where it has none
 * @param number the later a condition was decided, the higher
 */
record PodCondition(
    String reason, String message, String to, String lost, long generation, long number) {
  /** A number between spaces, such as that of nodes; not one within a name. */
  private static final Pattern COUNT = Pattern.compile("(?<!\\S)[0-9]+(/[0-9]+)? ");

  String kinds() {
    return kinds(reason, message);
  }

  /**
   * The reason and the kinds of reasons over all nodes, without counts and remedies. They are
   * sorted here, since the counts set their order in the message.
   */
  static String kinds(String reason, String message) {
    String reasons = COUNT.matcher(message.split("\\.( |$)", 2)[0]).replaceAll("");
    return Stream.of(reasons.split(", |: "))
        .sorted()
        .collect(Collectors.joining(", ", reason + ": ", ""));
  }

  /**
   * What is written into the status of the pod. The uid and the version guard the write: without
   * them, a bound pod could be marked unschedulable. A nomination is taken back only if it is the
   * one that was decided about.
   *
   * @param version the version of the pod that was checked
   * @param nominated the node that the pod is nominated to in that version
   * @param since since when the condition is so; null where the pod has it already
   */
  ObjectNode patch(WaitingPod pod, String version, String nominated, Instant since) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("uid", pod.uid()).put("resourceVersion", version);
    ObjectNode status = patch.putObject("status");
    if (!to.isEmpty()) {
      status.put("nominatedNodeName", to);
    } else if (!nominated.isEmpty() && nominated.equals(lost)) {
      status.putNull("nominatedNodeName");
    }
    ObjectNode condition =
        status
            .putArray("conditions")
            .addObject()
            .put("type", "PodScheduled")
            .put("status", "False")
            .put("reason", reason)
            .put("message", message);
    if (generation > 0) {
      condition.put("observedGeneration", generation);
    }
    if (since != null) {
      condition.put("lastTransitionTime", since.truncatedTo(ChronoUnit.SECONDS).toString());
    }
    return patch;
  }
}
