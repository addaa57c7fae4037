package io.lighthouse.kubernetes.export;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.json.Problem;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.problem.ClusterProblem;
import io.lighthouse.kubernetes.cluster.volume.StorageKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * A cluster as a problem file, so that every question that Lighthouse answers about a file it
 * answers about the cluster: {@code ProblemWriter.write(imported.problem(), out)}.
 *
 * <p>Labels of nodes are domains, taints wards, selectors groups; a pod is called {@code
 * namespace/name}. Assumes objects as the API server sends them.
 *
 * @param problem nodes with what is left of them and the pods that they hold, and the waiting pods,
 *     whichever scheduler they ask for
 * @param remarks what a problem file cannot say, or says otherwise, a line each
 */
public record KubernetesImport(Problem problem, List<String> remarks) {
  private static final Set<String> KINDS = Set.of("Node", "Pod", "Namespace");

  /** Copies. */
  public KubernetesImport {
    remarks = List.copyOf(remarks);
  }

  /**
   * Reads lists of objects as {@code kubectl get nodes,pods,namespaces -A -o json} prints them: a
   * {@code List} of mixed kinds, or a {@code NodeList}, a {@code PodList} and so on.
   *
   * @param lists the lists; nodes must be among them, namespaces need to be only where a pod
   *     selects some by their labels, and claims, volumes and classes only where pods use claims
   * @param strategy the strategy that the problem is to name
   * @return the problem, and what it does not say
   * @throws InvalidInputException if something is no such list, or an object lacks its name
   */
  public static KubernetesImport of(List<JsonNode> lists, String strategy) {
    Map<String, List<JsonNode>> byKind = new TreeMap<>();
    for (JsonNode list : lists) {
      read(list, byKind);
    }
    if (!byKind.containsKey("Node")) {
      throw new InvalidInputException(
          "list of a cluster",
          "items",
          "no node",
          "nodes, as of kubectl get nodes,pods -A -o json");
    }
    KubernetesImport imported = ofKinds(byKind, strategy);
    List<String> remarks = new ArrayList<>(imported.remarks);
    byKind.forEach(
        (kind, objects) -> {
          if (!KINDS.contains(kind) && StorageKind.of(kind).isEmpty()) {
            remarks.add(objects.size() + " objects of kind " + kind + " are left out");
          }
        });
    return new KubernetesImport(imported.problem, remarks);
  }

  static KubernetesImport ofKinds(Map<String, List<JsonNode>> byKind, String strategy) {
    Cluster cluster = Cluster.forExport();
    cluster.replaceAll(
        byKind.getOrDefault("Node", List.of()),
        byKind.getOrDefault("Pod", List.of()),
        byKind.getOrDefault("Namespace", List.of()));
    byKind.forEach(
        (kind, objects) ->
            StorageKind.of(kind).ifPresent(one -> cluster.replaceStorage(one, objects)));
    ClusterProblem written = ClusterProblem.of(cluster, strategy);
    return new KubernetesImport(written.problem(), written.remarks());
  }

  private static void read(JsonNode list, Map<String, List<JsonNode>> byKind) {
    String kind = list.path("kind").asString("");
    if (!kind.endsWith("List") || !list.path("items").isArray()) {
      throw new InvalidInputException(
          "list of a cluster",
          "kind",
          "'" + kind + "'" + (list.has("items") ? "" : " without items"),
          "List, NodeList, PodList or NamespaceList with its items");
    }
    String ofItems = kind.substring(0, kind.length() - "List".length());
    for (JsonNode item : list.path("items")) {
      String own = item.path("kind").asString(ofItems);
      byKind.computeIfAbsent(own, none -> new ArrayList<>()).add(item);
    }
  }
}
