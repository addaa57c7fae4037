package io.lighthouse.kubernetes.cluster.volume;

import io.lighthouse.kubernetes.cluster.object.NodeFacts;
import io.lighthouse.kubernetes.cluster.object.NodeSelection;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The known nodes that a selection selects. An index by the values of a label is made when a
 * selection first needs that label, so that a thousand local volumes do not look at all nodes each.
 */
final class NodesByLabel {
  private final Map<String, NodeFacts> nodes = new TreeMap<>();

  /** By label and value, the names of the nodes. */
  private final Map<String, Map<String, Set<String>>> index = new HashMap<>();

  /** The largest number of selections whose nodes are kept. */
  private static final int MOST_SELECTIONS = 1 << 16;

  /** The nodes of each selection, until a node changes. Equal selections may be in it twice. */
  private final Map<NodeSelection, List<String>> selected = new IdentityHashMap<>();

  void changed(NodeFacts node) {
    NodeFacts before = nodes.get(node.name());
    if (before != null && before.labels().equals(node.labels())) {
      nodes.put(node.name(), node);
      return;
    }
    gone(node.name());
    nodes.put(node.name(), node);
    index.forEach((label, values) -> add(values, node, label));
  }

  void gone(String name) {
    NodeFacts before = nodes.remove(name);
    selected.clear();
    if (before != null) {
      index.forEach(
          (label, values) ->
              values.computeIfPresent(
                  before.labels().getOrDefault(label, ""),
                  (value, some) -> some.remove(name) && some.isEmpty() ? null : some));
      index.values().removeIf(Map::isEmpty);
    }
  }

  private static void add(Map<String, Set<String>> values, NodeFacts node, String label) {
    String value = node.labels().get(label);
    if (value != null) {
      values.computeIfAbsent(value, none -> new HashSet<>()).add(node.name());
    }
  }

  /** The facts of a node, or null. */
  NodeFacts node(String name) {
    return nodes.get(name);
  }

  /** The names of all nodes, in order. */
  Collection<String> names() {
    return nodes.keySet();
  }

  /** The names of the nodes that a selection selects. */
  List<String> selected(NodeSelection selection) {
    if (selected.size() > MOST_SELECTIONS) {
      selected.clear();
    }
    return selected.computeIfAbsent(selection, this::select);
  }

  private List<String> select(NodeSelection selection) {
    Set<String> found = new TreeSet<>();
    for (NodeSelection.Choice choice : selection.choices()) {
      for (String name : candidates(choice)) {
        NodeFacts node = nodes.get(name);
        if (node != null && selection.matches(node)) {
          found.add(name);
        }
      }
    }
    return List.copyOf(found);
  }

  private Collection<String> candidates(NodeSelection.Choice choice) {
    if (choice.label().isEmpty()) {
      return nodes.keySet();
    }
    Map<String, Set<String>> values =
        index.computeIfAbsent(
            choice.label(),
            label -> {
              Map<String, Set<String>> made = new HashMap<>();
              nodes.values().forEach(node -> add(made, node, label));
              return made;
            });
    if (choice.values().size() == 1) {
      return values.getOrDefault(choice.values().get(0), Set.of());
    }
    Set<String> names = new HashSet<>();
    List<String> wanted = choice.values();
    wanted.forEach(value -> names.addAll(values.getOrDefault(value, Set.of())));
    return names;
  }
}
