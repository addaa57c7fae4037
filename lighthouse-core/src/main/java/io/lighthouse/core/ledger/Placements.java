package io.lighthouse.core.ledger;

import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.account.ResourceTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which workload is on which node. A workload has an entry while it is placed or its batch is open.
 * The entries of a node form a doubly linked list, in the order of their arrival.
 */
public final class Placements {
  private static final int NO_ENTRY = -1;

  /** The next-link of an entry whose workload is gone but that a roll back may restore. */
  private static final int UNUSED = -2;

  /** The fields of a node's list. */
  private static final int HEAD = 0;

  private static final int TAIL = 1;
  private static final int HELD = 2;
  private static final int LIST = 3;

  /** The fields of an entry's links. */
  private static final int NODE = 0;

  private static final int NEXT = 1;
  private static final int PREVIOUS = 2;
  private static final int LINK = 3;

  private final WorkloadNames byName;

  /** By entry: its workload; null where the entry is free. */
  private Workload[] workloads = new Workload[16];

  /**
   * By entry, side by side: its node, the next entry and the previous entry. The node is a slot, or
   * {@link NodeTable#NONE}. The next entry is on the same node; for a free entry it is the next
   * free one.
   */
  private int[] links = new int[LINK * 16];

  /** Entries below this have been given out; {@link #free} is the first free one of these. */
  private int entryCount;

  private int free = NO_ENTRY;

  /** Entries whose workload was removed since the last commit; the first {@link #unusedCount}. */
  private int[] unused = new int[16];

  private int unusedCount;
  private int placedCount;

  /** By node, side by side: first entry, last entry, number of entries. */
  private int[] lists = new int[3 * 8];

  private int nodeCount;

  Placements() {
    byName = new WorkloadNames(entry -> workloads[entry].name());
  }

  /** A copy that shares nothing that changes, without unused entries. */
  Placements(Placements other) {
    byName = new WorkloadNames(other.byName, entry -> workloads[entry].name());
    workloads = other.workloads.clone();
    links = other.links.clone();
    entryCount = other.entryCount;
    free = other.free;
    placedCount = other.placedCount;
    lists = other.lists.clone();
    nodeCount = other.nodeCount;
    unused = other.unused.clone();
    unusedCount = other.unusedCount;
    freeUnused();
  }

  // ---- entries ----

  public void reserveRoom(int more) {
    ensure(entryCount + more);
  }

  /** Makes room for {@code more} names that will be taken one by one. */
  public void reserveNames(int more) {
    byName.reserve(more);
  }

  /**
   * Takes the names of some workloads at once, if they form a new run.
   *
   * @param from the index of the first; the run must end before {@code to}
   * @param entries receives the entries of the workloads whose names are taken
   * @return how many names were taken; 0 for none
   */
  public int reserveRun(List<Workload> all, String[] names, int from, int to, int[] entries) {
    int count = byName.addRun(names, from, to, this::takeEntry, entries);
    for (int i = from; i < from + count; i++) {
      workloads[entries[i]] = all.get(i);
    }
    return count;
  }

  /** Takes the workload's name; returns its entry, or -1 where the name is in use. */
  public int reserve(Workload workload) {
    ensure(entryCount + 1);
    int entry = free == NO_ENTRY ? entryCount : free;
    if (!byName.add(workload.name(), entry)) {
      return NO_ENTRY;
    }
    takeEntry();
    workloads[entry] = workload;
    return entry;
  }

  /** Takes the next free entry. */
  private int takeEntry() {
    int entry = free;
    if (free == NO_ENTRY) {
      ensure(entryCount + 1);
      entry = entryCount++;
    } else {
      free = links[LINK * entry + NEXT];
    }
    links[LINK * entry + NODE] = NodeTable.NONE;
    return entry;
  }

  /** Takes a name again, if it was freed, under its former entry. */
  public void reserveAgain(int entry, Workload workload) {
    if (workloads[entry] != workload) {
      byName.add(workload.name(), entry);
      workloads[entry] = workload;
    }
  }

  /** Takes the names of several workloads again; their entries are different. */
  void reserveAgain(int[] entries, Workload[] of) {
    for (int i = 0; i < entries.length; i++) {
      reserveAgain(entries[i], of[i]);
    }
  }

  /** Frees an entry, if it still belongs to this workload. */
  public void unreserve(int entry, Workload workload) {
    if (entry < entryCount && workloads[entry] == workload) {
      unreserve(entry);
    }
  }

  void unreserve(int entry) {
    if (unusedCount == unused.length) {
      unused = Arrays.copyOf(unused, 2 * unusedCount);
    }
    byName.remove(workloads[entry].name());
    workloads[entry] = null;
    links[LINK * entry + NODE] = NodeTable.NONE;
    links[LINK * entry + NEXT] = UNUSED;
    unused[unusedCount++] = entry;
  }

  /** Frees the entries that only a roll back could have needed. */
  void freeUnused() {
    for (int i = 0; i < unusedCount; i++) {
      int at = LINK * unused[i] + NEXT;
      if (workloads[unused[i]] == null && links[at] == UNUSED) {
        links[at] = free;
        free = unused[i];
      }
    }
    unusedCount = 0;
    if (unused.length > 4096) {
      unused = new int[16];
    }
  }

  /**
   * The entry of a placed workload, by its name.
   *
   * @throws InvalidInputException if no such workload is placed
   */
  public int entryOf(String workload) {
    int entry = byName.get(workload);
    if (entry < 0 || nodeOf(entry) < 0) {
      throw new InvalidInputException(
          "distributor", "workload", "'" + workload + "'", "the name of a placed workload");
    }
    return entry;
  }

  /** The slot of the node of a workload by name; negative where it is not placed. */
  public int placedNode(String workload) {
    int entry = byName.get(workload);
    return entry < 0 ? -1 : nodeOf(entry);
  }

  /** Replaces the workload of an entry with another form of it; the name stays. */
  void replace(int entry, Workload as) {
    workloads[entry] = as;
  }

  /** The workload of an entry in use. */
  public Workload workload(int entry) {
    return workloads[entry];
  }

  /** The slot of an entry's node; negative where its workload is not placed. */
  public int nodeOf(int entry) {
    return links[LINK * entry + NODE];
  }

  /** The number of placed workloads. */
  public int placedCount() {
    return placedCount;
  }

  /** The placed workloads' requirements of a resource, as the ledger rounds them. */
  List<Quantity> requirements(String resource) {
    List<Quantity> all = new ArrayList<>();
    for (int entry = 0; entry < entryCount; entry++) {
      if (links[LINK * entry + NODE] >= 0) {
        workloads[entry]
            .requirements()
            .get(resource)
            .map(ResourceTable::required)
            .ifPresent(all::add);
      }
    }
    return all;
  }

  private void ensure(int entries) {
    if (entries > workloads.length) {
      int length = Math.max(entries, workloads.length + workloads.length / 2);
      links = Arrays.copyOf(links, LINK * length);
      workloads = Arrays.copyOf(workloads, length); // Last: its length is that of both.
    }
  }

  // ---- lists ----

  /** Makes room for {@code more} nodes. */
  void reserveNodes(int more) {
    int wanted = LIST * (nodeCount + more);
    if (wanted > lists.length) {
      lists = Arrays.copyOf(lists, Math.max(wanted, lists.length + lists.length / 2));
    }
  }

  /** Adds an empty list for a node after the last one; there must be room for it. */
  void addNode() {
    int at = LIST * nodeCount++;
    lists[at + HEAD] = NO_ENTRY;
    lists[at + TAIL] = NO_ENTRY;
    lists[at + HELD] = 0;
  }

  /** Removes the last node, which has no entries. */
  void dropNode() {
    nodeCount--;
  }

  /** Replaces every node with its new slot; nodes that get a negative one have no entries. */
  void renumber(int[] renumbered) {
    int count = 0;
    for (int from = 0; from < renumbered.length; from++) {
      int to = renumbered[from];
      if (to >= 0) {
        System.arraycopy(lists, LIST * from, lists, LIST * to, LIST);
        count = to + 1;
      }
    }
    nodeCount = count;
    for (int entry = 0; entry < entryCount; entry++) {
      if (links[LINK * entry + NODE] >= 0) {
        links[LINK * entry + NODE] = renumbered[links[LINK * entry + NODE]];
      }
    }
  }

  /** Puts an entry at the end of a node's list. */
  void append(int entry, int node) {
    links[LINK * entry + PREVIOUS] = lists[LIST * node + TAIL];
    links[LINK * entry + NEXT] = NO_ENTRY;
    join(entry, node);
  }

  /** Puts an entry back after its former predecessor. */
  void relink(int entry, int node, int behind) {
    links[LINK * entry + PREVIOUS] = behind;
    links[LINK * entry + NEXT] =
        behind == NO_ENTRY ? lists[LIST * node + HEAD] : links[LINK * behind + NEXT];
    join(entry, node);
  }

  private void join(int entry, int node) {
    if (links[LINK * entry + PREVIOUS] == NO_ENTRY) {
      lists[LIST * node + HEAD] = entry;
    } else {
      links[LINK * links[LINK * entry + PREVIOUS] + NEXT] = entry;
    }
    if (links[LINK * entry + NEXT] == NO_ENTRY) {
      lists[LIST * node + TAIL] = entry;
    } else {
      links[LINK * links[LINK * entry + NEXT] + PREVIOUS] = entry;
    }
    links[LINK * entry + NODE] = node;
    lists[LIST * node + HELD]++;
    placedCount++;
  }

  /** Removes an entry from its node's list. */
  void unlink(int entry) {
    int node = links[LINK * entry + NODE];
    if (links[LINK * entry + PREVIOUS] == NO_ENTRY) {
      lists[LIST * node + HEAD] = links[LINK * entry + NEXT];
    } else {
      links[LINK * links[LINK * entry + PREVIOUS] + NEXT] = links[LINK * entry + NEXT];
    }
    if (links[LINK * entry + NEXT] == NO_ENTRY) {
      lists[LIST * node + TAIL] = links[LINK * entry + PREVIOUS];
    } else {
      links[LINK * links[LINK * entry + NEXT] + PREVIOUS] = links[LINK * entry + PREVIOUS];
    }
    links[LINK * entry + NODE] = NodeTable.NONE;
    lists[LIST * node + HELD]--;
    placedCount--;
  }

  /** The number of workloads placed on a node. */
  public int count(int node) {
    return lists[LIST * node + HELD];
  }

  /** The entries placed on a node, in the order of their arrival. */
  public int[] entries(int node) {
    int[] entries = new int[lists[LIST * node + HELD]];
    for (int i = 0, entry = lists[LIST * node + HEAD];
        entry != NO_ENTRY;
        entry = links[LINK * entry + NEXT]) {
      entries[i++] = entry;
    }
    return entries;
  }

  /** The workloads placed on a node, in the order of their arrival. */
  public List<Workload> workloads(int node) {
    List<Workload> here = new ArrayList<>();
    for (int entry : entries(node)) {
      here.add(workloads[entry]);
    }
    return here;
  }

  /** The previous entry on the same node, or -1. */
  int previous(int entry) {
    return links[LINK * entry + PREVIOUS];
  }

  /**
   * Sets the list of a node. Entries that are then in no list must be marked with {@link
   * #markUnplaced}.
   */
  void setList(int node, int[] entries) {
    placedCount += entries.length - lists[LIST * node + HELD];
    lists[LIST * node + HEAD] = NO_ENTRY;
    lists[LIST * node + TAIL] = NO_ENTRY;
    lists[LIST * node + HELD] = entries.length;
    for (int i = 0; i < entries.length; i++) {
      int at = LINK * entries[i];
      links[at + NODE] = node;
      links[at + PREVIOUS] = i == 0 ? NO_ENTRY : entries[i - 1];
      links[at + NEXT] = i == entries.length - 1 ? NO_ENTRY : entries[i + 1];
    }
    if (entries.length > 0) {
      lists[LIST * node + HEAD] = entries[0];
      lists[LIST * node + TAIL] = entries[entries.length - 1];
    }
  }

  /** Marks an entry as on no node; {@link #setList} may then set its node. */
  void markUnplaced(int entry) {
    links[LINK * entry + NODE] = NodeTable.NONE;
  }

  // ---- audit ----

  /** Follows the list of each node and checks the counts. */
  void audit(Audit audit, int slots) {
    int all = 0;
    for (int node = 0; node < slots; node++) {
      int count = 0;
      int before = NO_ENTRY;
      for (int entry = lists[LIST * node + HEAD];
          entry != NO_ENTRY && count <= entryCount;
          entry = links[LINK * entry + NEXT]) {
        audit.equal("the node of entry", entry, node, nodeOf(entry));
        audit.equal("the entry before entry", entry, before, previous(entry));
        before = entry;
        count++;
      }
      audit.equal("the last entry on node", node, before, lists[LIST * node + TAIL]);
      audit.equal("workloads on node", node, count, count(node));
      all += count;
    }
    audit.equal("placed workloads", all, placedCount);
  }

  /** Looks up the name of each placed workload; the lists are sound. */
  void auditNames(Audit audit) {
    for (int entry = 0; entry < entryCount; entry++) {
      if (nodeOf(entry) >= 0) {
        audit.equal("entry by the name", entry, entry, byName.get(workloads[entry].name()));
      }
    }
  }
}
