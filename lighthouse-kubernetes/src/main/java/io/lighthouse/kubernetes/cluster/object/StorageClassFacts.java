package io.lighthouse.kubernetes.cluster.object;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The facts of a StorageClass that scheduling uses.
 *
 * @param name its name
 * @param provisioner what makes volumes; empty where nothing does
 * @param waits whether a claim is bound only once a pod that uses it has a node
 * @param nodes the nodes for which volumes may be made ({@code allowedTopologies})
 */
public record StorageClassFacts(
    String name, String provisioner, boolean waits, NodeSelection nodes) {
  private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

  public static StorageClassFacts of(JsonNode storageClass) {
    String provisioner = ObjectFields.text(storageClass, "provisioner");
    return new StorageClassFacts(
        ObjectFields.text(storageClass.path("metadata"), "name"),
        provisioner.equals(NO_PROVISIONER) ? "" : provisioner,
        ObjectFields.text(storageClass, "volumeBindingMode").equals("WaitForFirstConsumer"),
        nodes(storageClass.path("allowedTopologies")));
  }

  /** No terms are all nodes; a term without expressions is no node. */
  private static NodeSelection nodes(JsonNode topologies) {
    if (topologies.isEmpty()) {
      return NodeSelection.ALL;
    }
    List<NodeSelection.Term> terms = new ArrayList<>();
    for (JsonNode term : topologies) {
      List<LabelRequirement> labels = new ArrayList<>();
      for (JsonNode expression : term.path("matchLabelExpressions")) {
        labels.add(
            LabelRequirement.of(
                ObjectFields.text(expression, "key"),
                LabelRequirement.Operator.IN,
                ObjectFields.texts(expression.path("values"))));
      }
      if (!labels.isEmpty()) {
        terms.add(new NodeSelection.Term(labels, List.of()));
      }
    }
    return new NodeSelection(List.of(), true, terms);
  }
}
