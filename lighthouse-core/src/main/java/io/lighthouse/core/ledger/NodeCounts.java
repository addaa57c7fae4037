package io.lighthouse.core.ledger;

/**
 * How many members of one group are on each node. Most nodes hold at most one member. The members
 * beyond the first are counted in a map, which exists only where a node holds two.
 */
final class NodeCounts {
  private final NodeSet nodes;

  /** By node: the members beyond the first; null for none so far. */
  private CountMap more;

  NodeCounts() {
    nodes = new NodeSet();
  }

  NodeCounts(NodeCounts other) {
    nodes = new NodeSet(other.nodes);
    more = other.more == null ? null : new CountMap(other.more);
  }

  /** The nodes that hold members. */
  NodeSet nodes() {
    return nodes;
  }

  /** The number of members on a node. */
  int of(int node) {
    return nodes.has(node) ? 1 + more(node) : 0;
  }

  private int more(int node) {
    return more == null ? 0 : more.get(node);
  }

  /**
   * Adds a member on a node (sign 1), or removes one (-1).
   *
   * @param slots the number of slots of the fleet
   */
  void add(int node, int slots, int sign) {
    if (sign > 0 ? !nodes.add(node, slots) : more(node) > 0) {
      more = more == null ? new CountMap() : more;
      more.add(node, sign);
    } else if (sign < 0) {
      nodes.remove(node);
    }
  }

  /** Gives every node its new slot. */
  void renumber(int[] renumbered) {
    nodes.renumber(renumbered);
    if (more != null) {
      more.renumber(renumbered);
    }
  }
}
