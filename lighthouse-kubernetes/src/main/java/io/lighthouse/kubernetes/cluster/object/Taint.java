package io.lighthouse.kubernetes.cluster.object;

import tools.jackson.databind.JsonNode;

/**
 * A taint of a node.
 *
 * @param key its key
 * @param value its value, empty where it has none
 * @param effect {@code NoSchedule}, {@code NoExecute} or {@code PreferNoSchedule}
 */
public record Taint(String key, String value, String effect) {
  /** What {@code spec.unschedulable} stands for. */
  public static final Taint UNSCHEDULABLE =
      new Taint("node.kubernetes.io/unschedulable", "", "NoSchedule");

  public static Taint of(JsonNode taint) {
    return new Taint(
        ObjectFields.text(taint, "key"),
        ObjectFields.text(taint, "value"),
        ObjectFields.text(taint, "effect"));
  }

  /** Whether it keeps pods off that do not tolerate it. */
  public boolean hard() {
    return effect.equals("NoSchedule") || effect.equals("NoExecute");
  }

  public boolean soft() {
    return effect.equals("PreferNoSchedule");
  }

  /** As kubectl writes it. */
  @Override
  public String toString() {
    return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
  }
}
