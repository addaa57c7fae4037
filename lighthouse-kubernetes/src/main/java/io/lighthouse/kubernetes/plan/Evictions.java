package io.lighthouse.kubernetes.plan;

import io.lighthouse.api.Change;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.Pause;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import io.lighthouse.kubernetes.watch.ClusterFeed;
import io.lighthouse.kubernetes.watch.Resource;
import io.lighthouse.kubernetes.watch.WatchEvent;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Carries a plan out by evictions, one pod after the other. The server's eviction call keeps to the
 * disruption budgets. Where a budget forbids an eviction (429), the call is repeated until the
 * patience is over. Follows the cluster meanwhile, to see pods end and their replacements get
 * nodes. For one thread.
 */
final class Evictions implements AutoCloseable {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /** The longest that is waited for news before the time is looked at. */
  private static final long TICK = 100;

  private final ApiServer server;
  private final Duration patience;
  private final Consumer<String> told;
  private final BlockingQueue<WatchEvent> inbox = new LinkedBlockingQueue<>(8_192);
  private final ClusterFeed feed;
  private final Map<String, JsonNode> pods = new HashMap<>();
  private final Map<String, JsonNode> nodes = new HashMap<>();

  /** How many pods were evicted. */
  private int evicted;

  /** What a watch ended by; null while all run. */
  private volatile Throwable failure;

  /** That the rest is left undone, and why. */
  private static final class StoppedException extends Exception {
    private static final long serialVersionUID = 1L;

    StoppedException(String why) {
      super(why);
    }
  }

  Evictions(ApiServer server, Duration patience, Consumer<String> told) {
    this.server = server;
    this.patience = patience;
    this.told = told;
    JsonLog log = new JsonLog(line -> {}, Clock.systemUTC());
    feed =
        new ClusterFeed(
            Set.of(Resource.NODES, Resource.PODS),
            server,
            Duration.ofMinutes(30),
            inbox::put,
            new SchedulerMetrics(),
            log,
            new News(),
            (thread, cause) -> failure = cause);
  }

  /** Keeps the nodes and pods that there are. */
  private final class News implements ClusterFeed.Listener {
    @Override
    public void changed(Resource resource, String key, JsonNode object, boolean isNew) {
      (resource == Resource.PODS ? pods : nodes).put(key, object);
    }

    @Override
    public void gone(Resource resource, String key) {
      (resource == Resource.PODS ? pods : nodes).remove(key);
    }
  }

  KubernetesPlan.Outcome carryOut(Plan plan, Map<String, JsonNode> moved, List<String> freed)
      throws IOException, InterruptedException {
    if (!until(feed::isSynced)) {
      throw new IOException("the cluster could not be listed within " + words(patience));
    }
    for (String node : freed) {
      cordon(node);
    }
    Optional<String> stopped = Optional.empty();
    try {
      for (Change change : plan.changes()) {
        if (change instanceof Change.Move move) {
          evict(move, moved.get(move.workload()));
        }
      }
      checkFree(freed);
    } catch (StoppedException why) {
      stopped = Optional.of(why.getMessage());
    }
    return new KubernetesPlan.Outcome(evicted, plan.moves(), stopped);
  }

  private void cordon(String name) throws IOException {
    JsonNode node = nodes.get(name);
    if (node == null || node.path("spec").path("unschedulable").asBoolean(false)) {
      return;
    }
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("spec").put("unschedulable", true);
    server.patch("/api/v1/nodes/" + name, patch);
    told.accept("cordoned " + name);
  }

  /** Evicts a pod, and waits for what comes in its place. It may have left by itself. */
  private void evict(Change.Move move, JsonNode pod) throws StoppedException, InterruptedException {
    String uid = ObjectFields.uid(pod);
    String controller = ObjectFields.controller(pod.path("metadata"));
    Set<String> before = Set.copyOf(pods.keySet());
    if (!before.contains(uid) || !ask(move.workload(), pod)) {
      told.accept(move.workload() + " has gone by itself");
      return;
    }
    evicted++;
    told.accept("evicted " + move.workload() + " from " + move.from());
    Supplier<JsonNode> replacement = () -> replacement(controller, before);
    boolean placed =
        until(
            () ->
                !pods.containsKey(uid)
                    && (controller.isEmpty() || !ObjectFields.node(replacement.get()).isEmpty()));
    JsonNode instead = replacement.get();
    if (!placed) {
      throw new StoppedException(why(move, pod, instead));
    }
    if (controller.isEmpty()) {
      told.accept(move.workload() + " is gone for good: no controller brings it back");
    } else {
      String node = ObjectFields.node(instead);
      told.accept(
          ObjectFields.key(instead)
              + " is on "
              + node
              + " in its place"
              + (node.equals(move.to()) ? "" : "; " + move.to() + " was planned"));
    }
  }

  /**
   * A pod of the controller that came since; with a node, if there is such a one. A pod without a
   * controller has none.
   */
  private JsonNode replacement(String controller, Set<String> before) {
    JsonNode found = JsonNodeFactory.instance.objectNode();
    if (controller.isEmpty()) {
      return found;
    }
    for (Map.Entry<String, JsonNode> pod : pods.entrySet()) {
      if (!before.contains(pod.getKey())
          && ObjectFields.controller(pod.getValue().path("metadata")).equals(controller)
          && ObjectFields.node(found).isEmpty()) {
        found = pod.getValue();
      }
    }
    return found;
  }

  private String why(Change.Move move, JsonNode pod, JsonNode instead) {
    String time = " within " + words(patience);
    if (instead.has("metadata") && ObjectFields.node(instead).isEmpty()) {
      JsonNode condition = ObjectFields.condition(instead, "PodScheduled");
      String words =
          condition.isMissingNode() ? "" : ": " + ObjectFields.text(condition, "message");
      return ObjectFields.key(instead)
          + ", in the place of "
          + move.workload()
          + ", found no node"
          + time
          + words;
    }
    if (pods.containsKey(ObjectFields.uid(pod))) {
      return move.workload() + " was evicted and has not ended" + time;
    }
    JsonNode controller = ObjectFields.controllerOf(pod.path("metadata"));
    return ObjectFields.text(controller, "kind")
        + " "
        + ObjectFields.text(controller, "name")
        + " made no pod in the place of "
        + move.workload()
        + time;
  }

  /**
   * Asks the server to evict a pod until it does; false where the pod has gone. Where an answer was
   * lost before, the pod counts as evicted.
   */
  private boolean ask(String name, JsonNode pod) throws StoppedException, InterruptedException {
    JsonNode metadata = pod.path("metadata");
    String path =
        "/api/v1/namespaces/"
            + ObjectFields.text(metadata, "namespace")
            + "/pods/"
            + ObjectFields.text(metadata, "name");
    ObjectNode body = body(metadata);
    Pause pause = new Pause(FIRST_PAUSE, LONGEST_PAUSE);
    long end = System.nanoTime() + patience.toNanos();
    boolean waits = false;
    boolean perhaps = false;
    while (true) {
      String refusal;
      int asked = 0;
      try {
        server.post(path + "/eviction", body);
        return true;
      } catch (ApiException refused) {
        if (refused.code() == 404) {
          return perhaps;
        }
        // 409: another pod by that name, or its budget has just changed. 500: the pod has two
        // budgets, or the outcome is unknown.
        boolean again = refused.code() == 429 || refused.code() == 409 || refused.code() >= 500;
        if (!again) {
          throw new StoppedException(name + " cannot be evicted: " + refused.getMessage());
        }
        refusal = refused.getMessage();
        asked = refused.retryAfter();
        perhaps |= refused.code() >= 500 && !refusal.contains("PodDisruptionBudget");
        if (refused.code() == 429 && !waits) {
          told.accept(name + " may not go yet: " + refusal);
          waits = true;
        }
      } catch (IOException noAnswer) {
        refusal = noAnswer.getMessage();
        perhaps = true;
      }
      takeNews();
      if (!pods.containsKey(ObjectFields.uid(pod))) {
        return perhaps;
      }
      if (System.nanoTime() > end) {
        throw new StoppedException(
            name + " could not be evicted within " + words(patience) + ": " + refusal);
      }
      pause.sleep(asked);
    }
  }

  /** The uid, so that a namesake made since is not meant. */
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

  /** Pods that came to a node between the plan and its cordon. */
  private void checkFree(List<String> freed) throws StoppedException, InterruptedException {
    takeNews();
    List<String> left = new ArrayList<>();
    for (JsonNode pod : pods.values()) {
      if (freed.contains(ObjectFields.node(pod)) && !PodFacts.belongsToNode(pod)) {
        left.add(ObjectFields.key(pod) + " on " + ObjectFields.node(pod));
      }
    }
    if (!left.isEmpty()) {
      left.sort(null);
      throw new StoppedException(
          "came after the plan was made, so plan again: " + String.join(", ", left));
    }
  }

  /**
   * Takes the news that are there.
   *
   * @throws IllegalStateException if there will be no more, as a watch has failed
   */
  private void takeNews() {
    if (failure != null) {
      throw new IllegalStateException("a watch has failed: " + failure, failure);
    }
    for (WatchEvent message = inbox.poll(); message != null; message = inbox.poll()) {
      feed.take(message);
    }
  }

  /** Takes news until something is so, or the patience is over; answers whether it is so. */
  private boolean until(BooleanSupplier asked) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (true) {
      takeNews();
      if (asked.getAsBoolean()) {
        return true;
      }
      if (System.nanoTime() >= end) {
        return false;
      }
      WatchEvent message = inbox.poll(TICK, TimeUnit.MILLISECONDS);
      if (message != null) {
        feed.take(message);
      }
    }
  }

  private static String words(Duration time) {
    return time.toMillis() % 1_000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }

  @Override
  public void close() {
    feed.close();
  }
}
