package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.kubernetes.cluster.object.LabelSelector;
import io.lighthouse.kubernetes.cluster.object.ObjectFields;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * What counts of a PodDisruptionBudget when pods are preempted.
 *
 * @param namespace the namespace of its pods
 * @param selector which pods it is about. As for the stock scheduler, an empty selector matches no
 *     pod
 * @param allowed how many of them may still be disrupted
 * @param disrupted the names of pods whose disruption is subtracted already
 */
record DisruptionBudget(
    String namespace, LabelSelector selector, int allowed, Set<String> disrupted) {
  /** Reads a budget. One whose selector is not valid matches no pod. */
  static DisruptionBudget of(JsonNode budget) {
    JsonNode status = budget.path("status");
    Set<String> disrupted = new TreeSet<>();
    status.path("disruptedPods").properties().forEach(pod -> disrupted.add(pod.getKey()));
    return new DisruptionBudget(
        ObjectFields.text(budget.path("metadata"), "namespace"),
        LabelSelector.ofValid(budget.path("spec").path("selector")),
        status.path("disruptionsAllowed").asInt(0),
        disrupted);
  }

  /** Whether evicting a pod takes one of the disruptions that are allowed. */
  boolean isChargedFor(PodFacts pod) {
    Map<String, String> labels = pod.labels;
    return namespace.equals(pod.pod.namespace())
        && !labels.isEmpty()
        && !selector.matchesEverything()
        && selector.matches(labels)
        && !disrupted.contains(pod.pod.name());
  }
}
