package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.control.Objects;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A cluster with devices, and its decisions. */
abstract class DevicesBench {
  Cluster cluster = cluster(true, true);

  static Cluster cluster(boolean preempts, boolean readsClaims) {
    Profiles.Profile profile = Clusters.standard("prioritized");
    return Cluster.withProfiles(
        new Profiles(Map.of("lighthouse", profile, "second", profile)),
        names -> Distributors.installed().strategy("prioritized"),
        preempts,
        new PodFacts.Reads(false, readsClaims));
  }

  /**
   * Adds a node, or replaces it.
   *
   * @param labels its labels, as members of a JSON object
   * @param more what it offers besides 4 cpu and 9 pods: a comma and members of a JSON object
   */
  Set<ClusterChange> node(String name, String labels, String more) {
    return cluster.nodeChanged(
        Objects.json(
            "{'metadata':{'name':'%s','labels':{%s}},'status':{'allocatable':"
                + "{'cpu':'4','pods':'9'%s}}}",
            name, labels, more));
  }

  /** Adds the only slice of a pool. */
  void slice(String pool, String reach, String devices) {
    cluster.changed(
        Resource.RESOURCE_SLICES,
        Objects.json(
            "{'metadata':{'name':'%s'},'spec':{'driver':'example.com','pool':{'name':'%s',"
                + "'generation':1,'resourceSliceCount':1},%s,'devices':[%s]}}",
            pool, pool, reach, devices));
  }

  Decision decide(ObjectNode pod) {
    cluster.podChanged(pod);
    return cluster.decide(List.of(uid(pod))).get(0);
  }

  static String uid(JsonNode pod) {
    return pod.at("/metadata/uid").asString();
  }

  static String message(Decision decision) {
    return decision instanceof Decision.Unsupported not
        ? not.message()
        : ((Decision.Refused) decision).message();
  }
}
