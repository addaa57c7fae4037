package io.lighthouse.kubernetes.shadow;

import java.util.Locale;

/** How a decision of the other scheduler compares with that of Lighthouse. */
enum ComparisonOutcome {
  SAME_NODE(Group.AGREEMENT, "both chose the same node"),
  ONLY_NODE(Group.AGREEMENT, "both chose the only node that the pod fits"),
  AS_GOOD(Group.AGREEMENT, "different nodes, equal in Lighthouse's order"),
  BOTH_WAIT(Group.AGREEMENT, "neither finds a node"),
  RANKED(Group.RANK, "Lighthouse ranks another node better"),
  NODE_REFUSED(Group.VERDICT, "Lighthouse refuses the node that was chosen"),
  NO_NODE(Group.VERDICT, "Lighthouse has no node for a pod that was placed"),
  LEFT_WAITING(Group.VERDICT, "a pod was left waiting that Lighthouse can place"),
  BINDINGS_UNDER_WAY(
      Group.NOT_JUDGED,
      "the node fits once bindings that were under way are known, or as things were just before"),
  NOT_SUPPORTED(Group.NOT_JUDGED, "the pod needs what Lighthouse does not support"),
  FAILED(Group.NOT_JUDGED, "a strategy or a plug-in failed"),
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

  Group group() {
    return group;
  }

  String meaning() {
    return meaning;
  }

  /** Its name in metrics, logs and reports. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
