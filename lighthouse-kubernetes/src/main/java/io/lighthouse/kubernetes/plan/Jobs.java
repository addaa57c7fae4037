package io.lighthouse.kubernetes.plan;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/**
 * What the server says of the Jobs of evicted pods: whether one makes pods still, and how its pods
 * ended. Where the right to read them is missing, the Job makes pods, and its pods have succeeded.
 * For one thread.
 */
final class Jobs {
  /** The conditions of a Job that makes no pods. */
  private static final Set<String> ENDS = Set.of("Complete", "Failed", "Suspended");

  /** The least time between two looks at a Job. */
  private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

  private final ApiServer server;

  /** Whether a pod that has ended has succeeded, by its uid. */
  private final Map<String, Boolean> succeeded = new HashMap<>();

  private long nextLook = System.nanoTime();

  Jobs(ApiServer server) {
    this.server = server;
  }

  /**
   * Whether the Job of a pod makes no more pods: it has ended, is suspended or being deleted, or
   * has gone. Reads it once in a second at most, and returns false in between. Jobs of other APIs
   * are not known.
   */
  boolean hasEnded(JsonNode pod) {
    JsonNode metadata = pod.path("metadata");
    JsonNode controller = ObjectFields.controllerOf(metadata);
    if (!ObjectFields.text(controller, "apiVersion").startsWith("batch/")
        || System.nanoTime() - nextLook < 0) {
      return false;
    }
    boolean hasEnded = false;
    try {
      JsonNode job =
          server.find(
              "/apis/batch/v1/namespaces/"
                  + ObjectFields.text(metadata, "namespace")
                  + "/jobs/"
                  + ObjectFields.text(controller, "name"));
      hasEnded =
          !ObjectFields.uid(job).equals(ObjectFields.text(controller, "uid"))
              || ObjectFields.isDeleting(job)
              || StreamSupport.stream(job.at("/status/conditions").spliterator(), false)
                  .filter(condition -> ENDS.contains(ObjectFields.text(condition, "type")))
                  .anyMatch(condition -> ObjectFields.text(condition, "status").equals("True"));
    } catch (IOException notKnown) {
      // It is waited for.
    }
    nextLook = System.nanoTime() + PAUSE;
    return hasEnded;
  }

  /**
   * Whether a pod that has ended has succeeded. One that was deleted has not. Where the server does
   * not answer, this is not known yet.
   */
  boolean hasSucceeded(JsonNode pod) {
    String uid = ObjectFields.uid(pod);
    if (!succeeded.containsKey(uid)) {
      try {
        succeeded.put(uid, isSucceeded(pod));
      } catch (ApiException refused) {
        if (refused.code() != 403) {
          return false;
        }
        succeeded.put(uid, true);
      } catch (IOException noAnswer) {
        return false;
      }
    }
    return succeeded.get(uid);
  }

  private boolean isSucceeded(JsonNode pod) throws IOException {
    JsonNode metadata = pod.path("metadata");
    JsonNode now =
        server.find(
            "/api/v1/namespaces/"
                + ObjectFields.text(metadata, "namespace")
                + "/pods/"
                + ObjectFields.text(metadata, "name"));
    return ObjectFields.uid(now).equals(ObjectFields.uid(pod))
        && ObjectFields.text(now.path("status"), "phase").equals("Succeeded");
  }
}
