package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.ClusterChange;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.watch.ClusterFeed;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/**
 * Applies the cluster's events to the cluster in memory and to the queue: which pods wait, and
 * which refused ones are tried again. For the loop's thread.
 */
final class QueueNews implements ClusterFeed.Listener {
  private final Set<String> schedulerNames;
  private final Cluster cluster;
  private final PodQueue queue;
  private final Reporter reporter;
  private final PodsOnTheWay onTheWay;
  private final Set<String> nodeNames;
  private final BooleanSupplier isSynced;

  /**
   * Begins without events.
   *
   * @param schedulerNames the pods of these are placed
   * @param nodeNames is kept equal to the names of the present nodes
   * @param isSynced whether the cluster has been listed once
   */
  QueueNews(
      Set<String> schedulerNames,
      Cluster cluster,
      PodQueue queue,
      Reporter reporter,
      PodsOnTheWay onTheWay,
      Set<String> nodeNames,
      BooleanSupplier isSynced) {
    this.schedulerNames = schedulerNames;
    this.cluster = cluster;
    this.queue = queue;
    this.reporter = reporter;
    this.onTheWay = onTheWay;
    this.nodeNames = nodeNames;
    this.isSynced = isSynced;
  }

  @Override
  public void changed(Resource resource, String key, JsonNode object, boolean isNew) {
    if (resource == Resource.PODS) {
      podSeen(key, object);
    } else {
      Set<ClusterChange> changes = cluster.changed(resource, object);
      if (resource == Resource.NODES) {
        nodeNames.add(key);
      }
      wake(changes);
    }
    onTheWay.changed(resource, key);
  }

  @Override
  public void gone(Resource resource, String key) {
    if (resource == Resource.NODES) {
      nodeNames.remove(key);
    }
    Set<ClusterChange> changes = cluster.gone(resource, key);
    if (resource == Resource.PODS) {
      queue.remove(key);
      reporter.forget(key);
    }
    wake(changes);
    onTheWay.changed(resource, key);
  }

  private void wake(Set<ClusterChange> changes) {
    queue.wake(changes, System.nanoTime());
  }

  private void podSeen(String uid, JsonNode pod) {
    boolean assumed = cluster.assumedNode(uid).isPresent();
    boolean waited = queue.contains(uid);
    Set<ClusterChange> changes = cluster.podChanged(pod);
    Optional<WaitingPod> waiting =
        cluster
            .waitingPod(uid)
            .filter(found -> schedulerNames.contains(found.schedulerName()))
            .filter(found -> !found.gated());
    if (waiting.isPresent()) {
      queue.add(waiting.get(), !isSynced.getAsBoolean());
      queue.changed(uid, requestHash(pod, cluster.facts(uid)), System.nanoTime());
    } else {
      boolean bound = !ObjectFields.node(pod).isEmpty();
      if (bound || !assumed) {
        queue.remove(uid);
        if (waited && bound) {
          reporter.forget(uid);
        }
      }
    }
    wake(changes);
  }

  /**
   * A hash of what a pod requests. Of the status only the claims that were made for it are a part:
   * this scheduler writes others.
   */
  private static int requestHash(JsonNode pod, PodFacts facts) {
    JsonNode metadata = pod.path("metadata");
    return List.of(
            pod.path("spec"),
            metadata.path("labels"),
            metadata.path("annotations"),
            facts.deviceClaims)
        .hashCode();
  }
}
