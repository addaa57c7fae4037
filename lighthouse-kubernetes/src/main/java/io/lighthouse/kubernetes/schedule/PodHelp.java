package io.lighthouse.kubernetes.schedule;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** The facts of a pod that decide whether an event may help it. */
final class PodHelp {
  private PodHelp() {}

  /**
   * Whether another pod that gets a node may help: by affinity, spread, or as a member of a gang.
   */
  static boolean ofArrivals(JsonNode pod) {
    JsonNode spec = pod.path("spec");
    if (!spec.path("affinity")
        .path("podAffinity")
        .path("requiredDuringSchedulingIgnoredDuringExecution")
        .isEmpty()) {
      return true;
    }
    for (JsonNode constraint : spec.path("topologySpreadConstraints")) {
      if (constraint.path("whenUnsatisfiable").asString("").equals("DoNotSchedule")) {
        return true;
      }
    }
    return false;
  }

  /**
   * A hash of what a pod requests. The status is not part of it, since this scheduler writes it.
   */
  static int traits(JsonNode pod) {
    JsonNode metadata = pod.path("metadata");
    return List.of(pod.path("spec"), metadata.path("labels"), metadata.path("annotations"))
        .hashCode();
  }
}
