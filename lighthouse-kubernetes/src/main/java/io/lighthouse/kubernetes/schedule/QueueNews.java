package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.watch.ClusterFeed;
import io.lighthouse.kubernetes.watch.Resource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/**
 * Applies the cluster's events to the cluster in memory and to the queue: which pods wait, and
 * which of them an event may help. For the loop's thread.
 */
final class QueueNews implements ClusterFeed.Listener {
  private final String schedulerName;
  private final Cluster cluster;
  private final PodQueue queue;
  private final Reporter reporter;
  private final Set<String> nodeNames;
  private final BooleanSupplier isSynced;

  /** A hash of what decides which pods fit each node. Heartbeats do not change it. */
  private final Map<String, Integer> nodeTraits = new HashMap<>();

  /**
   * Begins without events.
   *
   * @param nodeNames is kept equal to the names of the present nodes
   * @param isSynced whether the cluster has been listed once
   */
  QueueNews(
      String schedulerName,
      Cluster cluster,
      PodQueue queue,
      Reporter reporter,
      Set<String> nodeNames,
      BooleanSupplier isSynced) {
    this.schedulerName = schedulerName;
    this.cluster = cluster;
    this.queue = queue;
    this.reporter = reporter;
    this.nodeNames = nodeNames;
    this.isSynced = isSynced;
  }

  @Override
  public void changed(Resource resource, String key, JsonNode object, boolean isNew) {
    switch (resource) {
      case NODES -> {
        cluster.nodeChanged(object);
        nodeNames.add(key);
        Integer traits = traits(object);
        if (!traits.equals(nodeTraits.put(key, traits))) {
          queue.wakeAll(System.nanoTime());
        }
      }
      case NAMESPACES -> {
        cluster.namespaceChanged(object);
        if (!isNew && isSynced.getAsBoolean()) {
          queue.wakeAll(System.nanoTime());
        }
      }
      case PODS -> podSeen(key, object);
    }
  }

  @Override
  public void gone(Resource resource, String key) {
    switch (resource) {
      case NODES -> {
        nodeNames.remove(key);
        nodeTraits.remove(key);
        cluster.nodeGone(key);
        // With one domain less, a spread constraint may be satisfied.
        queue.wakeAll(System.nanoTime());
      }
      case NAMESPACES -> cluster.namespaceGone(key);
      case PODS -> {
        cluster.podGone(key);
        queue.remove(key);
        reporter.forget(key);
        queue.wakeAll(System.nanoTime());
      }
    }
  }

  private static Integer traits(JsonNode node) {
    JsonNode status = node.path("status");
    return List.of(
            status.path("allocatable"),
            status.path("declaredFeatures"),
            node.path("spec"),
            node.path("metadata").path("labels"))
        .hashCode();
  }

  private void podSeen(String uid, JsonNode pod) {
    boolean assumed = cluster.assumedNode(uid).isPresent();
    boolean waited = queue.contains(uid);
    cluster.podChanged(pod);
    Optional<WaitingPod> waiting =
        cluster
            .waitingPod(uid)
            .filter(found -> found.schedulerName().equals(schedulerName))
            .filter(found -> !found.gated());
    long now = System.nanoTime();
    if (waiting.isPresent()) {
      queue.add(waiting.get(), PodHelp.ofArrivals(pod));
      queue.changed(uid, PodHelp.traits(pod), now);
      return;
    }
    boolean bound = !pod.path("spec").path("nodeName").asString("").isEmpty();
    if (bound || !assumed) {
      queue.remove(uid);
      if (waited && bound) {
        reporter.forget(uid);
      }
    }
    if (bound && pod.path("metadata").has("deletionTimestamp")) {
      // The pod holds its room until it is gone, but spread constraints do not count it any more.
      queue.wakeAll(now);
    } else if (bound) {
      queue.wakeHelpedByArrivals(now);
    }
  }
}
