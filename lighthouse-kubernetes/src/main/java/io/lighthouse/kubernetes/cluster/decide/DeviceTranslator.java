package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Rule;
import io.lighthouse.kubernetes.cluster.device.Allocation;
import io.lighthouse.kubernetes.cluster.device.ClusterDevices;
import io.lighthouse.kubernetes.cluster.device.PodDevices;
import io.lighthouse.kubernetes.cluster.object.NodeSelection;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Translates a pod's claims to devices into conditions: the nodes that reach the devices which its
 * claims have, and by name the nodes that have devices for its other claims.
 */
final class DeviceTranslator {
  private final ClusterDevices devices;
  private final Supplier<Collection<String>> nodeNames;
  private final Function<NodeSelection, List<Condition>> conditions;

  /**
   * A translator.
   *
   * @param nodeNames the names of all nodes
   * @param conditions translates a selection of nodes
   */
  DeviceTranslator(
      ClusterDevices devices,
      Supplier<Collection<String>> nodeNames,
      Function<NodeSelection, List<Condition>> conditions) {
    this.devices = devices;
    this.nodeNames = nodeNames;
    this.conditions = conditions;
  }

  /** Translates the claims of a newcomer. */
  void translate(Newcomer newcomer) {
    if (newcomer.everywhere() != null) {
      return;
    }
    PodDevices claims = devices.of(newcomer.facts);
    if (!claims.refusal().isEmpty()) {
      newcomer.refuseEverywhere(RefusalCause.preFilter(claims.refusal()));
      return;
    }
    for (Allocation allocation : claims.allocations()) {
      newcomer.where(conditions.apply(allocation.nodes()), RefusalCause.CLAIM_NODE);
    }
    if (claims.needsDevices()) {
      newcomer.where(isAmong(devices.fit(newcomer.facts, claims)), RefusalCause.NO_DEVICES);
    }
  }

  /** The shorter way to say it: the nodes that will do, or those that will not. */
  private Condition isAmong(Set<String> fit) {
    Collection<String> all = nodeNames.get();
    if (fit.size() * 2 <= all.size()) {
      return new Condition.In(Rule.NODE, fit);
    }
    Set<String> others = new TreeSet<>(all);
    others.removeAll(fit);
    return new Condition.NotIn(Rule.NODE, others);
  }
}
