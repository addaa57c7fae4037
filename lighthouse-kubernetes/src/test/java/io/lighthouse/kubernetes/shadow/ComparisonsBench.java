package io.lighthouse.kubernetes.shadow;

import io.lighthouse.kubernetes.control.Objects;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import tools.jackson.databind.node.ObjectNode;

/** Three equal nodes, on which another scheduler places pods. */
abstract class ComparisonsBench {
  static final Duration SETTLED = Duration.ofSeconds(6);

  static final Duration IMPATIENT = Duration.ofSeconds(32);

  final FollowedCluster cluster = new FollowedCluster("spread");

  @BeforeEach
  void threeNodes() {
    for (String name : new String[] {"n1", "n2", "n3"}) {
      cluster.node(Objects.node(name, "a", "4", "8Gi", 10));
    }
  }

  static ObjectNode pod(String name, String cpu) {
    ObjectNode pod = Objects.pod(name, cpu, "1Gi");
    pod.withObjectProperty("metadata").put("uid", name);
    return pod;
  }

  /** A pod comes, and is bound. */
  void place(ObjectNode pod, String node) {
    cluster.pod(pod);
    cluster.bind(pod, node);
  }

  static ObjectNode with(ObjectNode pod, String spec) {
    pod.withObjectProperty("spec").setAll(Objects.json(spec));
    return pod;
  }

  static ObjectNode tainted(String name) {
    return with(
        Objects.node(name, "a", "4", "8Gi", 10),
        "{'taints':[{'key':'gpu','effect':'NoSchedule'}]}");
  }
}
