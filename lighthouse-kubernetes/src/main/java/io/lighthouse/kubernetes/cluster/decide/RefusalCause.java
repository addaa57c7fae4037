package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.kubernetes.cluster.object.NodeFacts;

/**
 * Why the stock scheduler would pass a node over: which of its filters, in the order in which it
 * runs them, and in which words. The first filter that refuses ends a node.
 *
 * @param filter the filter
 * @param turn the place within the filter; only the first counts
 * @param text the stock text
 * @param resolvable whether the node may fit once pods have left it
 */
record RefusalCause(Filter filter, int turn, String text, boolean resolvable) {
  static final RefusalCause UNSCHEDULABLE =
      new RefusalCause(Filter.NODE_UNSCHEDULABLE, 0, "node(s) were unschedulable", false);
  static final RefusalCause TAINT =
      new RefusalCause(Filter.TAINT_TOLERATION, 0, "node(s) had untolerated taint(s)", false);
  static final RefusalCause SELECTION =
      new RefusalCause(
          Filter.NODE_AFFINITY, 0, "node(s) didn't match Pod's node affinity/selector", false);

  /** A node that the pod's terms for names of nodes leave out. */
  static final RefusalCause OTHER_NODE =
      new RefusalCause(
          Filter.NODE_AFFINITY, 0, "node(s) didn't satisfy plugin(s) [NodeAffinity]", false);

  static final RefusalCause PORTS =
      new RefusalCause(
          Filter.NODE_PORTS, 0, "node(s) didn't have free ports for the requested pod ports", true);
  static final RefusalCause CLAIM_IN_USE =
      new RefusalCause(
          Filter.VOLUME_RESTRICTIONS,
          0,
          "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode"
              + " already in-use by another pod",
          true);
  static final RefusalCause VOLUME_COUNT =
      new RefusalCause(Filter.NODE_VOLUME_LIMITS, 0, "node(s) exceed max volume count", true);
  static final RefusalCause VOLUME_NODE =
      new RefusalCause(
          Filter.VOLUME_BINDING, 0, "node(s) didn't match PersistentVolume's node affinity", false);
  static final RefusalCause NO_VOLUME =
      new RefusalCause(
          Filter.VOLUME_BINDING,
          0,
          "node(s) didn't find available persistent volumes to bind",
          false);
  static final RefusalCause NO_STORAGE =
      new RefusalCause(Filter.VOLUME_BINDING, 0, "node(s) did not have enough free storage", false);
  static final RefusalCause VOLUME_GONE =
      new RefusalCause(
          Filter.VOLUME_BINDING,
          0,
          "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)",
          false);
  static final RefusalCause VOLUME_ZONE =
      new RefusalCause(Filter.VOLUME_ZONE, 0, "node(s) had no available volume zone", false);
  static final RefusalCause AFFINITY =
      new RefusalCause(Filter.POD_AFFINITY, 0, "node(s) didn't match pod affinity rules", false);
  static final RefusalCause ANTI_AFFINITY =
      new RefusalCause(
          Filter.POD_ANTI_AFFINITY, 0, "node(s) didn't match pod anti-affinity rules", true);
  static final RefusalCause EXISTING =
      new RefusalCause(
          Filter.POD_ANTI_AFFINITY,
          1,
          "node(s) didn't satisfy existing pods anti-affinity rules",
          true);

  static final RefusalCause NO_DEVICES =
      new RefusalCause(Filter.DYNAMIC_RESOURCES, 0, "cannot allocate all claims", false);
  static final RefusalCause CLAIM_NODE =
      new RefusalCause(
          Filter.DYNAMIC_RESOURCES, 1, "resourceclaim not available on the node", false);

  static final RefusalCause DECLINED =
      new RefusalCause(Filter.PLUG_IN_RULE, 0, "node(s) were declined by the strategy", false);

  private static final String SPREAD = "node(s) didn't match pod topology spread constraints";

  static RefusalCause resource(String name) {
    String text = name.equals(NodeFacts.PODS) ? "Too many pods" : "Insufficient " + name;
    return new RefusalCause(Filter.NODE_RESOURCES_FIT, 0, text, true);
  }

  static RefusalCause spread(int constraint) {
    return new RefusalCause(Filter.POD_TOPOLOGY_SPREAD, constraint, SPREAD, true);
  }

  static RefusalCause spreadLabel(int constraint) {
    String text = SPREAD + " (missing required label)";
    return new RefusalCause(Filter.POD_TOPOLOGY_SPREAD, constraint, text, false);
  }

  /** What is found before any node is looked at. */
  static RefusalCause preFilter(String text) {
    return new RefusalCause(Filter.PRE_FILTER, 0, text, false);
  }

  static RefusalCause rule(String text) {
    return new RefusalCause(Filter.PLUG_IN_RULE, 0, text, true);
  }
}
