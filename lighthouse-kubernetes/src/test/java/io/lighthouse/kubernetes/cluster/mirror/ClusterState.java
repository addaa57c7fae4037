package io.lighthouse.kubernetes.cluster.mirror;

import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All that a cluster knows, field by field, whatever the order in which it came to know it: the
 * objects, what is counted of them, and the engine's accounts and groups.
 *
 * @param fields values by what they are of
 */
public record ClusterState(Map<String, String> fields) {
  public static ClusterState of(
      MirroredFleet fleet,
      Map<String, PodEntry> pods,
      Map<String, Map<String, String>> namespaces) {
    Map<String, String> fields = new TreeMap<>();
    namespaces.forEach((name, labels) -> fields.put("namespace " + name, labels.toString()));
    pods.forEach((uid, entry) -> addPod(fields, "pod " + uid, entry));
    fleet
        .nodes()
        .forEach(
            (name, entry) -> {
              fields.put("node " + name + ", pods", uids(entry.pods));
              if (entry.facts != null) {
                addNode(fields, "node " + name, entry);
              }
            });
    for (NodeState node : fleet.distributor().snapshot().nodes()) {
      addAccounts(fields, "engine's node " + node.name(), node);
    }
    fields.put("taints", new TreeSet<>(strings(fleet.vocabulary.hardTaints.keySet())).toString());
    fields.put("soft taints", new TreeSet<>(strings(fleet.softTaints())).toString());
    fields.put("overcommitted", fleet.vocabulary.overcommitted.keySet().toString());
    fields.put("unschedulable", String.valueOf(fleet.vocabulary.unschedulable));
    fields.put("nodes", String.valueOf(fleet.size()));
    fields.put("load", String.valueOf(fleet.load()));
    for (String label : List.of("zone", "rack", "kubernetes.io/hostname")) {
      fields.put("nodes with " + label, String.valueOf(fleet.nodesWith(label)));
    }
    return new ClusterState(fields);
  }

  private static List<String> strings(Collection<?> values) {
    return values.stream().map(Object::toString).toList();
  }

  private static String uids(Collection<PodEntry> pods) {
    return new TreeSet<>(pods.stream().map(PodEntry::uid).toList()).toString();
  }

  private static void addPod(Map<String, String> fields, String pod, PodEntry entry) {
    PodFacts facts = entry.facts;
    fields.put(pod + ", node", String.valueOf(entry.node));
    fields.put(pod + ", assumed", String.valueOf(entry.assumed));
    fields.put(pod + ", reserved", String.valueOf(entry.reserved));
    fields.put(pod + ", labels", facts.labels.toString());
    fields.put(pod + ", request", facts.request.toString());
    fields.put(pod + ", ports", facts.ports.toString());
    fields.put(pod + ", anti-affinity", facts.antiAffinity.toString());
    fields.put(pod + ", affinity", facts.affinity.toString());
    fields.put(pod + ", spreads", facts.spreads.toString());
    fields.put(pod + ", selection", facts.selection.toString());
    fields.put(pod + ", tolerations", facts.tolerations.toString());
    fields.put(pod + ", deleting", String.valueOf(facts.deleting));
    fields.put(pod + ", unsupported", String.valueOf(facts.unsupported));
    fields.put(pod + ", queue", facts.pod.toString());
    fields.put(pod + ", groups", new TreeSet<>(entry.groups).toString());
  }

  private static void addNode(Map<String, String> fields, String node, NodeEntry entry) {
    fields.put(node + ", labels", entry.facts.labels().toString());
    fields.put(node + ", taints", new TreeSet<>(strings(entry.facts.taints())).toString());
    fields.put(node + ", unschedulable", String.valueOf(entry.facts.unschedulable()));
    fields.put(node + ", allocatable", entry.facts.allocatable().toString());
    fields.put(node + ", load", String.valueOf(entry.load()));
    fields.put(node + ", used", entry.used.toString());
  }

  private static void addAccounts(Map<String, String> fields, String node, NodeState state) {
    Resources left = state.left();
    for (int i = 0; i < left.size(); i++) {
      String name = left.name(i);
      boolean nothing =
          left.quantity(i).signum() == 0 && state.capacity().get(name).orElseThrow().signum() == 0;
      if (!nothing) {
        fields.put(node + ", left of " + name, left.quantity(i).toString());
        fields.put(
            node + ", capacity of " + name, state.capacity().get(name).orElseThrow().toString());
      }
    }
    fields.put(node + ", domains", state.domains().toString());
    for (Workload workload : state.workloads()) {
      fields.put(
          node + ", pod " + workload.name(),
          workload.requirements() + " in " + workload.terms().groups());
    }
  }

  /** Adds a line for each field in which the two differ. */
  public void compare(ClusterState list, List<String> lines) {
    Map<String, String> all = new TreeMap<>(list.fields);
    all.putAll(fields);
    for (String field : all.keySet()) {
      String here = fields.getOrDefault(field, "nothing");
      String there = list.fields.getOrDefault(field, "nothing");
      if (!here.equals(there)) {
        lines.add(field + ": " + here + ", the list says " + there);
      }
    }
  }
}
