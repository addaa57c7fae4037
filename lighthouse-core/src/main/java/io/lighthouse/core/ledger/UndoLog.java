package io.lighthouse.core.ledger;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The inverses of the changes since the last commit, the newest last: what a roll back carries out.
 *
 * <p>Placements and their ends are four numbers each. All other changes, which are rare, are an
 * object each. A search that moves workloads to and fro would let the log grow for ever; so once
 * there are many placements since the newest savepoint, they become one inverse that says where the
 * moved ones were ({@link #squash}).
 */
final class UndoLog {
  /** Takes one change, or a squashed run of them, back. */
  interface Inverse {
    void run();
  }

  /** The length of a record. */
  static final int RECORD = 4;

  /** The first number of a record whose inverse is an object. */
  private static final int OBJECT = -1;

  /** So many records more than a batch places are no reason for a longer log. */
  private static final int FEW = 64;

  /** So many numbers may stand behind the newest savepoint before they are squashed. */
  private static final int FIRST_LIMIT = RECORD * 8192;

  /**
   * Four numbers a record. Of a placement: entry, slot, the round-robin position before, and the
   * index in the batch. Of an end, which leaves that position: entry, complement of the slot, the
   * entry before it on that node, and the index in the batch. Else {@link #OBJECT} and the index of
   * the inverse.
   */
  private int[] log = new int[RECORD * 16];

  private int size;
  private final List<Inverse> inverses = new ArrayList<>();
  private int savepoint;
  private int limit = FIRST_LIMIT;

  /** The state that {@link Ledger#rollBack} can come back to. */
  int savepoint() {
    savepoint = size;
    return size;
  }

  /** Which savepoint is the newest that somebody may come back to. */
  void newest(int kept) {
    savepoint = kept;
  }

  int size() {
    return size;
  }

  /** A placement; the index is negative where the workload is of no open batch. */
  void placed(int entry, int node, int position, int index) {
    record(entry, node, position, index);
  }

  /** The end of a placement. */
  void removed(int entry, int node, int behind, int index) {
    record(entry, ~node, behind, index);
  }

  private void record(int entry, int node, int before, int index) {
    ensure(1);
    log[size++] = entry;
    log[size++] = node;
    log[size++] = before;
    log[size++] = index;
  }

  void other(Inverse inverse) {
    ensure(1);
    log[size] = OBJECT;
    log[size + 1] = inverses.size();
    inverses.add(inverse);
    size += RECORD;
  }

  /** Whether the record at a place is a placement or its end. */
  boolean isPlacement(int at) {
    return log[at] != OBJECT;
  }

  int entry(int at) {
    return log[at];
  }

  int node(int at) {
    return log[at + 1];
  }

  /** Of an end: the entry before it on that node. */
  int behind(int at) {
    return log[at + 2];
  }

  /** Of a placement: the round-robin position before. */
  int position(int at) {
    return log[at + 2];
  }

  /** The index in the batch that was open; negative where the workload was of none. */
  int index(int at) {
    return log[at + 3];
  }

  Inverse inverse(int at) {
    return inverses.get(log[at + 1]);
  }

  /** Forgets the last record; answers where it stood. */
  int pop() {
    size -= RECORD;
    if (!isPlacement(size)) {
      inverses.remove(inverses.size() - 1);
    }
    return size;
  }

  /** Forgets all. */
  void clear() {
    size = 0;
    savepoint = 0;
    limit = FIRST_LIMIT;
    inverses.clear();
    if (log.length > FIRST_LIMIT) {
      log = new int[RECORD * 16];
    }
  }

  /**
   * So many workloads are going to be placed: that many records and as many again are no long
   * search.
   */
  void expect(int workloads) {
    limit = Math.max(limit, 2 * RECORD * workloads);
    ensure(workloads + FEW);
  }

  /** Whether the placements since the newest savepoint should become one inverse. */
  boolean isLong() {
    return size - savepoint > limit;
  }

  /** Squashes the placements since the newest savepoint, where that makes the log shorter. */
  void squash(Placements placements, Ledger ledger) {
    Moves moves = Moves.since(savepoint, this, placements, ledger);
    int records = (size - savepoint) / RECORD;
    if (moves != null) {
      while (size > savepoint) {
        pop();
      }
      other(moves);
      records = moves.size();
    }
    limit = Math.max(limit, 2 * RECORD * records);
  }

  /**
   * The entries placed since a savepoint that are placed now, in the order of their last placement.
   */
  int[] placedSince(int savepoint, Placements placements) {
    Set<Integer> seen = new HashSet<>();
    List<Integer> placed = new ArrayList<>();
    for (int at = size - RECORD; at >= savepoint; at -= RECORD) {
      if (isPlacement(at)) {
        int entry = entry(at);
        if (placements.nodeOf(entry) >= 0 && seen.add(entry)) {
          placed.add(entry);
        }
      } else if (inverse(at) instanceof Moves moves) {
        int[] moved = moves.placed();
        for (int i = moved.length - 1; i >= 0; i--) {
          if (seen.add(moved[i])) {
            placed.add(moved[i]);
          }
        }
      }
    }
    int[] inOrder = new int[placed.size()];
    for (int i = 0; i < inOrder.length; i++) {
      inOrder[i] = placed.get(inOrder.length - 1 - i);
    }
    return inOrder;
  }

  private void ensure(int records) {
    if (size + RECORD * records > log.length) {
      log = Arrays.copyOf(log, Math.max(size + RECORD * records, 2 * log.length));
    }
  }
}
