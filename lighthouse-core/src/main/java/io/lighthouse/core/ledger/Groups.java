package io.lighthouse.core.ledger;

import io.lighthouse.core.account.NameTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The groups that are in use, by id. A group has an id while a workload of it is placed, a bound is
 * set for it, or an open batch names it. Then the id is free for another group.
 */
final class Groups {
  private final NameTable byName;

  /** By id: the group; null where the id is free. */
  private final List<Group> groups = new ArrayList<>();

  private final Deque<Integer> free = new ArrayDeque<>();

  /** Runs when a group gets or loses an id. */
  private final Runnable idsChanged;

  Groups(Runnable idsChanged) {
    this.idsChanged = idsChanged;
    byName = new NameTable(id -> groups.get(id).name);
  }

  /** A copy that shares nothing that changes, without open batches. */
  Groups(Groups other, Runnable idsChanged) {
    this.idsChanged = idsChanged;
    byName = other.byName.copy(id -> groups.get(id).name);
    for (Group group : other.groups) {
      groups.add(group == null ? null : new Group(group));
    }
    free.addAll(other.free);
    for (int id = 0; id < groups.size(); id++) {
      dropIfUnused(id);
    }
  }

  /** Ids stay below this. */
  int ids() {
    return groups.size();
  }

  /** The group of an id; null where the id is free. */
  Group get(int id) {
    return groups.get(id);
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
    id = free.isEmpty() ? groups.size() : free.pop();
    if (id == groups.size()) {
      groups.add(null);
    }
    groups.set(id, new Group(group));
    byName.add(group, id);
    idsChanged.run();
    return id;
  }

  /** The id of a group, which stays in use until {@link #unuse}. */
  int use(String group) {
    int id = intern(group);
    groups.get(id).users++;
    return id;
  }

  void unuse(int id) {
    groups.get(id).users--;
    dropIfUnused(id);
  }

  /** Frees an id for another group. */
  void dropIfUnused(int id) {
    if (groups.get(id) != null && groups.get(id).isUnused()) {
      byName.remove(groups.get(id).name);
      groups.set(id, null);
      free.push(id);
      idsChanged.run();
    }
  }
}
