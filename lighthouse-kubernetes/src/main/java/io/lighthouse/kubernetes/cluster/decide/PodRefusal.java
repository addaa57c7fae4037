package io.lighthouse.kubernetes.cluster.decide;

import java.util.List;
import java.util.Set;

/**
 * Why a pod found no node.
 *
 * @param counts the reasons over all nodes, as the stock scheduler writes them
 * @param nearest the node that came nearest and what it would take, behind a space; may be empty
 * @param nodes the number of all nodes
 * @param filters those that refused some node
 * @param lacking the names of the nodes that lack resources, and pass the filters before that
 * @param occupied the names of the nodes that the pods on them keep it from, by ports, spread or
 *     anti-affinity
 */
record PodRefusal(
    String counts,
    String nearest,
    int nodes,
    Set<Filter> filters,
    List<String> lacking,
    List<String> occupied) {
  PodRefusal {
    lacking = List.copyOf(lacking);
    occupied = List.copyOf(occupied);
  }

  /** A refusal that no removal of pods resolves. */
  PodRefusal(String counts, int nodes, Set<Filter> filters) {
    this(counts, "", nodes, filters, List.of(), List.of());
  }

  /** The message without a word about preemption. */
  String text() {
    return Decision.cut(counts + nearest);
  }

  /** The message with what the stock scheduler's preemption says. */
  String text(String preemption) {
    return Decision.cut(counts + " preemption: " + preemption + nearest);
  }
}
