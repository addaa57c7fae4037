package io.lighthouse.kubernetes.cluster.object;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    List<LabelRequirement> requirements = new ArrayList<>();
    ObjectFields.labels(selector.path("matchLabels"))
        .forEach((key, value) -> requirements.add(LabelRequirement.equal(key, value)));
    for (JsonNode expression : selector.path("matchExpressions")) {
      requirements.add(LabelRequirement.of(expression, field, false));
    }
    return new LabelSelector(requirements, false);
  }

  /** Reads a selector. One that is not valid matches nothing. */
  static LabelSelector ofValid(JsonNode selector) {
    try {
      return of(selector, "selector");
    } catch (UnsupportedFieldException invalid) {
      return NOTHING;
    }
  }

  /** A selector of pods that have all of some labels. */
  public static LabelSelector ofLabels(Map<String, String> labels) {
    List<LabelRequirement> requirements = new ArrayList<>();
    labels.forEach((key, value) -> requirements.add(LabelRequirement.equal(key, value)));
    return new LabelSelector(requirements, false);
  }

  /** All requirements of both. */
  public LabelSelector and(LabelSelector other) {
    List<LabelRequirement> all = new ArrayList<>(requirements);
    all.addAll(other.requirements);
    return new LabelSelector(all, nothing || other.nothing);
  }

  /** The same, and for each key the value that the labels have. */
  LabelSelector withEqual(List<String> keys, Map<String, String> labels) {
    if (nothing || keys.isEmpty()) {
      return this;
    }
    List<LabelRequirement> more = new ArrayList<>(requirements);
    for (String key : keys) {
      if (labels.containsKey(key)) {
        more.add(LabelRequirement.of(key, LabelRequirement.Operator.IN, List.of(labels.get(key))));
      }
    }
    return new LabelSelector(more, false);
  }

  public boolean matchesEverything() {
    return !nothing && requirements.isEmpty();
  }

  public boolean matches(Map<String, String> labels) {
    if (nothing) {
      return false;
    }
    for (LabelRequirement requirement : requirements) {
      if (!requirement.matches(labels)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return nothing ? "nothing" : requirements.isEmpty() ? "everything" : join(requirements);
  }

  private static String join(List<LabelRequirement> requirements) {
    return String.join(",", requirements.stream().map(LabelRequirement::toString).toList());
  }
}
