package io.lighthouse.core.ledger;

import io.lighthouse.api.Workload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which nodes hold workloads of which aversion group. A group has an id while a member is placed or
 * an open batch names it. Then the id is free for another group.
 */
final class Groups {
  private final NameTable byName;

  /** By id: the nodes that hold members; null where the id is free. */
  private final List<NodeSet> holders = new ArrayList<>();

  /** By id: the name; null where the id is free. */
  private final List<String> names = new ArrayList<>();

  /** By id: how many workloads of open batches name the group. */
  private int[] users = new int[8];

  private final Deque<Integer> free = new ArrayDeque<>();

  /** By group and node: the number of members beyond the first; absent for none. Never iterated. */
  private final Map<Long, Integer> more;

  Groups() {
    byName = new NameTable(id -> names.get(id));
    more = new HashMap<>();
  }

  /** A copy without open batches. */
  private Groups(Groups other) {
    byName = other.byName.copy(id -> names.get(id));
    names.addAll(other.names);
    more = new HashMap<>(other.more);
    for (NodeSet set : other.holders) {
      holders.add(set == null ? null : set.copy());
    }
    users = new int[other.users.length];
    free.addAll(other.free);
    for (int id = 0; id < holders.size(); id++) {
      dropIfUnused(id);
    }
  }

  Groups copy() {
    return new Groups(this);
  }

  /** The id of a group; {@link NameTable#NONE} for an unknown group. */
  int find(String group) {
    return byName.get(group);
  }

  /** The id of a group; a new group gets one. */
  int intern(String group) {
    int id = byName.get(group);
    if (id != NameTable.NONE) {
      return id;
    }
    id = free.isEmpty() ? holders.size() : free.pop();
    if (id == holders.size()) {
      holders.add(null);
      names.add(null);
      if (id == users.length) {
        users = Arrays.copyOf(users, 2 * id);
      }
    }
    holders.set(id, new NodeSet());
    names.set(id, group);
    byName.add(group, id);
    return id;
  }

  /** The id of a group, which stays in use until {@link #unuse}. */
  int use(String group) {
    int id = intern(group);
    users[id]++;
    return id;
  }

  void unuse(int id) {
    users[id]--;
    dropIfUnused(id);
  }

  /** The nodes that hold members of a group; null without placed members. */
  NodeSet holders(String group) {
    int id = byName.get(group);
    return id == NameTable.NONE || holders.get(id).size() == 0 ? null : holders.get(id);
  }

  /** The nodes that hold members of a group; may be empty. */
  NodeSet holders(int id) {
    return holders.get(id);
  }

  /** The number of members of a group on a node. */
  int members(int id, int node) {
    return holders.get(id).has(node) ? 1 + more.getOrDefault(key(id, node), 0) : 0;
  }

  void add(int id, int node, int slots) {
    NodeSet set = holders.get(id);
    if (set.has(node)) {
      more.merge(key(id, node), 1, Integer::sum);
    } else {
      set.add(node, slots);
    }
  }

  void remove(int id, int node) {
    long key = key(id, node);
    Integer others = more.isEmpty() ? null : more.get(key);
    if (others == null) {
      holders.get(id).remove(node);
      dropIfUnused(id);
    } else if (others == 1) {
      more.remove(key);
    } else {
      more.put(key, others - 1);
    }
  }

  private void dropIfUnused(int id) {
    if (names.get(id) != null && users[id] == 0 && holders.get(id).size() == 0) {
      byName.remove(names.get(id));
      holders.set(id, null);
      names.set(id, null);
      free.push(id);
    }
  }

  /** Gives every node its new slot. */
  void renumber(int[] renumbered) {
    for (NodeSet set : holders) {
      if (set != null) {
        set.renumber(renumbered);
      }
    }
    Map<Long, Integer> moved = new HashMap<>();
    more.forEach(
        (key, count) -> moved.put(key((int) (key >>> 32), renumbered[key.intValue()]), count));
    more.clear();
    more.putAll(moved);
  }

  private static long key(int id, int node) {
    return (long) id << 32 | node;
  }

  // ---- audit ----

  /** Counts the members of all groups again. */
  void audit(Audit audit, Ledger ledger) {
    Groups fresh = new Groups();
    int slots = ledger.nodes.slotCount();
    for (int node = 0; node < slots; node++) {
      for (Workload workload : ledger.placements.workloads(node)) {
        for (String group : workload.aversionGroups()) {
          fresh.add(fresh.intern(group), node, slots);
        }
      }
    }
    for (int id = 0; id < names.size(); id++) {
      if (names.get(id) != null) {
        int same = fresh.intern(names.get(id));
        String group = "group '" + names.get(id) + "': ";
        audit.equal(group + "nodes", fresh.holders(same).size(), holders(id).size());
        for (int node = 0; node < slots; node++) {
          audit.equal(
              group + "members on node", node, fresh.members(same, node), members(id, node));
        }
      }
    }
    for (String group : fresh.names) {
      audit.equal("group '" + group + "' has an id", true, find(group) != NameTable.NONE);
    }
  }
}
