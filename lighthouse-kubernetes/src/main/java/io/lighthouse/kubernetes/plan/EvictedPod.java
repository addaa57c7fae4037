package io.lighthouse.kubernetes.plan;

import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import tools.jackson.databind.JsonNode;

/** What of a pod says whether it may be evicted, and what would come in its place. */
final class EvictedPod {
  private EvictedPod() {}

  static String uid(JsonNode pod) {
    return pod.path("metadata").path("uid").asString("");
  }

  static String name(JsonNode pod) {
    return ObjectFields.key(pod.path("metadata"));
  }

  static String node(JsonNode pod) {
    return pod.path("spec").path("nodeName").asString("");
  }

  /** The reference to the controller, or a missing node. */
  static JsonNode controller(JsonNode pod) {
    return ObjectFields.controllerOf(pod.path("metadata"));
  }

  /** The uid of the controller; empty for none. */
  static String controllerUid(JsonNode pod) {
    return ObjectFields.controller(pod.path("metadata"));
  }

  /** Why a pod is not to be evicted, though it might go somewhere; empty for no reason. */
  static String obstacle(JsonNode pod, KubernetesPlan.Request request) {
    if (node(pod).isEmpty()) {
      return "it waits for room that was made for it";
    }
    if (controllerUid(pod).isEmpty() && !request.unmanaged()) {
      return "no controller would bring it back (--force)";
    }
    for (JsonNode volume : pod.path("spec").path("volumes")) {
      if (volume.has("emptyDir") && !request.emptyDirs()) {
        return "its emptyDir volumes would be lost (--delete-emptydir-data)";
      }
    }
    return "";
  }
}
