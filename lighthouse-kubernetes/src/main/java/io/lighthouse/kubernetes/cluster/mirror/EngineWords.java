package io.lighthouse.kubernetes.cluster.mirror;

import io.lighthouse.api.Names;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.kubernetes.cluster.object.LabelLevels;
import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Taint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Nodes and pods in the words of the engine.
 *
 * <p>A node's resources are what is allocatable, {@code pods} always, 0 of what pods on it hold and
 * it does not have, and a ward for each taint that keeps off. Its labels are domains. A placed pod
 * is a workload by its uid, with its request and one of {@code pods}, in the groups of {@link
 * PodCounts}.
 */
public final class EngineWords {
  /** The ward of {@code spec.unschedulable}. */
  public static final String UNSCHEDULABLE = "spec.unschedulable";

  /** What the wards of taints begin with; no resource of Kubernetes holds a colon. */
  public static final String TAINT = "taint:";

  /** The name of the only domain at the level of a soft taint. */
  private static final String TAINTED = "tainted";

  private EngineWords() {}

  private static Quantity quantity(String resource, long units) {
    if (units == NodeFacts.UNLIMITED) {
      return Quantity.INFINITY;
    }
    return resource.equals("cpu") ? Quantity.ofScaled(units, 3) : Quantity.of(units);
  }

  /** What a pod requires: what it requests, and its place among the pods. */
  public static Resources required(PodFacts facts) {
    String[] names = new String[facts.request.size() + 1];
    Quantity[] quantities = new Quantity[names.length];
    int i = 0;
    for (Map.Entry<String, Long> entry : facts.request.entrySet()) {
      names[i] = entry.getKey();
      quantities[i++] = quantity(entry.getKey(), entry.getValue());
    }
    names[i] = NodeFacts.PODS;
    quantities[i] = Quantity.ONE;
    return Resources.of(names, quantities);
  }

  /** A placed pod; immune to all of a node where it does not fit plainly. */
  static Workload workload(PodEntry pod, NodeEntry unfit) {
    Set<String> immunities = unfit == null ? Set.of() : capacity(unfit).asMap().keySet();
    Terms terms = pod.groups.isEmpty() ? Terms.NONE : Terms.NONE.inGroups(pod.groups);
    return new Workload(pod.uid(), required(pod.facts), immunities, Set.of(), terms);
  }

  /** What a node has in all. */
  static Resources capacity(NodeEntry entry) {
    return resources(entry, false);
  }

  private static Resources resources(NodeEntry entry, boolean left) {
    Map<String, Quantity> resources = new TreeMap<>(Names.order());
    entry.capacity.forEach(
        (resource, units) -> {
          boolean isFinite = units != NodeFacts.UNLIMITED;
          long used = left && isFinite ? entry.used.getOrDefault(resource, 0L) : 0;
          resources.put(resource, quantity(resource, units - used));
        });
    for (Taint taint : entry.facts.taints()) {
      if (taint.hard()) {
        resources.put(TAINT + taint, Quantity.NEGATIVE_INFINITY);
      }
    }
    if (entry.facts.unschedulable()) {
      resources.put(UNSCHEDULABLE, Quantity.NEGATIVE_INFINITY);
    }
    return Resources.of(resources);
  }

  /** A known node with the pods on it. */
  static Node node(NodeEntry entry) {
    List<Workload> held = new ArrayList<>();
    for (PodEntry pod : entry.pods) {
      held.add(workload(pod, entry));
    }
    return node(entry, held, Map.of());
  }

  /** A known node as a value, holding the given workloads, with more resources. */
  public static Node node(NodeEntry entry, List<Workload> held, Map<String, Quantity> more) {
    Resources left = resources(entry, true);
    for (Map.Entry<String, Quantity> one : more.entrySet()) {
      left = left.with(one.getKey(), one.getValue());
    }
    return new Node(entry.facts.name(), left, held, false, domains(entry.facts), Map.of());
  }

  /** Labels, and a level for each taint that only repels. */
  static Map<String, String> domains(NodeFacts facts) {
    Map<String, String> domains = LabelLevels.domains(facts.labels());
    for (Taint taint : facts.taints()) {
      if (taint.soft()) {
        domains.put(softLevel(taint), TAINTED);
      }
    }
    return domains;
  }

  /** The level of a taint that only repels. */
  public static String softLevel(Taint taint) {
    return TAINT + taint;
  }
}
