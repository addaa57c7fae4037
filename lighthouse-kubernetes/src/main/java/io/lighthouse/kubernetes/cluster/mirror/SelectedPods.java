package io.lighthouse.kubernetes.cluster.mirror;

import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.PodTerm;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The placed pods that all of some selections are about. */
public final class SelectedPods extends PodCount {
  /**
   * What makes two of them the same.
   *
   * @param selections all of them have to be about a pod
   * @param alive whether pods that are being deleted are left out
   */
  public record Key(List<PodTerm.Pods> selections, boolean alive) {
    public Key {
      selections = selections.stream().distinct().toList();
    }

    @Override
    public String toString() {
      return String.join(" and ", selections.stream().map(PodTerm.Pods::toString).toList())
          + (alive ? ", alive" : "");
    }
  }

  public final Key key;
  private final Function<String, Map<String, String>> namespaceLabels;

  public SelectedPods(Key key, Function<String, Map<String, String>> namespaceLabels) {
    super("pods:" + key);
    this.key = key;
    this.namespaceLabels = namespaceLabels;
  }

  /** Whether the labels of namespaces have a say. */
  boolean selectsNamespaces() {
    return key.selections().stream().anyMatch(pods -> !pods.selectedNamespaces().nothing());
  }

  @Override
  boolean selects(LabelledPods.Key pods) {
    Map<String, String> labels = namespaceLabels.apply(pods.namespace());
    for (PodTerm.Pods of : key.selections()) {
      if (!of.match(pods.namespace(), pods.labels(), labels)) {
        return false;
      }
    }
    return true;
  }

  @Override
  boolean counts(PodFacts pod, NodeFacts node) {
    return !key.alive() || !pod.deleting;
  }
}
