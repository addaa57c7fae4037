package io.lighthouse.kubernetes.export;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.Plural;
import io.lighthouse.json.Problem;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.cluster.problem.ClusterProblem;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
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
      read(checked(list, "list of a cluster"), byKind);
    }
    if (!byKind.containsKey("Node")) {
      throw new InvalidInputException(
          "list of a cluster",
          "items",
          "no node",
          "nodes, as of kubectl get nodes,pods -A -o json");
    }
    Map<Resource, List<JsonNode>> known = new EnumMap<>(Resource.class);
    List<String> leftOut = new ArrayList<>();
    byKind.forEach(
        (kind, objects) ->
            Resource.ofKind(kind)
                .filter(Resource.OF_PLACEMENT::contains)
                .ifPresentOrElse(
                    resource -> known.put(resource, objects),
                    () ->
                        leftOut.add(
                            "left out: "
                                + Plural.of(objects.size(), "object")
                                + " of kind "
                                + kind)));
    KubernetesImport imported = of(known, strategy);
    List<String> remarks = new ArrayList<>(imported.remarks);
    remarks.addAll(leftOut);
    return new KubernetesImport(imported.problem, remarks);
  }

  static KubernetesImport of(Map<Resource, List<JsonNode>> objects, String strategy) {
    ClusterProblem written = ClusterProblem.of(Cluster.forExport(objects), strategy);
    return new KubernetesImport(written.problem(), written.remarks());
  }

  /** The same; refused by the name {@code subject} if it is not a list. */
  static JsonNode checked(JsonNode list, String subject) {
    String kind = kind(list);
    if (!kind.endsWith("List") || !list.path("items").isArray()) {
      throw new InvalidInputException(
          subject,
          "kind",
          "'" + kind + "'" + (list.has("items") ? "" : " without items"),
          "List, NodeList, PodList or NamespaceList with its items");
    }
    return list;
  }

  private static String kind(JsonNode list) {
    return list.path("kind").asString("");
  }

  private static void read(JsonNode list, Map<String, List<JsonNode>> byKind) {
    String kind = kind(list);
    String ofItems = kind.substring(0, kind.length() - "List".length());
    for (JsonNode item : list.path("items")) {
      String own = item.path("kind").asString(ofItems);
      byKind.computeIfAbsent(own, none -> new ArrayList<>()).add(item);
    }
  }
}
