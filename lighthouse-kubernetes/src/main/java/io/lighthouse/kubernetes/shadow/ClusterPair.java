package io.lighthouse.kubernetes.shadow;

import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.ClusterChange;
import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.mirror.NodeEntry;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The cluster as it is ("there") and as it would be if Lighthouse had placed the pods of the other
 * scheduler ("ours"). One feed changes both. Nodes, storage and all other pods are the same in
 * both. A pod that Lighthouse places comes and ends as in reality; only its node differs.
 *
 * <p>In "ours" nothing is preempted: a pod that fits nowhere waits, and is tried again. A pod whose
 * node goes in "ours" and not in reality is placed again. For one thread at a time.
 */
final class ClusterPair {
  /** The largest number of waiting pods that are tried at a time. */
  private static final int MOST_TRIED = 512;

  private final Cluster there;
  private final Cluster ours;

  /** The uids of pods that belong to their nodes. */
  private final Set<String> daemons = new HashSet<>();

  /** The uids of the pods whose node in "ours" Lighthouse chooses. */
  private final Set<String> followed = new HashSet<>();

  /** The uids of the pods that "ours" has refused, the oldest first. */
  private final Set<String> refused = new LinkedHashSet<>();

  private long everRefused;
  private boolean isChanged;

  ClusterPair(Supplier<Cluster> empty) {
    there = empty.get();
    ours = empty.get();
  }

  /** The cluster as it is. */
  Cluster there() {
    return there;
  }

  /**
   * An object that is no pod has come or changed.
   *
   * @return whether that may let a refused pod fit
   */
  boolean changed(Resource resource, JsonNode object) {
    ours.changed(resource, object);
    return changes(there.changed(resource, object));
  }

  /** The same of an object that has gone. */
  boolean gone(Resource resource, String key) {
    if (resource == Resource.NODES) {
      nodeGone(key);
    } else {
      ours.gone(resource, key);
    }
    return changes(there.gone(resource, key));
  }

  /** A node goes in "ours", before it does in "there". */
  private void nodeGone(String name) {
    List<String> homeless = new ArrayList<>();
    Set<String> goneToo = uids(there, name);
    for (String uid : uids(ours, name)) {
      if (followed.contains(uid) && !goneToo.contains(uid)) {
        homeless.add(uid);
      }
    }
    ours.nodeGone(name);
    for (String uid : homeless) {
      if (ours.assumeFailed(uid)) {
        refused.add(uid);
      }
    }
  }

  private boolean changes(Set<ClusterChange> changes) {
    isChanged |= !changes.isEmpty();
    return !changes.isEmpty();
  }

  private static Set<String> uids(Cluster cluster, String node) {
    Set<String> uids = new LinkedHashSet<>();
    NodeEntry entry = cluster.fleet().nodes().get(node);
    if (entry != null) {
      for (PodEntry pod : entry.pods) {
        uids.add(pod.uid());
      }
    }
    return uids;
  }

  /**
   * A pod has come or changed.
   *
   * @param isOurs whether Lighthouse chooses its node in "ours", from now on
   */
  void podChanged(String uid, JsonNode pod, boolean isOurs) {
    if (PodFacts.isDaemon(pod)) {
      daemons.add(uid);
    }
    there.podChanged(pod);
    if (isOurs) {
      followed.add(uid);
      ours.podChanged(unbound(pod));
    } else {
      unfollow(uid);
      ours.podChanged(pod);
    }
    if (isOver(pod)) {
      refused.remove(uid);
    }
    isChanged = true;
  }

  /** Whether a pod has ended or is about to: it waits for no node any more. */
  static boolean isOver(JsonNode pod) {
    return PodFacts.isFinished(pod) || ObjectFields.isDeleting(pod);
  }

  /**
   * As {@link Cluster#fitsInPlace}; not where a strategy or a plug-in fails, as no refusal is taken
   * back by that.
   */
  static boolean fitsInPlace(
      Cluster cluster, PodFacts waiting, String node, Collection<String> without) {
    try {
      return cluster.fitsInPlace(waiting, node, without);
    } catch (LighthouseException failed) {
      return false;
    }
  }

  private void unfollow(String uid) {
    if (followed.remove(uid)) {
      refused.remove(uid);
      ours.assumeFailed(uid);
    }
  }

  void podGone(String uid) {
    there.podGone(uid);
    ours.podGone(uid);
    daemons.remove(uid);
    followed.remove(uid);
    refused.remove(uid);
    isChanged = true;
  }

  /** Whether Lighthouse chooses the node of a pod in "ours". */
  boolean isFollowed(String uid) {
    return followed.contains(uid);
  }

  /** Places a pod in "ours", unless it has a node there. */
  void place(String uid) {
    if (followed.contains(uid) && ours.assumedNode(uid).isEmpty()) {
      take(decide(List.of(uid)));
    }
  }

  /** Places a pod in "ours" with those that it has refused. */
  void placeLater(String uid) {
    refused.add(uid);
    isChanged = true;
  }

  /** Tries the pods again that "ours" has refused, if anything has changed since. */
  void retry() {
    if (isChanged && !refused.isEmpty()) {
      List<String> tried = refused.stream().limit(MOST_TRIED).toList();
      take(decide(tried));
      for (String uid : tried) {
        if (refused.remove(uid)) {
          refused.add(uid); // Behind those that were not tried.
        }
      }
    }
    isChanged = false;
  }

  /** Decides in "ours". Where a strategy or a plug-in fails, the pods wait. */
  private List<Decision> decide(List<String> uids) {
    try {
      return ours.decide(uids);
    } catch (LighthouseException failed) {
      refused.addAll(uids);
      return List.of();
    }
  }

  private void take(Collection<Decision> decisions) {
    for (Decision decision : decisions) {
      String uid = decision.pod().uid();
      if (decision instanceof Decision.Bind) {
        refused.remove(uid);
      } else if (followed.contains(uid)) {
        everRefused += refused.remove(uid) ? 0 : 1;
        refused.add(uid);
      }
    }
  }

  /** The figures of the cluster as it is. */
  Figures figuresThere(int waiting, long ever) {
    return Figures.of(there, daemons, waiting, ever);
  }

  /** The figures of the cluster as it would be. */
  Figures figuresOurs() {
    return Figures.of(ours, daemons, refused.size(), everRefused);
  }

  /** The pod without the node that it has in reality, and without a nomination. */
  static JsonNode unbound(JsonNode pod) {
    return without(without(pod, "spec", "nodeName"), "status", "nominatedNodeName");
  }

  private static JsonNode without(JsonNode pod, String part, String member) {
    if (!pod.path(part).has(member)) {
      return pod;
    }
    ObjectNode inner = JsonNodeFactory.instance.objectNode();
    inner.setAll((ObjectNode) pod.path(part));
    inner.remove(member);
    ObjectNode outer = JsonNodeFactory.instance.objectNode();
    outer.setAll((ObjectNode) pod);
    outer.set(part, inner);
    return outer;
  }
}
