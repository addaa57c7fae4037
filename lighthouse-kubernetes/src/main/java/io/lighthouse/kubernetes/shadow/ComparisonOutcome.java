package io.lighthouse.kubernetes.shadow;

import java.util.Locale;

/** How a decision of the other scheduler compares with that of Lighthouse. */
enum ComparisonOutcome {
  /** Both chose the same node. */
  SAME_NODE(Group.AGREEMENT, "both chose the same node"),
  /** Both chose the only node that the pod fits. */
  ONLY_NODE(Group.AGREEMENT, "both chose the only node that the pod fits"),
  /** The nodes differ, and are equal in Lighthouse's order. */
  AS_GOOD(Group.AGREEMENT, "different nodes, equal in Lighthouse's order"),
  /** Neither finds a node. */
  BOTH_WAIT(Group.AGREEMENT, "neither finds a node"),
  /** Lighthouse ranks another node better. */
  RANKED(Group.RANK, "Lighthouse ranks another node better"),
  /** Lighthouse refuses the node, and would choose another one. */
  NODE_REFUSED(Group.VERDICT, "Lighthouse refuses the node that was chosen"),
  /** Lighthouse has no node for a pod that the other scheduler placed. */
  NO_NODE(Group.VERDICT, "Lighthouse has no node for a pod that was placed"),
  /** The other scheduler leaves a pod waiting that Lighthouse can place. */
  LEFT_WAITING(Group.VERDICT, "a pod was left waiting that Lighthouse can place"),
  /** The node was refused, and fits once other bindings are known, or as things were before. */
  BINDINGS_UNDER_WAY(
      Group.NOT_JUDGED,
      "the node fits once bindings that were under way are known, or as things were just before"),
  /** The pod needs what Lighthouse does not support. */
  NOT_SUPPORTED(Group.NOT_JUDGED, "the pod needs what Lighthouse does not support"),
  /** A strategy or a plug-in failed. */
  FAILED(Group.NOT_JUDGED, "a strategy or a plug-in failed"),
  /** The pod was bound when it was first seen. */
  SEEN_BOUND(Group.NOT_JUDGED, "the pod was bound when it was first seen");

  /** What an outcome says about the two schedulers. */
  public enum Group {
    /** They agree. */
    AGREEMENT,
    /** Both allow the node, and their preferences differ. */
    RANK,
    /** One allows what the other refuses. */
    VERDICT,
    /** They were not compared. */
    NOT_JUDGED
  }

  private final Group group;
  private final String meaning;

  ComparisonOutcome(Group group, String meaning) {
    this.group = group;
    this.meaning = meaning;
  }

  /**
   * What it says about the two schedulers.
   *
   * @return the group
   */
  public Group group() {
    return group;
  }

  /**
   * What it means.
   *
   * @return a text for people
   */
  public String meaning() {
    return meaning;
  }

  /**
   * Its name in metrics, logs and reports.
   *
   * @return lower case with hyphens
   */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether it is kept and logged pod by pod. */
  boolean isDifference() {
    return group != Group.AGREEMENT && this != SEEN_BOUND;
  }
}
