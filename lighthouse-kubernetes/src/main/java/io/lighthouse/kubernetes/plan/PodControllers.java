package io.lighthouse.kubernetes.plan;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/**
 * What the server says of the controllers of evicted pods: whether one makes pods still, and how
 * the pods of a Job ended. Where the right to read them is missing, a controller makes pods, and
 * the pods of a Job have succeeded. For one thread.
 */
final class PodControllers {
  /** Kubernetes' own Job: other APIs have kinds of that name. */
  static final String JOB = "batch/Job";

  /** Kubernetes' own StatefulSet. */
  static final String STATEFUL_SET = "apps/StatefulSet";

  /** The collections of the controllers that are read, by the group of their API and their kind. */
  private static final Map<String, String> COLLECTIONS =
      Map.of(
          JOB,
          "/apis/batch/v1/namespaces/%s/jobs/",
          "apps/ReplicaSet",
          "/apis/apps/v1/namespaces/%s/replicasets/",
          STATEFUL_SET,
          "/apis/apps/v1/namespaces/%s/statefulsets/",
          "/ReplicationController",
          "/api/v1/namespaces/%s/replicationcontrollers/");

  /** The conditions of a Job that makes no pods. */
  private static final Set<String> ENDS =
      Set.of("Complete", "SuccessCriteriaMet", "Failed", "FailureTarget", "Suspended");

  /** What {@code spec.managedBy} of a Job says where Kubernetes' own controller manages it. */
  private static final String JOB_CONTROLLER = "kubernetes.io/job-controller";

  /** The least time between two reads of a controller, and after a read of a pod that failed. */
  private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

  private final ApiServer server;

  /** Whether a pod that has ended has succeeded, by its uid. */
  private final Map<String, Boolean> succeeded = new HashMap<>();

  private long nextReadOfController = System.nanoTime();
  private long nextReadOfPod = System.nanoTime();

  PodControllers(ApiServer server) {
    this.server = server;
  }

  /**
   * Whether the controller of an evicted pod makes no pod in its place, while no pod of it waits.
   * It has gone or is being deleted, it is a Job that has ended or is suspended, or it needs no
   * more pods than it has. Reads it once in a second at most, and returns false in between.
   * Controllers of other APIs are not known, nor how many pods a Job needs that another controller
   * manages.
   *
   * @param placed the pods of the controller that have a node and are not being deleted
   */
  boolean makesNoMorePods(JsonNode evicted, List<JsonNode> placed) {
    JsonNode metadata = evicted.path("metadata");
    JsonNode reference = ObjectFields.controllerOf(metadata);
    String collection = COLLECTIONS.get(groupAndKind(reference));
    if (collection == null || System.nanoTime() - nextReadOfController < 0) {
      return false;
    }
    boolean makesNone = false;
    try {
      JsonNode controller =
          server.find(
              collection.formatted(ObjectFields.text(metadata, "namespace"))
                  + ObjectFields.text(reference, "name"));
      makesNone =
          !ObjectFields.uid(controller).equals(ObjectFields.text(reference, "uid"))
              || ObjectFields.isDeleting(controller)
              || needsNone(controller, evicted, placed);
    } catch (IOException notKnown) {
      // It is waited for.
    }
    nextReadOfController = System.nanoTime() + PAUSE;
    return makesNone;
  }

  /**
   * Whether a controller that is there makes no pod in the place of an evicted one. A StatefulSet
   * needs those of its pods whose numbers are in its range.
   */
  private static boolean needsNone(JsonNode controller, JsonNode evicted, List<JsonNode> placed) {
    if (isOf(JOB, evicted)) {
      return hasEnded(controller) || isJobServed(controller, placed.size());
    }
    JsonNode spec = controller.path("spec");
    int replicas = spec.path("replicas").asInt(1);
    int start = spec.at("/ordinals/start").asInt(0);
    Predicate<JsonNode> isNeeded =
        pod -> !isOf(STATEFUL_SET, pod) || ordinal(pod) >= start && ordinal(pod) - start < replicas;
    return !isNeeded.test(evicted) || placed.stream().filter(isNeeded).count() >= replicas;
  }

  private static boolean hasEnded(JsonNode job) {
    return StreamSupport.stream(job.at("/status/conditions").spliterator(), false)
        .filter(condition -> ENDS.contains(ObjectFields.text(condition, "type")))
        .anyMatch(condition -> ObjectFields.text(condition, "status").equals("True"));
  }

  /**
   * Whether a Job needs no more pods than it has. Without {@code completions} it makes none after
   * the first success; with it, only as many as are still to succeed.
   */
  private static boolean isJobServed(JsonNode job, int pods) {
    JsonNode spec = job.path("spec");
    if (!spec.path("managedBy").asString(JOB_CONTROLLER).equals(JOB_CONTROLLER)) {
      return false;
    }
    int succeeded = job.at("/status/succeeded").asInt(0);
    int parallelism = spec.path("parallelism").asInt(1);
    if (!spec.has("completions")) {
      return succeeded > 0 || pods >= parallelism;
    }
    return pods >= Math.min(parallelism, spec.path("completions").asInt() - succeeded);
  }

  /** Whether the controller of a pod has a kind, which the group of its API precedes. */
  static boolean isOf(String groupAndKind, JsonNode pod) {
    return groupAndKind(ObjectFields.controllerOf(pod.path("metadata"))).equals(groupAndKind);
  }

  private static String groupAndKind(JsonNode reference) {
    String group = ObjectFields.text(reference, "apiVersion").replaceFirst("(^|/)[^/]*$", "");
    return group + "/" + ObjectFields.text(reference, "kind");
  }

  /** The kind of the controller of a pod; empty where it has none. */
  static String kind(JsonNode pod) {
    return ObjectFields.text(ObjectFields.controllerOf(pod.path("metadata")), "kind");
  }

  /** The number at the end of the name of a StatefulSet's pod. */
  static int ordinal(JsonNode pod) {
    String key = ObjectFields.key(pod);
    String end = key.substring(key.lastIndexOf('-') + 1);
    return end.matches("[0-9]{1,9}") ? Integer.parseInt(end) : 0;
  }

  /**
   * Whether a pod that has ended has succeeded. One that was deleted has not. Where the server does
   * not answer, this is not known yet, and no pod is read for a second.
   */
  boolean hasSucceeded(JsonNode pod) {
    String uid = ObjectFields.uid(pod);
    if (!succeeded.containsKey(uid)) {
      if (System.nanoTime() - nextReadOfPod < 0) {
        return false;
      }
      try {
        succeeded.put(uid, isSucceeded(pod));
      } catch (IOException failed) {
        if (!(failed instanceof ApiException refused) || refused.code() != 403) {
          nextReadOfPod = System.nanoTime() + PAUSE;
          return false;
        }
        succeeded.put(uid, true);
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
