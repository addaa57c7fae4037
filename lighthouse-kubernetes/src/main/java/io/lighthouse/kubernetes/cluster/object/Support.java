package io.lighthouse.kubernetes.cluster.object;

import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * What of a pod's {@code spec} this scheduler understands, or may pass over because no filter of
 * the stock scheduler reads it. Whatever else a pod says is not supported, and never ignored.
 */
public final class Support {
  private static final Set<String> SPEC =
      Set.of(
          "activeDeadlineSeconds",
          "affinity",
          "automountServiceAccountToken",
          "containers",
          "dnsConfig",
          "dnsPolicy",
          "enableServiceLinks",
          "ephemeralContainers",
          "hostAliases",
          "hostIPC",
          "hostNetwork",
          "hostPID",
          "hostUsers",
          "hostname",
          "hostnameOverride",
          "imagePullSecrets",
          "initContainers",
          "nodeName",
          "nodeSelector",
          "os",
          "overhead",
          "preemptionPolicy",
          "priority",
          "priorityClassName",
          "readinessGates",
          "resources",
          "restartPolicy",
          "runtimeClassName",
          "schedulerName",
          "schedulingGates",
          "securityContext",
          "serviceAccount",
          "serviceAccountName",
          "setHostnameAsFQDN",
          "shareProcessNamespace",
          "subdomain",
          "terminationGracePeriodSeconds",
          "tolerations",
          "topologySpreadConstraints",
          "volumes");

  private static final Set<String> VOLUMES =
      Set.of(
          "azureFile",
          "cephfs",
          "configMap",
          "csi",
          "downwardAPI",
          "emptyDir",
          "ephemeral",
          "fc",
          "flexVolume",
          "gitRepo",
          "glusterfs",
          "hostPath",
          "image",
          "name",
          "nfs",
          "persistentVolumeClaim",
          "projected",
          "secret");

  private Support() {}

  /**
   * Checks a pod's {@code spec}.
   *
   * @param reads what it may name besides
   * @throws UnsupportedFieldException if it asks for what is not supported; the first thing found
   */
  static void check(JsonNode spec, PodFacts.Reads reads) {
    ObjectFields.requireKnown(spec, "", field -> SPEC.contains(field) || reads.include(field));
    for (JsonNode volume : spec.path("volumes")) {
      for (Map.Entry<String, JsonNode> source : volume.properties()) {
        if (!VOLUMES.contains(source.getKey()) && !source.getValue().isNull()) {
          throw new UnsupportedFieldException(
              "volume " + ObjectFields.text(volume, "name") + " (" + source.getKey() + ")");
        }
      }
    }
    for (String list : List.of("containers", "initContainers")) {
      for (JsonNode container : spec.path(list)) {
        checkContainer(container, reads);
      }
    }
    if (!spec.path("hostUsers").asBoolean(true) && spec.path("hostNetwork").asBoolean(false)) {
      throw new UnsupportedFieldException("hostUsers: false with hostNetwork: true");
    }
    ObjectFields.requireKnown(
        spec.path("affinity"), "affinity", "nodeAffinity", "podAffinity", "podAntiAffinity");
    ObjectFields.requireKnown(spec.path("resources"), "resources", "requests", "limits");
  }

  /** Device claims, and restarts of all containers, need features of the node. */
  private static void checkContainer(JsonNode container, PodFacts.Reads reads) {
    if (!reads.resourceClaims() && ObjectFields.says(container.path("resources").path("claims"))) {
      throw new UnsupportedFieldException(
          "resources.claims of container " + ObjectFields.text(container, "name"));
    }
    for (JsonNode rule : container.path("restartPolicyRules")) {
      if (ObjectFields.text(rule, "action").equals("RestartAllContainers")) {
        throw new UnsupportedFieldException(
            "restartPolicyRules of container " + ObjectFields.text(container, "name"));
      }
    }
  }
}
