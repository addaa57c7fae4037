package io.lighthouse.kubernetes.plan;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.Pause;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The calls by which pods are evicted. The server keeps to the disruption budgets: where one
 * forbids an eviction (429), the call is repeated until the patience is over. For one thread.
 */
final class EvictionCalls {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final ApiServer server;
  private final Duration patience;
  private final Consumer<String> progress;

  /**
   * No call yet.
   *
   * @param patience how long the eviction of a pod is tried
   * @param progress takes a line for each pod that a budget keeps
   */
  EvictionCalls(ApiServer server, Duration patience, Consumer<String> progress) {
    this.server = server;
    this.patience = patience;
    this.progress = progress;
  }

  /**
   * Sends the eviction of a pod until the server accepts it. Where an answer was lost and the pod
   * has gone, it counts as evicted.
   *
   * @param name the name of the pod in the plan
   * @param isThere whether the pod is known to be there still
   * @return false where the pod has gone by itself
   * @throws StoppedException if the server does not accept it within the patience, or never will
   */
  boolean evict(String name, JsonNode pod, BooleanSupplier isThere)
      throws StoppedException, InterruptedException {
    JsonNode metadata = pod.path("metadata");
    String path =
        "/api/v1/namespaces/"
            + ObjectFields.text(metadata, "namespace")
            + "/pods/"
            + ObjectFields.text(metadata, "name");
    ObjectNode body = body(metadata);
    Pause pause = new Pause(FIRST_PAUSE, LONGEST_PAUSE);
    long end = System.nanoTime() + patience.toNanos();
    boolean isReported = false;
    boolean mayBeEvicted = false;
    while (true) {
      String refusal;
      int retryAfter = 0;
      try {
        server.post(path + "/eviction", body);
        return true;
      } catch (ApiException refused) {
        if (refused.code() == 404) {
          return mayBeEvicted;
        }
        // 409: another pod by that name, or its budget has just changed. 500: the pod has two
        // budgets, or the outcome is unknown.
        boolean again = refused.code() == 429 || refused.code() == 409 || refused.code() >= 500;
        if (!again) {
          throw new StoppedException(name + " cannot be evicted: " + refused.getMessage());
        }
        refusal = refused.getMessage();
        retryAfter = refused.retryAfter();
        mayBeEvicted |= refused.code() >= 500 && !refusal.contains("PodDisruptionBudget");
        if (refused.code() == 429 && !isReported) {
          progress.accept(name + " may not go yet: " + refusal);
          isReported = true;
        }
      } catch (IOException noAnswer) {
        refusal = noAnswer.getMessage();
        mayBeEvicted = true;
      }
      if (!isThere.getAsBoolean()) {
        return mayBeEvicted;
      }
      if (System.nanoTime() > end) {
        throw new StoppedException(
            name + " could not be evicted within " + Evictions.text(patience) + ": " + refusal);
      }
      pause.sleep(retryAfter);
    }
  }

  /** The body of an eviction. It has the uid, so that it does not concern a namesake made later. */
  private static ObjectNode body(JsonNode metadata) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("apiVersion", "policy/v1").put("kind", "Eviction");
    body.putObject("metadata")
        .put("name", ObjectFields.text(metadata, "name"))
        .put("namespace", ObjectFields.text(metadata, "namespace"));
    body.putObject("deleteOptions")
        .putObject("preconditions")
        .put("uid", ObjectFields.text(metadata, "uid"));
    return body;
  }
}
