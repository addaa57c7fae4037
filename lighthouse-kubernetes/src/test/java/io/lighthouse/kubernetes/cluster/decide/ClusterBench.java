package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A cluster of one profile, whose objects are written down in short. */
public abstract class ClusterBench {
  final Cluster cluster = Clusters.of(Distributors.installed().strategy("prioritized"));

  // ---- objects, in single quotes ----

  public static JsonNode json(String text) {
    return RandomCluster.JSON.readTree(text.replace('\'', '"'));
  }

  void node(String name, String labels, String spec) {
    cluster.nodeChanged(
        json(
            "{'metadata':{'name':'%s','labels':{'kubernetes.io/hostname':'%s'%s}},'spec':{%s},"
                    .formatted(name, name, labels.isEmpty() ? "" : "," + labels, spec)
                + "'status':{'allocatable':{'cpu':'4','memory':'8Gi','pods':'3'}}}"));
  }

  String pod(String name, String spec) {
    return pod(name, "", spec, "");
  }

  String pod(String name, String metadata, String spec, String status) {
    String uid = "uid-" + name;
    cluster.podChanged(
        json(
            "{'metadata':{'name':'%s','namespace':'default','uid':'%s'%s},"
                    .formatted(name, uid, metadata.isEmpty() ? "" : "," + metadata)
                + "'spec':{'schedulerName':'lighthouse'%s},'status':{%s}}"
                    .formatted(spec.isEmpty() ? "" : "," + spec, status)));
    return uid;
  }

  static String cpu(String amount) {
    return "'containers':[{'name':'c','resources':{'requests':{'cpu':'" + amount + "'}}}]";
  }

  Decision decide(String uid) {
    List<Decision> decisions = cluster.decide(List.of(uid));
    assertThat(decisions).hasSize(1);
    return decisions.get(0);
  }

  String message(String uid) {
    Decision decision = decide(uid);
    return decision instanceof Decision.Refused refused
        ? refused.message()
        : ((Decision.Unsupported) decision).message();
  }

  String bound(String uid) {
    return ((Decision.Bind) decide(uid)).node();
  }
}
