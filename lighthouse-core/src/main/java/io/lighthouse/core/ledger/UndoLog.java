package io.lighthouse.core.ledger;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * The inverses of the changes since the last commit, the newest last. A roll back executes them.
 *
 * <p>Placements and their ends take four numbers each. All other changes are rare, and take an
 * object each. A search that moves workloads back and forth would let the log grow forever.
 * Therefore a large number of placements since the newest savepoint becomes one inverse, which
 * restores the former nodes of the moved workloads ({@link #squash}).
 */
public final class UndoLog {
  /** The length of a record, in numbers. */
  static final int RECORD = 4;

  /** The first number of a record whose inverse is an object. */
  private static final int OBJECT = -1;

  /** Room beyond the placements of a batch, in records, so that a few more do not grow the log. */
  private static final int SPARE = 64;

  /** How many numbers may follow the newest savepoint, at first, before they are squashed. */
  private static final int FIRST_LIMIT = RECORD * 8192;

  private final Ledger ledger;

  /**
   * Records of four numbers each. A placement has its entry, its slot, the former round-robin
   * position, and the index in the batch. An end leaves that position as it is. It has its entry,
   * the complement of the slot, the previous entry on that node, and the index in the batch. Any
   * other record has {@link #OBJECT} and the index of its inverse.
   */
  private int[] log = new int[RECORD * 16];

  private int size;
  private final ArrayList<Runnable> inverses = new ArrayList<>();
  private int savepoint;
  private int limit = FIRST_LIMIT;

  UndoLog(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Marks the present state, so that {@link Ledger#rollBack} can return to it. */
  int savepoint() {
    savepoint = size;
    return size;
  }

  /** Sets the newest savepoint that a roll back may still use. */
  void keepSavepoint(int kept) {
    savepoint = kept;
  }

  int size() {
    return size;
  }

  /** Records a placement; the index is negative for a workload of no open batch. */
  void appendPlacement(int entry, int node, int position, int index) {
    record(entry, node, position, index);
  }

  /** Records the end of a placement. */
  void appendEnd(int entry, int node, int behind, int index) {
    record(entry, ~node, behind, index);
  }

  private void record(int entry, int node, int before, int index) {
    reserve(1);
    log[size++] = entry;
    log[size++] = node;
    log[size++] = before;
    log[size++] = index;
  }

  /**
   * Records the inverse of a change that follows. Where memory ends here, nothing has changed.
   * Where it ends in the change, the inverse runs on what was changed so far.
   */
  public void append(Runnable inverse) {
    reserve(1);
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

  /** For the end of a placement: the previous entry on that node. */
  int previous(int at) {
    return log[at + 2];
  }

  /** For a placement: the former round-robin position. */
  int position(int at) {
    return log[at + 2];
  }

  /** The index in the batch that was open; negative for a workload of no batch. */
  int index(int at) {
    return log[at + 3];
  }

  Runnable inverse(int at) {
    return inverses.get(log[at + 1]);
  }

  /** Undoes everything since a savepoint; {@link Ledger#rollBack} says what the demands are. */
  void rollBack(int to, IntFunction<Demand> demands) {
    keepSavepoint(to);
    while (size > to) {
      int at = size - RECORD;
      if (isPlacement(at)) {
        undo(at, demands);
      } else {
        inverse(at).run();
      }
      pop();
    }
  }

  /** Undoes a placement or its end. */
  private void undo(int at, IntFunction<Demand> demands) {
    int entry = entry(at);
    int node = node(at);
    int sign = node >= 0 ? -1 : 1;
    int index = demands == null ? Demand.OF_NO_BATCH : index(at);
    Demand demand = index < 0 ? ledger.charges.demand(entry, sign) : demands.apply(index);
    ledger.charges.charge(sign < 0 ? node : ~node, demand, sign, true);
    if (node >= 0) {
      ledger.placements.unlink(entry);
      ledger.lastPlaced(position(at));
    } else {
      ledger.placements.relink(entry, ~node, previous(at));
    }
  }

  /** Forgets the last record. */
  private void pop() {
    size -= RECORD;
    if (!isPlacement(size)) {
      inverses.remove(inverses.size() - 1);
    }
  }

  /** Forgets all records. */
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
   * Makes room for placing {@code workloads} workloads. A log of at most twice as many records is
   * not squashed.
   */
  public void expect(int workloads) {
    limit = Math.max(limit, 2 * RECORD * workloads);
    reserve(workloads + SPARE);
  }

  /** Whether the placements since the newest savepoint should become one inverse. */
  boolean isLong() {
    return size - savepoint > limit;
  }

  /** Squashes the placements since the newest savepoint, if that makes the log shorter. */
  void squash() {
    Moves moves = Moves.since(savepoint, ledger);
    int records = (size - savepoint) / RECORD;
    if (moves != null) {
      inverses.ensureCapacity(inverses.size() + 1); // No record is lost where memory ends here.
      while (size > savepoint) {
        pop();
      }
      append(moves);
      records = moves.size();
    }
    limit = Math.max(limit, 2 * RECORD * records);
  }

  /**
   * The entries placed since a savepoint and still placed, in the order of their last placement.
   */
  int[] placedSince(int savepoint) {
    Set<Integer> placed = new LinkedHashSet<>();
    for (int at = size - RECORD; at >= savepoint; at -= RECORD) {
      if (isPlacement(at)) {
        if (ledger.placements.nodeOf(entry(at)) >= 0) {
          placed.add(entry(at));
        }
      } else if (inverse(at) instanceof Moves moves) {
        int[] moved = moves.placed();
        for (int i = moved.length - 1; i >= 0; i--) {
          placed.add(moved[i]);
        }
      }
    }
    List<Integer> inOrder = new ArrayList<>(placed);
    Collections.reverse(inOrder);
    return inOrder.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Makes room for some records. */
  void reserve(int records) {
    if (size + RECORD * records > log.length) {
      log = Arrays.copyOf(log, Math.max(size + RECORD * records, 2 * log.length));
    }
  }
}
