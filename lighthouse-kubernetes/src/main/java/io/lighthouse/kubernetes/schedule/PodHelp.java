package io.lighthouse.kubernetes.schedule;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** What of a pod says whether news may help it. */
final class PodHelp {
  private PodHelp() {}

  /** Whether a pod that comes to a node may help: by affinity, spread, or as a member of a gang. */
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

  /** What a pod asks for, as a number: its status is not part of it, which we write ourselves. */
  static int traits(JsonNode pod) {
    JsonNode metadata = pod.path("metadata");
    return List.of(pod.path("spec"), metadata.path("labels"), metadata.path("annotations"))
        .hashCode();
  }
}
