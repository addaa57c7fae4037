package io.lighthouse.api;

import java.util.Optional;

/**
 * On how many nodes of the fleet a reason applied. Immutable and thread-safe.
 *
 * @param kind the kind of reason
 * @param level the level of the domain that the reason is about; empty text for the node itself
 * @param about the name of the resource, group or rule, or the index of the condition or preference
 *     ({@link Reason#about}); empty text if the reason is about the node or domain as a whole
 * @param nodes the number of nodes, at least 1
 */
public record ReasonCount(Reason.Kind kind, String level, String about, int nodes) {
  /**
   * A count of reasons about nodes themselves.
   *
   * @param kind the kind of reason
   * @param about the name of the resource; empty text if the reason is about the node as a whole
   * @param nodes the number of nodes, at least 1
   */
  public ReasonCount(Reason.Kind kind, String about, int nodes) {
    this(kind, "", about, nodes);
  }

  /**
   * The resource that the reason is about.
   *
   * @return its name; empty if the reason is about the node as a whole
   */
  public Optional<String> resource() {
    return switch (kind) {
      case MISSING, SHORT, SHORTCOMING, WARD, UNIT -> Optional.of(about);
      case CORDONED, NO_DOMAIN, NOT_SELECTED, CROWDED, ALONE, SKEWED -> Optional.empty();
      case RULE, DECLINED, AVERSE, WORSE, LATER -> Optional.empty();
    };
  }

  /** All components by name; the level only if there is one. */
  @Override
  public String toString() {
    return "ReasonCount[kind="
        + kind
        + (level.isEmpty() ? "" : ", level=" + level)
        + ", about="
        + about
        + ", nodes="
        + nodes
        + "]";
  }
}
