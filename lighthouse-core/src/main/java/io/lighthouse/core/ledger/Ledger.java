package io.lighthouse.core.ledger;

import io.lighthouse.api.InternalErrorException;
import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.List;

/**
 * The exact accounts of every node: its capacity, what is left of it, and which placements took it.
 * The only code that changes them.
 *
 * <p>For every node and resource, at every moment, the capacity is what is left plus the
 * requirements placed there. Nodes go by their slot ({@link NodeAccounts}), workloads by their
 * entry in {@link Placements}.
 *
 * <p>Every change leaves its inverse in a log. {@link #savepoint} and {@link #rollBack} take
 * changes of every kind back, the newest first, to exactly the state before; {@link #commit}
 * forgets the log. Names of resources and slots that changes have left unused stay as they are
 * until then.
 *
 * <p>Not thread-safe; a copy made by {@link #copy} shares nothing that changes.
 */
public final class Ledger extends NodeAccounts {
  final Groups groups;
  private final Placements placements;
  private final UndoLog log = new UndoLog();

  /** Slots whose node was removed since the last commit. */
  private final List<Integer> vacated = new ArrayList<>();

  /** The node that took the last placed workload; -1 before the first. */
  private int lastPlaced = -1;

  /** Reused for every batch. */
  final Admission admission;

  /** Reused for every change that is not of a batch. */
  private final Demand demand = new Demand();

  /** An empty ledger. */
  public Ledger() {
    groups = new Groups();
    placements = new Placements();
    admission = new Admission(columns);
  }

  private Ledger(Ledger other) {
    super(other);
    groups = other.groups.copy();
    placements = other.placements.copy();
    lastPlaced = other.lastPlaced;
    admission = new Admission(columns);
    columns.dropUnused();
  }

  /**
   * An independent ledger with equal accounts, without listeners and without a log.
   *
   * @return the copy; cost linear in nodes and placements
   */
  public Ledger copy() {
    return new Ledger(this);
  }

  // ---- nodes ----

  /**
   * Adds nodes behind the last, all or none.
   *
   * @param nodes the nodes, with the workloads that they bring along
   * @throws InvalidInputException if a name is taken, or a quantity is out of range
   */
  public void addNodes(List<Node> nodes) {
    int first = slotCount();
    reserveNodes(nodes.size());
    int named = 0;
    List<Integer> entries = new ArrayList<>();
    try {
      for (Node node : nodes) {
        if (!takeName(first + named, node.name())) {
          throw new InvalidInputException(
              "node '" + node.name() + "'", "name", "given twice", "each name once");
        }
        named++;
        for (Workload workload : node.workloads()) {
          int entry = placements.reserve(workload);
          if (entry < 0) {
            throw new InvalidInputException(
                "workload '" + workload.name() + "'",
                "name",
                "placed twice, the second time on node '" + node.name() + "'",
                "each workload on one node");
          }
          entries.add(entry);
        }
      }
      admission.admitNodes(this, nodes, -1);
    } catch (InvalidInputException wrong) {
      for (Node node : nodes.subList(0, named)) {
        freeName(node.name());
      }
      entries.forEach(placements::unreserve);
      throw wrong;
    }
    int brought = 0;
    for (int i = 0; i < nodes.size(); i++) {
      append(nodes.get(i));
      placements.addNode();
      for (Workload workload : nodes.get(i).workloads()) {
        demand.compile(workload, this);
        account(first + i, demand, 1, false);
        placements.append(entries.get(brought++), first + i);
      }
    }
    if (nodes.size() == 1) {
      came(first);
    } else {
      reshaped();
    }
    log.other(() -> takeBack(first, nodes.size()));
  }

  /** Takes back the last so many nodes, with who they brought along. */
  private void takeBack(int first, int count) {
    for (int node = first + count - 1; node >= first; node--) {
      leaving(node);
      int[] entries = placements.entries(node);
      for (int i = entries.length - 1; i >= 0; i--) {
        demand.compile(placements.workload(entries[i]), this);
        account(node, demand, -1, false);
        placements.unlink(entries[i]);
        placements.unreserve(entries[i]);
      }
      unappend(node);
      placements.dropNode();
      freed(node);
    }
  }

  /**
   * Removes an empty node. A position on it passes to the one before it. Its slot stays behind as a
   * dead one.
   *
   * @param node the slot of a node that holds nobody
   */
  public void removeNode(int node) {
    int position = lastPlaced;
    NodeAccounts.Saved saved = save(node);
    leaving(node);
    kill(node);
    vacated.add(node);
    if (lastPlaced == node) {
      lastPlaced = nodeBefore(node);
    }
    log.other(
        () -> {
          revive(node, saved);
          vacated.remove(vacated.size() - 1);
          lastPlaced = position;
          came(node);
        });
  }

  /**
   * Gives a node another capacity; what is placed stays.
   *
   * @param node the slot of a node
   * @param capacity what it has when empty, from now on
   * @throws InvalidInputException if a resource in use is missing, or a quantity is out of range
   */
  public void resize(int node, Resources capacity) {
    boolean keepsAll = keepsAll(node, capacity);
    List<Workload> placed = keepsAll ? List.of() : workloads(node);
    for (Workload workload : placed) {
      for (String resource : workload.requirements().names()) {
        if (!capacity.has(resource)) {
          throw new InvalidInputException(
              "node '" + nodeName(node) + "'",
              "capacity." + resource,
              "missing",
              "every resource in use there; workload '" + workload.name() + "' requires it");
        }
      }
    }
    Node wanted = Node.of(nodeName(node), capacity);
    admission.admitNodes(this, List.of(wanted), node);
    NodeAccounts.Saved saved = save(node);
    leaving(node);
    if (keepsAll) {
      replace(node, wanted);
    } else {
      replace(node, wanted, placed);
    }
    came(node);
    log.other(
        () -> {
          leaving(node);
          unuse(node);
          restore(node, saved);
          came(node);
        });
  }

  /**
   * Cordons a node, or opens it. Doing it twice changes nothing.
   *
   * @param node the slot of a node
   * @param closed whether it takes nobody new
   */
  public void cordon(int node, boolean closed) {
    if (cordoned(node) != closed) {
      setCordon(node, closed);
      log.other(() -> setCordon(node, !closed));
    }
  }

  // ---- batches and placements ----

  /**
   * Opens a batch: takes its names, settles its scales. To be closed.
   *
   * @param workloads the workloads
   * @return the batch
   * @throws InvalidInputException if a name is in use, or a quantity is out of range; then nothing
   *     has changed
   */
  public Batch open(List<Workload> workloads) {
    return open(workloads, new int[0]);
  }

  /**
   * Opens a batch that has workloads among it which are placed already, and may be moved.
   *
   * @param workloads the new ones
   * @param placed entries of placed ones, each once; they stand behind the new ones
   * @return the batch
   * @throws InvalidInputException if a name is in use, or a quantity is out of range; then nothing
   *     has changed
   */
  public Batch open(List<Workload> workloads, int[] placed) {
    placements.reserveRoom(workloads.size());
    Batch batch = new Batch(this, workloads, placed);
    log.other(batch::freeNames);
    log.savepoint();
    return batch;
  }

  int reserve(Workload workload) {
    return placements.reserve(workload);
  }

  /** A batch has freed the names of those that it has not placed; a roll back takes them again. */
  void closed(Batch batch) {
    log.other(batch::reopen);
  }

  /** Takes the entry of a workload again, if it has been given back. */
  void reserveAgain(int entry, Workload workload) {
    if (!placements.isOf(entry, workload)) {
      placements.reserveAgain(workload, entry);
    }
  }

  /** Gives the entry of a workload back, if it is still its own. */
  void unreserve(int entry, Workload workload) {
    if (placements.isOf(entry, workload)) {
      placements.unreserve(entry);
    }
  }

  /**
   * Places a workload of an open batch, wholly, or throws before anything has changed.
   *
   * @param entry its entry
   * @param node the slot of a node
   * @param needed what it needs
   * @throws InternalErrorException if it does not fit there: whoever proposed the node was to see
   *     to that
   */
  public void place(int entry, int node, Demand needed) {
    if (!fits(node, needed)) {
      throw new InternalErrorException(
          "workload '"
              + needed.workload().name()
              + "' was to be placed on node '"
              + nodeName(node)
              + "', which it does not fit",
          null);
    }
    put(entry, node, needed);
  }

  /**
   * Places a workload where it has been before, even if that leaves something below zero: whoever
   * does so judges the state that comes of it.
   *
   * @param entry its entry
   * @param node the slot of a node that has all that it requires
   * @param needed what it needs
   */
  public void put(int entry, int node, Demand needed) {
    log.placement(entry, node, placements.behind(entry), lastPlaced);
    account(node, needed, 1, true);
    placements.append(entry, node);
    lastPlaced = node;
    squashIfLong();
  }

  /**
   * Takes a workload from its node; it keeps its name.
   *
   * @param entry its entry
   * @param needed what it needs
   */
  public void remove(int entry, Demand needed) {
    int node = placements.node(entry);
    log.placement(entry, ~node, placements.behind(entry), lastPlaced);
    account(node, needed, -1, true);
    placements.unlink(entry);
    squashIfLong();
  }

  private void squashIfLong() {
    if (log.isLong()) {
      log.squash(placements, this);
    }
  }

  /**
   * Releases placed workloads.
   *
   * @param entries their entries, each once
   * @return the workloads, in that order
   */
  public List<Workload> release(int[] entries) {
    List<Workload> released = new ArrayList<>(entries.length);
    for (int entry : entries) {
      Workload workload = placements.workload(entry);
      demand.compile(workload, this);
      remove(entry, demand);
      placements.unreserve(entry);
      log.other(() -> placements.reserveAgain(workload, entry));
      released.add(workload);
    }
    return released;
  }

  /**
   * Fills a demand with a placed workload.
   *
   * @param entry its entry
   * @param filled to be filled
   * @return the demand
   */
  public Demand load(int entry, Demand filled) {
    filled.compile(placements.workload(entry), this);
    return filled;
  }

  /** Accounts for a placement (sign 1) or its end (sign -1) of an entry. */
  void account(int entry, int node, int sign) {
    demand.compile(placements.workload(entry), this);
    account(node, demand, sign, true);
  }

  /** Accounts for a placement (sign 1) or its end (sign -1). Never fails for what is settled. */
  private void account(int node, Demand needed, int sign, boolean tell) {
    charge(node, needed, sign, tell);
    for (int i = 0; i < needed.groupCount(); i++) {
      int group = needed.group(i);
      if (sign > 0) {
        groups.add(group == NameTable.NONE ? groupOf(needed, i) : group, node, slotCount());
      } else {
        groups.remove(group == NameTable.NONE ? groupOf(needed, i) : group, node);
      }
    }
  }

  /** The id of a group that had none when the demand was compiled. */
  private int groupOf(Demand needed, int index) {
    int at = 0;
    for (String group : needed.workload().aversionGroups()) {
      if (at++ == index) {
        return groups.intern(group);
      }
    }
    throw new AssertionError("no group " + index + " in " + needed.workload());
  }

  /**
   * How many workloads of an aversion group a node holds.
   *
   * @param group the id of a group that a loaded demand has
   * @param node the slot of a node
   * @return 0 or more
   */
  public int members(int group, int node) {
    return groups.members(group, node);
  }

  // ---- the log ----

  /**
   * The entries that have been placed since a savepoint and are placed now, in the order in which
   * they were placed last. Where that order is known no more (of a long search), node by node.
   *
   * @param savepoint what {@link #savepoint} answered
   * @return their entries
   */
  public int[] placedSince(int savepoint) {
    return log.placedSince(savepoint, placements);
  }

  /**
   * The present state, to come back to.
   *
   * @return a savepoint for {@link #rollBack}
   */
  public int savepoint() {
    return log.savepoint();
  }

  /**
   * Forgets the savepoints after one; what has been done stands, and the way back is kept shorter.
   *
   * @param savepoint the newest that somebody may still come back to
   */
  public void newestSavepoint(int savepoint) {
    log.newest(savepoint);
  }

  /**
   * Takes back everything since a savepoint, the newest first.
   *
   * @param savepoint what {@link #savepoint} answered, or 0 for all since the last commit
   */
  public void rollBack(int savepoint) {
    log.newest(savepoint);
    while (log.size() > savepoint) {
      int at = log.size() - UndoLog.RECORD;
      if (log.isPlacement(at)) {
        int entry = log.entry(at);
        int node = log.node(at);
        demand.compile(placements.workload(entry), this);
        if (node >= 0) {
          account(node, demand, -1, true);
          placements.unlink(entry);
        } else {
          account(~node, demand, 1, true);
          placements.relink(entry, ~node, log.behind(at));
        }
        lastPlaced = log.position(at);
      } else {
        log.inverse(at).run();
      }
      log.pop();
    }
  }

  /** What was done since the last commit stands: forgets the log, and what nobody uses any more. */
  public void commit() {
    log.clear();
    columns.dropUnused();
    placements.freeUnused();
    if (vacated.isEmpty()) {
      return;
    }
    for (int slot : vacated) {
      freed(slot);
    }
    vacated.clear();
    int slots = slotCount();
    trim();
    for (int slot = slotCount(); slot < slots; slot++) {
      placements.dropNode();
    }
    if (worn()) {
      int[] renumbered = renumber();
      placements.renumber(renumbered);
      groups.renumber(renumbered);
      lastPlaced = lastPlaced < 0 ? -1 : renumbered[lastPlaced];
      renumbered(renumbered);
      reshaped();
    }
  }

  List<Quantity> requirements(String resource) {
    return placements.requirements(resource);
  }

  // ---- reading ----

  /**
   * The nodes that hold workloads of an aversion group.
   *
   * @param group the name of a group
   * @return the ledger's own set, which changes with it; null where nobody holds one
   */
  public NodeSet holders(String group) {
    return groups.holders(group);
  }

  /**
   * The round-robin position.
   *
   * @return the slot of the node that took the last placed workload, or -1
   */
  public int lastPlaced() {
    return lastPlaced;
  }

  /**
   * Sets the round-robin position of a restored fleet.
   *
   * @param node the slot of a node, or -1
   */
  public void lastPlaced(int node) {
    lastPlaced = node;
  }

  /**
   * The number of placed workloads.
   *
   * @return 0 or more
   */
  public int placedCount() {
    return placements.placedCount();
  }

  /**
   * The workload of an entry.
   *
   * @param entry an entry in use
   * @return the workload
   */
  public Workload workload(int entry) {
    return placements.workload(entry);
  }

  /**
   * The node of an entry.
   *
   * @param entry an entry
   * @return the slot of its node; negative where it is not placed
   */
  public int nodeOf(int entry) {
    return placements.node(entry);
  }

  /**
   * The entry of a placed workload.
   *
   * @param workload its name
   * @return its entry
   * @throws InvalidInputException if no such workload is placed
   */
  public int entryOf(String workload) {
    int entry = placements.find(workload);
    if (entry < 0 || placements.node(entry) < 0) {
      throw new InvalidInputException(
          "distributor", "workload", "'" + workload + "'", "the name of a placed workload");
    }
    return entry;
  }

  /**
   * The node of a workload.
   *
   * @param workload its name
   * @return the slot of its node; negative where it is not placed
   */
  public int placedNode(String workload) {
    int entry = placements.find(workload);
    return entry < 0 ? -1 : placements.node(entry);
  }

  /**
   * The entries placed on a node.
   *
   * @param node its slot
   * @return in the order in which they came
   */
  public int[] entries(int node) {
    return placements.entries(node);
  }

  /**
   * The number of workloads placed on a node.
   *
   * @param node its slot
   * @return 0 or more
   */
  public int held(int node) {
    return placements.held(node);
  }

  /**
   * The workloads placed on a node.
   *
   * @param node its slot
   * @return in the order in which they came
   */
  public List<Workload> workloads(int node) {
    List<Workload> workloads = new ArrayList<>();
    for (int entry : placements.entries(node)) {
      workloads.add(placements.workload(entry));
    }
    return workloads;
  }

  /**
   * A node as it is now.
   *
   * @param node its slot
   * @return a copy of its accounts
   */
  public NodeState state(int node) {
    return new NodeState(
        nodeName(node), capacities(node), lefts(node), workloads(node), cordoned(node));
  }
}
