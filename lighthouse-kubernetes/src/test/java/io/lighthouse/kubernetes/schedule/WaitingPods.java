package io.lighthouse.kubernetes.schedule;

import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.time.Instant;
import java.util.Optional;

/** Makes waiting pods for tests. */
final class WaitingPods {
  private WaitingPods() {}

  /** A pod of the namespace "default", version 7, which was not refused and has no gang. */
  static WaitingPod of(String uid, String name) {
    return of(uid, name, false);
  }

  /** The same; its status may say already that it was refused. */
  static WaitingPod of(String uid, String name, boolean refused) {
    return of(uid, name, 0, refused);
  }

  /** The same, with a priority. */
  static WaitingPod of(String uid, String name, int priority) {
    return of(uid, name, priority, false);
  }

  /** The same pod after another change of its spec. */
  static WaitingPod changed(WaitingPod pod) {
    return of(pod.uid(), pod.name(), pod.generation() + 1, pod.priority(), pod.refused());
  }

  private static WaitingPod of(String uid, String name, int priority, boolean refused) {
    return of(uid, name, 1, priority, refused);
  }

  private static WaitingPod of(
      String uid, String name, long generation, int priority, boolean refused) {
    return new WaitingPod(
        uid,
        "default",
        name,
        "7",
        generation,
        "lighthouse",
        priority,
        Instant.EPOCH,
        false,
        refused,
        Optional.empty());
  }
}
