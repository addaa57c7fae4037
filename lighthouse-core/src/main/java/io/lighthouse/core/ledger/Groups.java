package io.lighthouse.core.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which nodes hold workloads of which aversion group. A group is there as long as somebody of it is
 * placed; its id is then free for another.
 */
final class Groups {
  private final NameTable byName;

  /** By id; null where the id is free. */
  private final List<NodeSet> holders = new ArrayList<>();

  /** By id; null where the id is free. */
  private final List<String> names = new ArrayList<>();

  private final Deque<Integer> free = new ArrayDeque<>();

  /** How many members a node holds of a group beyond the first; absent for none. Never iterated. */
  private final Map<Long, Integer> more;

  Groups() {
    byName = new NameTable(id -> names.get(id));
    more = new HashMap<>();
  }

  private Groups(Groups other) {
    byName = other.byName.copy(id -> names.get(id));
    names.addAll(other.names);
    more = new HashMap<>(other.more);
    for (NodeSet set : other.holders) {
      holders.add(set == null ? null : set.copy());
    }
    free.addAll(other.free);
  }

  Groups copy() {
    return new Groups(this);
  }

  /** The nodes that hold members of a group; null where nobody of it is placed. */
  NodeSet holders(String group) {
    int id = byName.get(group);
    return id == NameTable.NONE ? null : holders.get(id);
  }

  void add(String group, int node, int nodes) {
    int id = byName.get(group);
    if (id == NameTable.NONE) {
      id = free.isEmpty() ? holders.size() : free.pop();
      if (id == holders.size()) {
        holders.add(null);
        names.add(null);
      }
      holders.set(id, new NodeSet());
      names.set(id, group);
      byName.add(group, id);
    }
    NodeSet set = holders.get(id);
    if (set.has(node)) {
      more.merge(key(id, node), 1, Integer::sum);
    } else {
      set.add(node, nodes);
    }
  }

  void remove(String group, int node) {
    int id = byName.get(group);
    long key = key(id, node);
    Integer others = more.get(key);
    if (others == null) {
      NodeSet set = holders.get(id);
      set.remove(node);
      if (set.size() == 0) {
        byName.remove(group);
        holders.set(id, null);
        names.set(id, null);
        free.push(id);
      }
    } else if (others == 1) {
      more.remove(key);
    } else {
      more.put(key, others - 1);
    }
  }

  /** Closes the gap of a node that nobody is on; those behind it move up. */
  void removeNode(int node) {
    for (NodeSet set : holders) {
      if (set != null) {
        set.removeIndex(node);
      }
    }
    Map<Long, Integer> moved = new HashMap<>();
    more.forEach((key, count) -> moved.put(key.intValue() > node ? key - 1 : key, count));
    more.clear();
    more.putAll(moved);
  }

  private static long key(int id, int node) {
    return (long) id << 32 | node;
  }
}
