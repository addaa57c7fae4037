package io.lighthouse.kubernetes.shadow;

import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The last changes of nodes and the last ends of pods. They say whether a pod fitted its node
 * before one of them: the other scheduler may have decided by the cluster as it was then. For one
 * thread at a time.
 */
final class RecentChanges {
  /** The largest number of changes that are kept. */
  private static final int MOST = 512;

  /** The largest number of checks for one pod. */
  static final int MOST_CHECKS = 64;

  private final Cluster cluster;

  /** The last change first. */
  private final Deque<Past> changes = new ArrayDeque<>();

  /**
   * What a node or a pod was like until a moment.
   *
   * @param node null where it is a pod
   * @param pod null where it is a node
   */
  private record Past(NodeFacts node, PodFacts pod, long at) {
    @Override
    public String toString() {
      return node != null ? "node " + node.name() + " changed" : "pod " + pod.pod.key() + " ended";
    }
  }

  RecentChanges(Cluster cluster) {
    this.cluster = cluster;
  }

  /** A node has changed. */
  void nodeChanged(NodeFacts before, long nanos) {
    add(new Past(before, null, nanos));
  }

  /** A pod on a node has ended, or is about to. */
  void podEnded(PodFacts before, long nanos) {
    add(new Past(null, before, nanos));
  }

  private void add(Past change) {
    if (changes.size() == MOST) {
      changes.removeLast();
    }
    changes.addFirst(change);
  }

  /**
   * Takes back one change after the other, the last first, until a pod fits the node that it was
   * bound to, or gives up after {@link #MOST_CHECKS} checks. Afterwards all is as it is now.
   *
   * @param waiting the pod as it was when it waited
   * @param since only changes after this moment are taken back
   * @return the last of the changes that had to be taken back; empty where this does not help
   */
  String undoneUntilFits(PodFacts waiting, String node, long since) {
    Deque<Runnable> redo = new ArrayDeque<>();
    int checks = 0;
    try {
      for (Past change : changes) {
        if (change.at - since <= 0 || checks == MOST_CHECKS) {
          return "";
        }
        if (undo(change, redo)) {
          checks++;
          if (cluster.fitsInPlace(waiting, node, List.of())) {
            return change.toString();
          }
        }
      }
      return "";
    } catch (LighthouseException failed) {
      return ""; // A strategy or a plug-in failed: the refusal stands.
    } finally {
      redo.forEach(Runnable::run);
    }
  }

  /**
   * Takes a change back. A node that has gone stays away.
   *
   * @param redo gets what makes the change again, before what it has already
   */
  private boolean undo(Past change, Deque<Runnable> redo) {
    if (change.node != null) {
      NodeFacts now = cluster.fleet().facts(change.node.name());
      if (now == null) {
        return false;
      }
      redo.addFirst(() -> cluster.restore(now));
      cluster.restore(change.node);
      return true;
    }
    String uid = change.pod.pod.uid();
    PodFacts now = cluster.facts(uid);
    redo.addFirst(
        () -> {
          if (now == null) {
            cluster.podGone(uid);
          } else {
            cluster.restore(now);
          }
        });
    cluster.restore(change.pod);
    return true;
  }
}
