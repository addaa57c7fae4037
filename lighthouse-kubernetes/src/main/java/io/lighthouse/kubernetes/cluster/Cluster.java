package io.lighthouse.kubernetes.cluster;

import io.lighthouse.core.Distributors;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The cluster as this scheduler knows it, and its decisions.
 *
 * <p><b>Feeding.</b> Every node, every pod that is not yet finished (bound or not, whoever
 * schedules it) and every namespace is told as the API server sent it. Events may come in any
 * order, twice, and between lists: each says what is now, a pod may name a node that is not known
 * yet, and a pod that is deleted and made anew has another uid. Finished pods (Succeeded, Failed)
 * may be told, too.
 *
 * <p><b>Deciding.</b> {@link #decide} places waiting pods, one after the other, and keeps each
 * placement as assumed. An event that shows the pod bound (to this or another node) replaces the
 * assumption; an event of the pod still unbound does not; {@link #assumeFailed} takes it back;
 * {@link #podGone} ends it.
 *
 * <p>For one thread at a time. No clock, no chance: equal calls give equal answers.
 */
public final class Cluster {
  /**
   * An empty cluster.
   *
   * @param distributor what the engine is to be like: a strategy with its settings, rubric and
   *     plug-in rules, and no nodes
   */
  public Cluster(Distributors.Builder distributor) {
    distributor.build();
  }

  /**
   * A node has come or changed.
   *
   * @param node the object
   */
  public void nodeChanged(JsonNode node) {
    throw new UnsupportedOperationException();
  }

  /**
   * A node has gone. Pods bound to it stay known, and count again if the node comes back.
   *
   * @param name its name; nothing happens where it is not known
   */
  public void nodeGone(String name) {
    throw new UnsupportedOperationException();
  }

  /**
   * A pod has come or changed. One that has finished counts as gone.
   *
   * @param pod the object
   */
  public void podChanged(JsonNode pod) {
    throw new UnsupportedOperationException();
  }

  /**
   * A pod has gone.
   *
   * @param uid its uid; nothing happens where it is not known
   */
  public void podGone(String uid) {
    throw new UnsupportedOperationException();
  }

  /**
   * A namespace has come or changed; its labels decide what the namespace selectors of pods match.
   *
   * @param namespace the object
   */
  public void namespaceChanged(JsonNode namespace) {
    throw new UnsupportedOperationException();
  }

  /**
   * A namespace has gone.
   *
   * @param name its name; nothing happens where it is not known
   */
  public void namespaceGone(String name) {
    throw new UnsupportedOperationException();
  }

  /**
   * A fresh list of everything: what is not in it has gone, what is differs or not. Assumed
   * placements of pods that are still there and not bound stay.
   *
   * @param nodes all nodes
   * @param pods all pods
   * @param namespaces all namespaces
   */
  public void replaceAll(
      Collection<JsonNode> nodes, Collection<JsonNode> pods, Collection<JsonNode> namespaces) {
    throw new UnsupportedOperationException();
  }

  /**
   * What this cluster and a fresh list of everything disagree about, field by field. Assumed
   * placements are no difference.
   *
   * @param nodes all nodes
   * @param pods all pods
   * @param namespaces all namespaces
   * @return a line each, such as {@code node n1: used cpu is 1500, the list says 1000}; none where
   *     all agree
   */
  public List<String> differences(
      Collection<JsonNode> nodes, Collection<JsonNode> pods, Collection<JsonNode> namespaces) {
    throw new UnsupportedOperationException();
  }

  /**
   * The pods without a node: not bound, not assumed, not being deleted. Gated ones are among them.
   *
   * @param schedulerName the scheduler that they ask for
   * @return in the order of their turns
   */
  public List<WaitingPod> waiting(String schedulerName) {
    throw new UnsupportedOperationException();
  }

  /**
   * A pod that is known and has no node.
   *
   * @param uid its uid
   * @return the pod, or nothing where it is not known, bound, assumed or being deleted
   */
  public Optional<WaitingPod> waitingPod(String uid) {
    throw new UnsupportedOperationException();
  }

  /**
   * The node that a pod is assumed on and not yet seen bound to.
   *
   * @param uid its uid
   * @return the name of the node, or nothing
   */
  public Optional<String> assumedNode(String uid) {
    throw new UnsupportedOperationException();
  }

  /**
   * Places waiting pods, in the order of their turns ({@link WaitingPod#TURNS}); members of a gang
   * together, at the turn of the first. A gang of which fewer pods are here than it has to have is
   * refused.
   *
   * @param uids which pods; those that are not known, bound, assumed, being deleted or gated are
   *     passed over
   * @return a decision for each of the others, in the order of turns
   */
  public List<Decision> decide(Collection<String> uids) {
    throw new UnsupportedOperationException();
  }

  /**
   * The binding of an assumed pod has failed: the room is free again, and the pod waits.
   *
   * @param uid its uid; nothing happens where it is not assumed
   * @return whether it was assumed
   */
  public boolean assumeFailed(String uid) {
    throw new UnsupportedOperationException();
  }

  /**
   * Why a node would not do for a pod, as things are now, in the stock scheduler's words.
   *
   * @param uid the uid of a pod that waits
   * @param node the name of a node
   * @return the reasons that the stock scheduler would name of this node; none where it fits
   * @throws IllegalArgumentException if one of them is not known, or the pod does not wait
   */
  public List<String> verdict(String uid, String node) {
    throw new UnsupportedOperationException();
  }
}
