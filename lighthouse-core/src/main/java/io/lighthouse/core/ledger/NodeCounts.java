package io.lighthouse.core.ledger;

import java.util.HashMap;
import java.util.Map;

/**
 * How many members of one group are on each node. Most nodes hold at most one member. The members
 * beyond the first are counted in a map, which exists only where a node holds two. The domains of a
 * level are counted in the same way.
 */
final class NodeCounts {
  private final NodeSet nodes;

  /** By node: the members beyond the first, 1 or more. */
  private Map<Integer, Integer> more = Map.of();

  NodeCounts() {
    nodes = new NodeSet();
  }

  NodeCounts(NodeCounts other) {
    nodes = new NodeSet(other.nodes);
    more = other.more.isEmpty() ? Map.of() : new HashMap<>(other.more);
  }

  /** The nodes that hold members. */
  NodeSet nodes() {
    return nodes;
  }

  /** The number of members on a node. */
  int of(int node) {
    return !nodes.has(node) ? 0 : more.isEmpty() ? 1 : 1 + more.getOrDefault(node, 0);
  }

  /**
   * Adds a member on a node (sign 1), or removes one (-1).
   *
   * @param slots the number of slots of the fleet
   */
  void add(int node, int slots, int sign) {
    if (sign > 0 ? !nodes.add(node, slots) : more.containsKey(node)) {
      more = more.isEmpty() ? new HashMap<>(4) : more;
      more.merge(node, sign, (count, added) -> count + added == 0 ? null : count + added);
    } else if (sign < 0) {
      nodes.remove(node);
    }
  }

  /** Gives every node its new slot. */
  void renumber(int[] renumbered) {
    nodes.renumber(renumbered);
    Map<Integer, Integer> before = more;
    more = new HashMap<>();
    before.forEach((node, count) -> more.put(renumbered[node], count));
  }
}
