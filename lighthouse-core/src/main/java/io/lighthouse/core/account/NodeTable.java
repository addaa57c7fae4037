package io.lighthouse.core.account;

import io.lighthouse.api.error.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The nodes that exist: by name, by slot, and by place in the order of nodes. The domains of a
 * level are kept in the same way.
 *
 * <p>Nodes are identified by slot. Slots are in the order of nodes, and a node keeps its slot as
 * long as it exists. The slot of a removed node remains as a dead one. Dead slots disappear when a
 * commit renumbers all slots.
 */
public final class NodeTable {
  /** No node, and no domain. */
  public static final int NONE = -1;

  private final Slots slots;
  private final NameTable byName;

  /** By slot: the name; empty where the slot is dead. */
  private String[] names = new String[8];

  NodeTable() {
    slots = new Slots();
    byName = new NameTable(node -> names[node]);
  }

  /** A copy that shares nothing that changes. */
  NodeTable(NodeTable other) {
    slots = new Slots(other.slots);
    byName = other.byName.copy(node -> names[node]);
    names = other.names.clone();
  }

  // ---- adding and removing nodes ----

  /** Makes room for {@code length} slots. */
  void reserve(int length) {
    names = Arrays.copyOf(names, length);
  }

  /** Takes the name of a new node; returns false where it is in use. */
  public boolean takeName(int node, String name) {
    names[node] = name;
    return byName.add(name, node);
  }

  /** Frees the name of a node that is not added after all. */
  public void freeName(String name) {
    byName.remove(name);
  }

  /** Adds a node after the last one. */
  void append() {
    slots.append();
  }

  /** Removes a node. Its slot is dead, and so keeps its place in the order. */
  void kill(int node) {
    byName.remove(names[node]);
    slots.die(node);
    names[node] = "";
  }

  /** Restores a node to its slot, which is dead unless the removal ended halfway. */
  void revive(int node, String name) {
    slots.revive(node);
    byName.add(name, node);
    names[node] = name;
  }

  /** Removes the last slot, which is dead. */
  void dropLast() {
    slots.dropLast();
  }

  /** Removes the dead slots after the last live one. */
  public void trim() {
    slots.trim();
  }

  /** Whether the dead slots cost more than renumbering would. */
  public boolean isSparse() {
    int dead = slots.count() - slots.liveCount();
    return dead > Math.max(64, slots.liveCount());
  }

  /** Renumbers all slots without the dead ones. Returns the new slot of each, -1 for a dead one. */
  int[] renumber() {
    int[] moved = slots.close();
    for (int from = 0; from < moved.length; from++) {
      if (moved[from] >= 0) {
        names[moved[from]] = names[from];
      }
    }
    Arrays.fill(names, slots.count(), moved.length, null);
    byName.renumber(moved);
    return moved;
  }

  // ---- reading ----

  /** The number of nodes. */
  public int nodeCount() {
    return slots.liveCount();
  }

  /** The number of nodes and dead slots; all slots are below it. */
  public int slotCount() {
    return slots.count();
  }

  /** Whether a slot has a node; false where its node was removed. */
  public boolean alive(int slot) {
    return slots.isLive(slot);
  }

  /** The place of a node in the order of nodes, below {@link #nodeCount}. */
  public int index(int slot) {
    return slots.rank(slot);
  }

  /** The slot of the node at a place in the order of nodes. */
  public int slot(int index) {
    return slots.select(index);
  }

  /** The node before a slot in the order of nodes, or -1. */
  public int nodeBefore(int slot) {
    return slots.last(slot);
  }

  /**
   * A node by name.
   *
   * @param name a name
   * @return its slot
   * @throws InvalidInputException if there is no such node
   */
  public int node(String name) {
    int node = byName.get(name);
    if (node < 0) {
      throw new InvalidInputException(
          "distributor",
          "node",
          "'" + name + "'",
          nodeCount() == 0
              ? "none, it has no nodes"
              : nodeCount() <= 20
                  ? "one of " + String.join(", ", nodeNames())
                  : "one of its " + nodeCount() + " nodes");
    }
    return node;
  }

  /** The slot of a name; -1 where there is none. */
  public int find(String name) {
    return byName.get(name);
  }

  /** The names of all nodes, in the order of nodes. */
  private List<String> nodeNames() {
    List<String> all = new ArrayList<>();
    for (int slot = 0; slot < slots.count(); slot++) {
      if (alive(slot)) {
        all.add(names[slot]);
      }
    }
    return all;
  }

  /** The name of a node. */
  public String nodeName(int node) {
    return names[node];
  }
}
