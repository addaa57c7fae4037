package io.lighthouse.core.ledger;

import io.lighthouse.api.Quantity;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Who is placed where. A workload has an entry as long as it is placed or its batch is open; the
 * entries of a node form a list, in the order in which they came. A log of the open batch takes
 * changes back, the newest first, down to the place in the list.
 */
final class Placements {
  /** The node of an entry whose workload is not placed. */
  static final int NOWHERE = -1;

  private static final int NONE = -1;

  private final NameTable byName;

  /** By entry; null where the entry is free. */
  private Workload[] workloads = new Workload[16];

  /** By entry: the index of its node, or {@link #NOWHERE}. */
  private int[] nodes = new int[16];

  /** By entry: the next on its node; of a free entry the next free one. */
  private int[] next = new int[16];

  /** By entry: the one before on its node. */
  private int[] previous = new int[16];

  /** Entries below this have been given out; of these, {@link #free} begins the free ones. */
  private int entryCount;

  private int free = NONE;
  private int placedCount;

  /** By node: first entry, last entry, number of entries. */
  private int[] head = new int[8];

  private int[] tail = new int[8];
  private int[] held = new int[8];
  private int nodeCount;

  /**
   * Four numbers a change: entry, node (its complement where taken away), the entry before it on
   * that node, and the position that the fleet had.
   */
  private int[] log = new int[4 * 16];

  private int logged;

  Placements() {
    byName = new NameTable(entry -> workloads[entry].name());
  }

  private Placements(Placements other) {
    byName = other.byName.copy(entry -> workloads[entry].name());
    workloads = other.workloads.clone();
    nodes = other.nodes.clone();
    next = other.next.clone();
    previous = other.previous.clone();
    entryCount = other.entryCount;
    free = other.free;
    placedCount = other.placedCount;
    head = other.head.clone();
    tail = other.tail.clone();
    held = other.held.clone();
    nodeCount = other.nodeCount;
  }

  Placements copy() {
    return new Placements(this);
  }

  // ---- entries ----

  void reserveRoom(int more) {
    byName.reserve(more);
    ensure(entryCount + more);
  }

  /** Takes the workload's name; answers its entry, or -1 where the name is in use. */
  int reserve(Workload workload) {
    int entry = free == NONE ? entryCount : free;
    if (!byName.add(workload.name(), entry)) {
      return NONE;
    }
    if (free == NONE) {
      ensure(++entryCount);
    } else {
      free = next[entry];
    }
    workloads[entry] = workload;
    nodes[entry] = NOWHERE;
    return entry;
  }

  void unreserve(int entry) {
    byName.remove(workloads[entry].name());
    workloads[entry] = null;
    nodes[entry] = NOWHERE;
    next[entry] = free;
    free = entry;
  }

  int find(String workload) {
    return byName.get(workload);
  }

  Workload workload(int entry) {
    return workloads[entry];
  }

  int node(int entry) {
    return nodes[entry];
  }

  int placedCount() {
    return placedCount;
  }

  /** What the placed workloads require of a resource, as the ledger takes it. */
  List<Quantity> requirements(String resource) {
    List<Quantity> all = new ArrayList<>();
    for (int entry = 0; entry < entryCount; entry++) {
      if (nodes[entry] >= 0) {
        workloads[entry].requirements().get(resource).map(Columns::required).ifPresent(all::add);
      }
    }
    return all;
  }

  private void ensure(int entries) {
    if (entries > nodes.length) {
      int length = Math.max(entries, nodes.length + nodes.length / 2);
      workloads = Arrays.copyOf(workloads, length);
      nodes = Arrays.copyOf(nodes, length);
      next = Arrays.copyOf(next, length);
      previous = Arrays.copyOf(previous, length);
    }
  }

  // ---- lists ----

  void addNode() {
    if (nodeCount == head.length) {
      int length = nodeCount + nodeCount / 2 + 1;
      head = Arrays.copyOf(head, length);
      tail = Arrays.copyOf(tail, length);
      held = Arrays.copyOf(held, length);
    }
    head[nodeCount] = NONE;
    tail[nodeCount] = NONE;
    held[nodeCount] = 0;
    nodeCount++;
  }

  /** Removes a node without entries; those behind it move up. */
  void removeNode(int node) {
    int behind = --nodeCount - node;
    System.arraycopy(head, node + 1, head, node, behind);
    System.arraycopy(tail, node + 1, tail, node, behind);
    System.arraycopy(held, node + 1, held, node, behind);
    for (int entry = 0; entry < entryCount; entry++) {
      if (nodes[entry] > node) {
        nodes[entry]--;
      }
    }
  }

  /** Puts an entry at the end of a node's list. */
  void append(int entry, int node) {
    previous[entry] = tail[node];
    next[entry] = NONE;
    join(entry, node);
  }

  /** Puts an entry back behind the one that it stood behind. */
  void relink(int entry, int node, int behind) {
    previous[entry] = behind;
    next[entry] = behind == NONE ? head[node] : next[behind];
    join(entry, node);
  }

  private void join(int entry, int node) {
    if (previous[entry] == NONE) {
      head[node] = entry;
    } else {
      next[previous[entry]] = entry;
    }
    if (next[entry] == NONE) {
      tail[node] = entry;
    } else {
      previous[next[entry]] = entry;
    }
    nodes[entry] = node;
    held[node]++;
    placedCount++;
  }

  /** Takes an entry from its node's list. */
  void unlink(int entry) {
    int node = nodes[entry];
    if (previous[entry] == NONE) {
      head[node] = next[entry];
    } else {
      next[previous[entry]] = next[entry];
    }
    if (next[entry] == NONE) {
      tail[node] = previous[entry];
    } else {
      previous[next[entry]] = previous[entry];
    }
    nodes[entry] = NOWHERE;
    held[node]--;
    placedCount--;
  }

  int held(int node) {
    return held[node];
  }

  int[] entries(int node) {
    int[] entries = new int[held[node]];
    for (int i = 0, entry = head[node]; entry != NONE; entry = next[entry]) {
      entries[i++] = entry;
    }
    return entries;
  }

  // ---- the log ----

  int mark() {
    return logged;
  }

  void log(int entry, int node, int position) {
    if (logged + 4 > log.length) {
      log = Arrays.copyOf(log, 2 * log.length);
    }
    log[logged++] = entry;
    log[logged++] = node;
    log[logged++] = previous[entry];
    log[logged++] = position;
  }

  /** The last change, which is forgotten; four numbers as in {@link #log}. */
  int[] unlog() {
    logged -= 4;
    return Arrays.copyOfRange(log, logged, logged + 4);
  }

  void settle() {
    logged = 0;
    if (log.length > 4096) {
      log = new int[4 * 16];
    }
  }
}
