package io.lighthouse.kubernetes.control;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Pods of different priorities for tests of preemption, and what became of them. */
public final class PriorityPods {
  /** How important a pod is; a real server knows these classes without more ado. */
  public enum Importance {
    /** Without a class. */
    PLAIN(0),
    /** Of the class system-cluster-critical. */
    CLUSTER(2_000_000_000),
    /** Of the class system-node-critical. */
    NODE(2_000_001_000);

    private final int priority;

    Importance(int priority) {
      this.priority = priority;
    }
  }

  private final ControlPlane plane;
  private final Bench bench;

  /** For pods of this server. */
  public PriorityPods(ControlPlane plane, Bench bench) {
    this.plane = plane;
    this.bench = bench;
  }

  /** A pod that waits. */
  public ObjectNode pod(String name, Importance of, String cpu) {
    ObjectNode pod = Objects.pod(name, cpu, "1Mi");
    ObjectNode spec = pod.withObjectProperty("spec");
    if (of != Importance.PLAIN) {
      spec.put("priorityClassName", "system-" + of.name().toLowerCase(Locale.ROOT) + "-critical");
    }
    if (plane.isFake()) {
      // What the admission of a real server does.
      spec.put("priority", of.priority);
    }
    return pod;
  }

  /** Adds a pod that is on a node already. */
  public void place(String name, Importance of, String cpu, String node) throws IOException {
    ObjectNode pod = pod(name, of, cpu);
    pod.withObjectProperty("spec").put("nodeName", node);
    bench.add(pod);
  }

  /** Whether a pod is being deleted. */
  public static boolean ends(JsonNode pod) {
    return pod.path("metadata").has("deletionTimestamp");
  }

  /** The pods that an event says were preempted, one for each event. */
  public List<String> preempted() throws IOException {
    List<String> names = new ArrayList<>();
    for (JsonNode event : bench.events()) {
      if (event.path("reason").asString("").equals("Preempted")) {
        names.add(event.path("regarding").path("name").asString(""));
      }
    }
    return names;
  }
}
