package io.lighthouse.kubernetes.cluster.mirror;

import io.lighthouse.kubernetes.cluster.object.PodFacts;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The placed pods of one namespace with the same labels, such as the replicas of a template, and
 * the counts whose selectors match them. So a selector is held against each set of labels once.
 */
final class LabelledPods {
  /**
   * What makes pods the same to every selector.
   *
   * @param namespace their namespace
   * @param labels their labels
   */
  record Key(String namespace, Map<String, String> labels) {
    static Key of(PodFacts facts) {
      return new Key(facts.pod.namespace(), facts.labels);
    }
  }

  final Key key;
  final Set<PodEntry> pods = new LinkedHashSet<>();
  final List<PodCount> selectedBy = new ArrayList<>();

  LabelledPods(Key key) {
    this.key = key;
  }
}
