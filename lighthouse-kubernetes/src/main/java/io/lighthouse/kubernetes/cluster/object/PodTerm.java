package io.lighthouse.kubernetes.cluster.object;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * A term of pod affinity or anti-affinity.
 *
 * @param pods which pods it is about
 * @param key the label of nodes that says what is near
 */
public record PodTerm(PodTerm.Pods pods, String key) {
  /**
   * Which pods: those of some namespaces with some labels. {@code matchLabelKeys} are in the labels
   * already: the API server has merged them.
   *
   * @param namespaces names of namespaces, in order
   * @param selectedNamespaces beside them the namespaces with such labels
   * @param labels the labels of the pods
   */
  public record Pods(
      List<String> namespaces, LabelSelector selectedNamespaces, LabelSelector labels) {
    /** Pods of one namespace. */
    public static Pods of(String namespace, LabelSelector labels) {
      return new Pods(List.of(namespace), LabelSelector.NOTHING, labels);
    }

    /**
     * Whether a pod is among them.
     *
     * @param namespaceLabels the labels of a namespace, null where it is not known
     */
    public boolean match(
        String namespace, Map<String, String> podLabels, Map<String, String> namespaceLabels) {
      if (!labels.matches(podLabels)) {
        return false;
      }
      return namespaces.contains(namespace)
          || selectedNamespaces.matchesEverything()
          || (namespaceLabels != null && selectedNamespaces.matches(namespaceLabels));
    }

    @Override
    public String toString() {
      return labels
          + " in "
          + String.join(",", namespaces)
          + (selectedNamespaces.nothing() ? "" : " and " + selectedNamespaces);
    }
  }

  /** Reads a term; without namespaces and selector it is about the pod's own. */
  public static PodTerm of(JsonNode term, String namespace, String field) {
    ObjectFields.requireKnown(
        term,
        field,
        "labelSelector",
        "namespaces",
        "namespaceSelector",
        "topologyKey",
        "matchLabelKeys",
        "mismatchLabelKeys");
    Set<String> namespaces = new TreeSet<>(ObjectFields.texts(term.path("namespaces")));
    boolean selects = term.path("namespaceSelector").isObject();
    if (namespaces.isEmpty() && !selects) {
      namespaces.add(namespace);
    }
    return new PodTerm(
        new Pods(
            List.copyOf(namespaces),
            LabelSelector.of(term.path("namespaceSelector"), field),
            LabelSelector.of(term.path("labelSelector"), field)),
        ObjectFields.text(term, "topologyKey"));
  }

  public static List<PodTerm> required(JsonNode affinity, String namespace, String field) {
    List<PodTerm> terms = new ArrayList<>();
    for (JsonNode term : affinity.path("requiredDuringSchedulingIgnoredDuringExecution")) {
      terms.add(of(term, namespace, field));
    }
    return List.copyOf(terms);
  }

  @Override
  public String toString() {
    return pods + " by " + key;
  }
}
