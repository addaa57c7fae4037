package io.lighthouse.kubernetes.cluster.object;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * A selector of labels: all of its requirements hold. One without requirements matches everything;
 * an absent one ({@link #NOTHING}) nothing.
 *
 * @param requirements in the order of their text, each once
 * @param nothing whether it matches nothing at all
 */
public record LabelSelector(List<LabelRequirement> requirements, boolean nothing) {
  static final LabelSelector NOTHING = new LabelSelector(List.of(), true);

  public LabelSelector {
    requirements = requirements.stream().distinct().sorted().toList();
  }

  /**
   * Reads a {@code metav1.LabelSelector}.
   *
   * @throws UnsupportedFieldException if it holds something that is not known
   */
  static LabelSelector of(JsonNode selector, String field) {
    if (!selector.isObject()) {
      return NOTHING;
    }
    ObjectFields.requireKnown(selector, field, "matchLabels", "matchExpressions");
    LabelSelector labels = ofLabels(ObjectFields.labels(selector.path("matchLabels")));
    return labels.and(
        new LabelSelector(
            LabelRequirement.ofAll(selector.path("matchExpressions"), field, false), false));
  }

  /** Reads a selector. One that is not valid matches nothing. */
  public static LabelSelector ofValid(JsonNode selector) {
    try {
      return of(selector, "selector");
    } catch (UnsupportedFieldException invalid) {
      return NOTHING;
    }
  }

  /** A selector of pods that have all of some labels. */
  public static LabelSelector ofLabels(Map<String, String> labels) {
    return new LabelSelector(LabelRequirement.ofLabels(labels), false);
  }

  /** All requirements of both. */
  public LabelSelector and(LabelSelector other) {
    List<LabelRequirement> all = new ArrayList<>(requirements);
    all.addAll(other.requirements);
    return new LabelSelector(all, nothing || other.nothing);
  }

  /** The same, and for each key the value that the labels have. */
  LabelSelector withEqual(List<String> keys, Map<String, String> labels) {
    Map<String, String> equal = new TreeMap<>(labels);
    equal.keySet().retainAll(keys);
    return nothing ? this : and(ofLabels(equal));
  }

  public boolean matchesEverything() {
    return !nothing && requirements.isEmpty();
  }

  public boolean matches(Map<String, String> labels) {
    return !nothing && LabelRequirement.allMatch(requirements, labels);
  }

  @Override
  public String toString() {
    if (nothing || requirements.isEmpty()) {
      return nothing ? "nothing" : "everything";
    }
    return requirements.stream().map(LabelRequirement::toString).collect(Collectors.joining(","));
  }
}
