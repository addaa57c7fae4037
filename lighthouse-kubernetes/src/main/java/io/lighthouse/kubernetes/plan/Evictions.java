package io.lighthouse.kubernetes.plan;

import io.lighthouse.api.Change;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import io.lighthouse.kubernetes.watch.ClusterFeed;
import io.lighthouse.kubernetes.watch.ClusterLists;
import io.lighthouse.kubernetes.watch.WatchEvent;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Carries a plan out by evictions, one pod after the other ({@link EvictionCalls}). Follows the
 * cluster meanwhile, to see pods end and their replacements get nodes. For one thread.
 */
final class Evictions implements AutoCloseable {
  /** The longest wait for a message before the time is checked, in milliseconds. */
  private static final long TICK = 100;

  private final ApiServer server;
  private final EvictionCalls calls;
  private final PodControllers controllers;
  private final Duration patience;
  private final Consumer<String> progress;
  private final BlockingQueue<WatchEvent> inbox = new LinkedBlockingQueue<>(8_192);
  private final ClusterFeed feed;
  private final Map<String, JsonNode> pods = new HashMap<>();
  private final Map<String, JsonNode> nodes = new HashMap<>();

  /** The pods that have gone since the last eviction began, as they were last seen. */
  private final Map<String, JsonNode> gone = new HashMap<>();

  /** How many pods were evicted. */
  private int evicted;

  /** The throwable that ended a watch; null while all run. */
  private volatile Throwable failure;

  Evictions(ApiServer server, Duration patience, Consumer<String> progress) {
    this.server = server;
    calls = new EvictionCalls(server, patience, progress);
    controllers = new PodControllers(server);
    this.patience = patience;
    this.progress = progress;
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

  /** Keeps the present nodes and pods. */
  private final class News implements ClusterFeed.Listener {
    @Override
    public void changed(Resource resource, String key, JsonNode object, boolean isNew) {
      (resource == Resource.PODS ? pods : nodes).put(key, object);
    }

    @Override
    public void gone(Resource resource, String key) {
      if (resource == Resource.NODES) {
        nodes.remove(key);
      } else if (pods.containsKey(key)) {
        gone.put(key, pods.remove(key));
      }
    }
  }

  KubernetesPlan.Outcome carryOut(Plan plan, Map<String, JsonNode> moved, List<String> freed)
      throws IOException, InterruptedException {
    // Lists may take longer than a step of a pod is to take.
    Duration longest = ClusterLists.LIMIT.compareTo(patience) > 0 ? ClusterLists.LIMIT : patience;
    if (!until(feed::isSynced, longest)) {
      throw new IOException("the cluster could not be listed within " + text(longest));
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
    progress.accept("cordoned " + name);
  }

  /** Evicts a pod, and waits for what comes in its place. It may have left by itself. */
  private void evict(Change.Move move, JsonNode pod) throws StoppedException, InterruptedException {
    String uid = ObjectFields.uid(pod);
    String controller = ObjectFields.controller(pod.path("metadata"));
    takeMessages();
    gone.clear();
    Set<String> before = new HashSet<>(pods.keySet());
    before.removeIf(one -> isWaiting(pods.get(one)));
    long wanted = placed(controller).size() + (isOwed(pod, controller) ? 1 : 0);
    if (!pods.containsKey(uid) || !calls.evict(move.workload(), pod, () -> isThere(uid))) {
      progress.accept(move.workload() + " has gone by itself");
      return;
    }
    evicted++;
    progress.accept("evicted " + move.workload() + " from " + move.from());
    boolean isReplaced =
        until(
            () ->
                !pods.containsKey(uid)
                    && (controller.isEmpty()
                        || isReplaced(pod, wanted, before)
                        || getsNoMorePods(pod)),
            patience);
    JsonNode waiting = replacement(pods, controller, before, Evictions::isWaiting);
    JsonNode instead = replacement(pods, controller, before, Evictions::isPlaced);
    boolean hasGone = instead.isMissingNode();
    if (hasGone) {
      // One that has ended since, such as that of a Job, did replace the pod.
      instead = replacement(gone, controller, before, one -> !isWaiting(one));
    }
    // A controller that needs fewer pods than before has none that waits.
    boolean needsFewer =
        !pods.containsKey(uid) && waiting.isMissingNode() && !instead.isMissingNode();
    if (!isReplaced && !needsFewer) {
      JsonNode ending = replacement(pods, controller, before, ObjectFields::isDeleting);
      throw new StoppedException(why(move, pod, waiting, ending));
    }
    if (controller.isEmpty()) {
      progress.accept(move.workload() + " is gone for good: no controller brings it back");
    } else if (instead.isMissingNode() && placed(controller).size() < wanted) {
      String kind = PodControllers.kind(pod);
      progress.accept(
          "no pod is in the place of %s: its %s makes no more".formatted(move.workload(), kind));
    } else if (instead.isMissingNode()) {
      progress.accept("another pod is in the place of " + move.workload());
    } else {
      String node = ObjectFields.node(instead);
      progress.accept(
          ObjectFields.key(instead)
              + (hasGone ? " was on " : " is on ")
              + node
              + " in its place"
              + (node.equals(move.to()) ? "" : "; " + move.to() + " was planned"));
    }
  }

  /**
   * Whether the controller of a pod that is being deleted replaces it. Where the replacement is
   * there already, it waits. A StatefulSet makes it once the pod has gone, but for its last pods,
   * which it gives up.
   */
  private boolean isOwed(JsonNode pod, String controller) {
    JsonNode now = pods.get(ObjectFields.uid(pod));
    if (now == null || !ObjectFields.isDeleting(now)) {
      return false;
    }
    return ofController(pods, controller)
        .anyMatch(
            one ->
                isWaiting(one)
                    || PodControllers.isOf(PodControllers.STATEFUL_SET, now)
                        && !ObjectFields.isDeleting(one)
                        && PodControllers.ordinal(one) > PodControllers.ordinal(now));
  }

  /**
   * Whether the controller of an evicted pod has the wanted number of pods with a node. The new
   * pods of a Job may have succeeded meanwhile, so these count while none waits.
   */
  private boolean isReplaced(JsonNode evicted, long wanted, Set<String> before) {
    String controller = ObjectFields.controller(evicted.path("metadata"));
    long placed = placed(controller).size();
    if (placed >= wanted || !PodControllers.isOf(PodControllers.JOB, evicted)) {
      return placed >= wanted;
    }
    long succeeded =
        ofController(gone, controller)
            .filter(pod -> isPlaced(pod) && !before.contains(ObjectFields.uid(pod)))
            .filter(controllers::hasSucceeded)
            .count();
    return placed + succeeded >= wanted && noneWaits(controller);
  }

  private boolean noneWaits(String controller) {
    return ofController(pods, controller).noneMatch(Evictions::isWaiting);
  }

  /** Whether no pod of the controller of an evicted pod waits, and it makes no more. */
  private boolean getsNoMorePods(JsonNode evicted) {
    String controller = ObjectFields.controller(evicted.path("metadata"));
    return noneWaits(controller) && controllers.makesNoMorePods(evicted, placed(controller));
  }

  private static Stream<JsonNode> ofController(Map<String, JsonNode> among, String controller) {
    return among.values().stream()
        .filter(pod -> !controller.isEmpty())
        .filter(pod -> ObjectFields.controller(pod.path("metadata")).equals(controller));
  }

  private static boolean isWaiting(JsonNode pod) {
    return ObjectFields.node(pod).isEmpty();
  }

  private static boolean isPlaced(JsonNode pod) {
    return !isWaiting(pod) && !ObjectFields.isDeleting(pod);
  }

  /** The pods of a controller that have a node. No pod names the one that it replaces. */
  private List<JsonNode> placed(String controller) {
    return ofController(pods, controller).filter(Evictions::isPlaced).toList();
  }

  /**
   * The first by name of such pods of a controller that had no node before; a missing node for
   * none.
   */
  private static JsonNode replacement(
      Map<String, JsonNode> among,
      String controller,
      Set<String> before,
      Predicate<JsonNode> isSuch) {
    return ofController(among, controller)
        .filter(pod -> !before.contains(ObjectFields.uid(pod)) && isSuch.test(pod))
        .min(Comparator.comparing(ObjectFields::key))
        .orElse(MissingNode.getInstance());
  }

  private String why(Change.Move move, JsonNode pod, JsonNode waiting, JsonNode ending) {
    String time = " within " + text(patience);
    if (!waiting.isMissingNode()) {
      JsonNode condition = ObjectFields.condition(waiting, "PodScheduled");
      String message =
          condition.isMissingNode() ? "" : ": " + ObjectFields.text(condition, "message");
      return ObjectFields.key(waiting)
          + ", in the place of "
          + move.workload()
          + ", found no node"
          + time
          + message;
    }
    if (pods.containsKey(ObjectFields.uid(pod))) {
      return move.workload() + " was evicted and has not ended" + time;
    }
    if (!ending.isMissingNode()) {
      return ObjectFields.key(ending)
          + ", in the place of "
          + move.workload()
          + ", is being deleted, too";
    }
    JsonNode controller = ObjectFields.controllerOf(pod.path("metadata"));
    return ObjectFields.text(controller, "kind")
        + " "
        + ObjectFields.text(controller, "name")
        + " made no pod in the place of "
        + move.workload()
        + time;
  }

  private boolean isThere(String uid) {
    takeMessages();
    return pods.containsKey(uid);
  }

  /** Pods that came to a node between the plan and its cordon. */
  private void checkFree(List<String> freed) throws StoppedException, InterruptedException {
    takeMessages();
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
   * Handles the messages that have arrived.
   *
   * @throws IllegalStateException if a watch has failed, so that no more will come
   */
  private void takeMessages() {
    if (failure != null) {
      throw new IllegalStateException("a watch has failed: " + failure, failure);
    }
    for (WatchEvent message = inbox.poll(); message != null; message = inbox.poll()) {
      feed.take(message);
    }
  }

  /** Handles messages until a condition holds or the time is over; returns whether it holds. */
  private boolean until(BooleanSupplier condition, Duration longest) throws InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    while (true) {
      takeMessages();
      if (condition.getAsBoolean()) {
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

  static String text(Duration time) {
    return time.toMillis() % 1_000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }

  @Override
  public void close() {
    feed.close();
  }
}
