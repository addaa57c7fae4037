package io.lighthouse.kubernetes.cluster.decide;

import static io.lighthouse.kubernetes.cluster.decide.ClusterChange.DEVICES;
import static io.lighthouse.kubernetes.cluster.decide.ClusterChange.NAMESPACE_LABELS;
import static io.lighthouse.kubernetes.cluster.decide.ClusterChange.NODE_ADDED;
import static io.lighthouse.kubernetes.cluster.decide.ClusterChange.NODE_ALLOCATABLE;
import static io.lighthouse.kubernetes.cluster.decide.ClusterChange.NODE_LABELS;
import static io.lighthouse.kubernetes.cluster.decide.ClusterChange.NODE_REMOVED;
import static io.lighthouse.kubernetes.cluster.decide.ClusterChange.NODE_TAINTS;
import static io.lighthouse.kubernetes.cluster.decide.ClusterChange.POD_ARRIVED;
import static io.lighthouse.kubernetes.cluster.decide.ClusterChange.POD_ENDING;
import static io.lighthouse.kubernetes.cluster.decide.ClusterChange.POD_GROUP;
import static io.lighthouse.kubernetes.cluster.decide.ClusterChange.POD_LABELS;
import static io.lighthouse.kubernetes.cluster.decide.ClusterChange.POD_LEFT;
import static io.lighthouse.kubernetes.cluster.decide.ClusterChange.POD_REQUEST;
import static io.lighthouse.kubernetes.cluster.decide.ClusterChange.RESOURCE_CLAIM;
import static io.lighthouse.kubernetes.cluster.decide.ClusterChange.STORAGE;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What refuses a node: the stock scheduler's filters, in the order in which it runs them. The first
 * filter that refuses a node decides. So only the changes that may help with this filter can make
 * the node fit (upstream: QueueingHints).
 */
public enum Filter {
  /** What is wrong with a claim or the PodGroup of the pod, whatever the node. */
  PRE_FILTER(STORAGE, POD_GROUP, RESOURCE_CLAIM, DEVICES),
  NODE_UNSCHEDULABLE(NODE_ADDED, NODE_TAINTS),
  TAINT_TOLERATION(NODE_ADDED, NODE_TAINTS),
  NODE_AFFINITY(NODE_ADDED, NODE_LABELS),
  NODE_PORTS(NODE_ADDED, POD_LEFT),
  NODE_RESOURCES_FIT(NODE_ADDED, NODE_ALLOCATABLE, POD_LEFT, POD_REQUEST),
  /** A claim for one pod is free when the node of its pod goes. */
  VOLUME_RESTRICTIONS(NODE_ADDED, NODE_REMOVED, POD_LEFT, STORAGE),
  /** A volume that a pod brings to the node counts once for all its pods. */
  NODE_VOLUME_LIMITS(NODE_ADDED, POD_ARRIVED, POD_LEFT, STORAGE),
  /** A pod that goes may give back a volume that was chosen for it. */
  VOLUME_BINDING(NODE_ADDED, NODE_LABELS, POD_LEFT, STORAGE),
  VOLUME_ZONE(NODE_ADDED, NODE_LABELS, STORAGE),
  /** A domain that goes or a node that no longer counts may raise the smallest count. */
  POD_TOPOLOGY_SPREAD(
      NODE_ADDED,
      NODE_REMOVED,
      NODE_LABELS,
      NODE_TAINTS,
      POD_ARRIVED,
      POD_LEFT,
      POD_ENDING,
      POD_LABELS),
  /** InterPodAffinity. The first pod of its kind may go anywhere, so pods that go may help. */
  POD_AFFINITY(
      NODE_ADDED, NODE_REMOVED, NODE_LABELS, POD_ARRIVED, POD_LEFT, POD_LABELS, NAMESPACE_LABELS),
  /** InterPodAffinity, of the pod or of those that are there. */
  POD_ANTI_AFFINITY(NODE_ADDED, NODE_REMOVED, NODE_LABELS, POD_LEFT, POD_LABELS, NAMESPACE_LABELS),
  DYNAMIC_RESOURCES(NODE_ADDED, NODE_ALLOCATABLE, NODE_LABELS, DEVICES),
  /** Lighthouse's own: a rule of a plug-in, or a strategy that declines. */
  PLUG_IN_RULE(ClusterChange.values());

  /** All filters: any change may help. */
  static final Set<Filter> ALL = Collections.unmodifiableSet(EnumSet.allOf(Filter.class));

  /**
   * What refuses a pod before nodes are compared: a claim, a volume of a claim, or its PodGroup may
   * be missing or say what is not supported.
   */
  public static final Set<Filter> BEFORE_NODES = Set.of(PRE_FILTER);

  private final Set<ClusterChange> helpedBy;

  Filter(ClusterChange... helpedBy) {
    Set<ClusterChange> changes = EnumSet.noneOf(ClusterChange.class);
    Collections.addAll(changes, helpedBy);
    this.helpedBy = Collections.unmodifiableSet(changes);
  }

  /**
   * The changes that may make a node fit which this filter refused.
   *
   * @return not empty
   */
  public Set<ClusterChange> helpedBy() {
    return helpedBy;
  }

  /**
   * The name of the stock scheduler's plug-in that has this filter.
   *
   * @return the name as kube-scheduler writes it
   */
  public String plugIn() {
    return switch (this) {
      case PRE_FILTER -> "PreFilter";
      case NODE_UNSCHEDULABLE -> "NodeUnschedulable";
      case TAINT_TOLERATION -> "TaintToleration";
      case NODE_AFFINITY -> "NodeAffinity";
      case NODE_PORTS -> "NodePorts";
      case NODE_RESOURCES_FIT -> "NodeResourcesFit";
      case VOLUME_RESTRICTIONS -> "VolumeRestrictions";
      case NODE_VOLUME_LIMITS -> "NodeVolumeLimits";
      case VOLUME_BINDING -> "VolumeBinding";
      case VOLUME_ZONE -> "VolumeZone";
      case POD_TOPOLOGY_SPREAD -> "PodTopologySpread";
      case POD_AFFINITY, POD_ANTI_AFFINITY -> "InterPodAffinity";
      case DYNAMIC_RESOURCES -> "DynamicResources";
      case PLUG_IN_RULE -> "a rule of Lighthouse's plug-ins";
    };
  }
}
