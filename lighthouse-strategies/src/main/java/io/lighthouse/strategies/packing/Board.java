package io.lighthouse.strategies.packing;

import io.lighthouse.api.Terms;
import io.lighthouse.api.strategy.Amounts;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A mirror of the session in flat arrays: what is left on each node, and where each workload is. It
 * detects quickly that a workload does not fit. Whether one fits is decided by the session. Unless
 * the mirror is {@linkplain #goAhead ahead}, every change is made in the session first. Every
 * change can be taken back.
 */
final class Board extends Measures {
  /** The node of a workload that is not placed. */
  static final int NOWHERE = -1;

  /** For how many workloads {@link #on} has places at first. */
  private static final int FEWEST_PLACES = 4;

  /** Stands for the savepoint of a mark that was made while the mirror was ahead of the session. */
  private static final int NO_SAVEPOINT = -1;

  final Session session;

  /** The node of each workload, or {@link #NOWHERE}. */
  final int[] home = new int[loads];

  /** The workloads of the batch on each node; the first {@link #held} entries count. */
  final int[][] on = new int[nodes][];

  final int[] held = new int[nodes];

  /** Whether each node is closed: the search places no workloads on it. */
  private final boolean[] closed = new boolean[nodes];

  /** The nodes that are not closed, ascending; the first {@link #openCount} entries count. */
  final int[] open = new int[nodes];

  int openCount;

  /** How many nodes and workloads may still be examined. */
  long steps;

  private final Fits fits;

  /** Whether each node was refused by the session although the mirror had found room. */
  private final boolean[] refusing = new boolean[nodes];

  /** Whether changes are made only in the mirror until {@link #carryOut}. */
  private boolean ahead;

  /** Whether the session has refused what was found in the mirror. */
  private boolean refused;

  /** The index of each workload in {@link #on} of its node. */
  private final int[] place = new int[loads];

  /** The changes: a workload, then its new node or the complement of the node that it left. */
  private int[] journal = new int[256];

  private int journalSize;

  /** The session's savepoints of the marks, ascending; two may be equal. */
  private int[] savepoints = new int[8];

  private int markCount;

  /** A mirror of a session that has placed nothing. */
  Board(Fleet fleet, Session session, long steps) {
    super(fleet, session);
    this.session = session;
    this.steps = steps;
    for (int node = 0; node < nodes; node++) {
      on[node] = new int[FEWEST_PLACES];
    }
    Arrays.fill(home, NOWHERE);
    close(node -> false);
    fits = new Fits(session, fleet);
  }

  /** Some nodes of a board with what is on them, and some workloads; the last are on no node. */
  private Board(Board all, int[] some, int[] ids) {
    super(all, some, ids);
    session = all.session;
    ahead = true;
    Arrays.fill(home, NOWHERE);
    for (int node = 0, load = 0; node < nodes; node++) {
      int id = some[node];
      refusing[node] = all.refusing[id];
      on[node] = new int[Math.max(FEWEST_PLACES, all.held[id])];
      for (; held[node] < all.held[id]; load++) {
        home[load] = node;
        place[load] = held[node];
        on[node][held[node]++] = load;
      }
    }
    close(node -> false);
    fits = new Fits(all.fits, ids, some);
  }

  /**
   * A part of a board for a search of its own: some nodes, with the workloads on them, and some
   * unplaced workloads, without steps. The part is ahead of the session and never uses it. So
   * several parts can be made and searched at the same time, as long as this board does not change.
   *
   * @param some the nodes
   * @param unplaced the workloads without a node; they are the last ones of the part
   */
  Board part(int[] some, int[] unplaced) {
    IntStream there = Arrays.stream(some).flatMap(node -> Arrays.stream(on[node], 0, held[node]));
    int[] ids = IntStream.concat(there, Arrays.stream(unplaced)).toArray();
    return new Board(this, some, ids);
  }

  /**
   * Places the workloads that have been placed on a part of this board, also in the session, and
   * counts the steps of the part. Returns false and places none if the board is not ahead, or if
   * the session refuses one; the board is then no longer ahead. On each node they are placed in the
   * order of the part: a workload that is immune to a resource may take what another must find.
   *
   * @param some the nodes of the part
   * @param unplaced the workloads that had no node there
   */
  boolean adopt(Board part, int[] some, int[] unplaced) {
    if (!ahead) {
      return false;
    }
    Mark before = mark();
    int first = part.loads - unplaced.length;
    for (int node = 0; node < some.length; node++) {
      for (int i = 0; i < part.held[node]; i++) {
        int load = part.on[node][i];
        if (load >= first) {
          place(unplaced[load - first], some[node]);
        }
      }
    }
    steps += part.steps;
    if (carryOut(before)) {
      forget(before);
      return true;
    }
    back(before);
    return false;
  }

  // ---- questions ----

  /** Whether a node has room for a workload by the mirrored resources; false is certain. */
  boolean hasRoom(int load, int node) {
    int at = node * dims;
    int asked = load * dims;
    for (int d = 0; d < dims; d++) {
      if (left[at + d] < ask[asked + d]) {
        return false;
      }
    }
    return true;
  }

  /** Whether a node is not closed and could take a workload if empty; false is a guess. */
  boolean allows(int load, int node) {
    return !closed[node] && !(ahead && refusing[node]) && fits.allows(load, node);
  }

  /** Whether an unplaced workload fits a node, and the node is friendly to it. */
  boolean fitsFriendly(int load, int node) {
    if (!hasRoom(load, node) || !allows(load, node)) {
      return false;
    }
    if (ahead) {
      return !holdsRival(load, node);
    }
    boolean fits = session.fits(load, node);
    refusing[node] |= !fits;
    return fits && !(groups[load].length > 0 && session.averse(load, node));
  }

  private boolean holdsRival(int load, int node) {
    for (int i = 0; groups[load].length > 0 && i < held[node]; i++) {
      if (rivals(load, on[node][i])) {
        return true;
      }
    }
    return false;
  }

  /** Whether the search places no workloads on a node. */
  boolean closed(int node) {
    return closed[node];
  }

  /** Whether a node is in use. */
  boolean inUse(int node) {
    return inhabited[node] || held[node] > 0;
  }

  /**
   * Notes which nodes the session refuses to the smallest workload, such as cordoned ones, if the
   * mirror is ahead.
   */
  void noteRefusing() {
    if (!ahead) {
      return;
    }
    int smallest = 0;
    for (int load = 0; load < loads; load++) {
      smallest = size[load] < size[smallest] ? load : smallest;
    }
    for (int node = 0; node < nodes; node++) {
      if (hasRoom(smallest, node) && fits.allows(smallest, node)) {
        refusing[node] = !session.fits(smallest, node);
      }
    }
  }

  // ---- changes ----

  /** Closes these nodes and opens all others. */
  void close(IntPredicate which) {
    openCount = 0;
    for (int node = 0; node < nodes; node++) {
      closed[node] = which.test(node);
      if (!closed[node]) {
        open[openCount++] = node;
      }
    }
  }

  /**
   * Lets changes be made in the mirror alone from now on, if it is complete. It is complete if all
   * resources and all possible aversions are mirrored, no workload has terms, and the session has
   * not refused a node that is in use. Unused nodes that the session has refused, such as cordoned
   * ones, are then never used. Rules of the fleet are not mirrored: they take effect when the
   * session follows ({@link #carryOut}).
   */
  void goAhead() {
    IntStream all = IntStream.range(0, loads);
    boolean plain = all.allMatch(load -> session.workload(load).terms() == Terms.NONE);
    boolean friends = Arrays.stream(groups).allMatch(of -> of.length == 0);
    boolean alone = IntStream.range(0, nodes).noneMatch(node -> inhabited[node]);
    boolean known = IntStream.range(0, nodes).noneMatch(node -> refusing[node] && held[node] > 0);
    ahead = !refused && whole && plain && known && (friends || alone);
  }

  /** Whether the mirror alone decides until {@link #carryOut}. */
  boolean isAhead() {
    return ahead;
  }

  /** Ends the search if the caller's budget is spent, even while only the mirror is used. */
  void checkBudget() {
    if (session.over()) {
      session.fits(0, 0); // This throws.
    }
  }

  /**
   * Repeats in the session what was done in the mirror since a mark. If the session refuses a
   * change, it keeps none of them, and the mirror is no longer ahead. The caller must then take the
   * changes back in the mirror.
   */
  boolean carryOut(Mark since) {
    if (!ahead) {
      return true;
    }
    int before = session.savepoint();
    for (int at = since.journal; at < journalSize; at += 2) {
      int load = journal[at];
      int node = session.nodeOf(load);
      if (node >= 0 && node != home[load]) {
        session.release(load);
      }
    }
    for (int at = since.journal; at < journalSize && ahead; at += 2) {
      int load = journal[at];
      int node = home[load];
      if (node >= 0 && session.nodeOf(load) < 0) {
        ahead =
            session.fits(load, node) && !(groups[load].length > 0 && session.averse(load, node));
        if (ahead) {
          session.assign(load, node);
        }
      }
    }
    if (!ahead) {
      refused = true;
      session.rollBack(before);
    }
    forgetInSession(before);
    return ahead;
  }

  /** From now on every change is also made in the session, until {@link #goAhead}. */
  void followInSession() {
    ahead = false;
  }

  /** Places the whole batch anew, one by one. The mirror is not ahead after that. */
  void placeInTurn(Placer placer) {
    clearSession();
    session.placeInTurn(placer);
    readHomes();
  }

  /**
   * Takes the whole batch off its nodes in the session alone, until {@link #readHomes} or {@link
   * #back}. The mirror is not ahead after that.
   */
  void clearSession() {
    followInSession();
    for (int load = 0; load < loads; load++) {
      if (session.nodeOf(load) >= 0) {
        session.release(load);
      }
    }
  }

  /** Takes the whole batch off its nodes. The mirror is not ahead after that. */
  void clear() {
    clearSession();
    readHomes();
  }

  /** Mirrors the nodes that the session has the workloads on. */
  void readHomes() {
    for (int load = 0; load < loads; load++) {
      int from = home[load];
      if (from != NOWHERE) {
        remove(load);
        log(load, ~from);
      }
      int to = session.nodeOf(load);
      if (to >= 0) {
        put(load, to);
        log(load, to);
      }
    }
  }

  void place(int load, int node) {
    if (!ahead) {
      session.assign(load, node);
    }
    put(load, node);
    log(load, node);
  }

  void take(int load) {
    int node = home[load];
    if (!ahead) {
      session.release(load);
    }
    remove(load);
    log(load, ~node);
  }

  /**
   * Marks the present state, to be restored by {@link #back}. Marks are nested: {@link #back} and
   * {@link #forget} end a mark and all later ones.
   */
  Mark mark() {
    if (markCount == savepoints.length) {
      savepoints = Arrays.copyOf(savepoints, 2 * markCount);
    }
    savepoints[markCount] = ahead ? NO_SAVEPOINT : session.savepoint();
    return new Mark(markCount++, journalSize);
  }

  /** A marked state: its index among the marks, and the length of the journal at that time. */
  record Mark(int at, int journal) {}

  /** Takes back what has been done since a mark. */
  void back(Mark mark) {
    if (savepoints[mark.at] != NO_SAVEPOINT) {
      session.rollBack(savepoints[mark.at]);
    }
    while (journalSize > mark.journal) {
      int node = journal[--journalSize];
      int load = journal[--journalSize];
      if (node >= 0) {
        remove(load);
      } else {
        put(load, ~node);
      }
    }
    forget(mark);
  }

  /** Ends a mark; what has been done since then stays. */
  void forget(Mark mark) {
    markCount = mark.at;
    if (savepoints[markCount] != NO_SAVEPOINT) {
      forgetInSession(savepoints[markCount]);
    }
    if (markCount == 0) {
      journalSize = 0;
    }
  }

  /** Ends a savepoint, unless it is also that of an open mark: nothing has changed since then. */
  private void forgetInSession(int savepoint) {
    if (Arrays.stream(savepoints, 0, markCount).noneMatch(of -> of == savepoint)) {
      session.forget(savepoint);
    }
  }

  private void log(int load, int node) {
    if (markCount == 0) {
      return;
    }
    if (journalSize + 2 > journal.length) {
      journal = Arrays.copyOf(journal, 2 * journal.length);
    }
    journal[journalSize++] = load;
    journal[journalSize++] = node;
  }

  private void put(int load, int node) {
    home[load] = node;
    if (held[node] == on[node].length) {
      on[node] = Arrays.copyOf(on[node], 2 * held[node]);
    }
    place[load] = held[node];
    on[node][held[node]++] = load;
    charge(load, node, 1);
  }

  private void remove(int load) {
    int node = home[load];
    home[load] = NOWHERE;
    int last = on[node][--held[node]];
    on[node][place[load]] = last;
    place[last] = place[load];
    charge(load, node, -1);
  }

  private void charge(int load, int node, int sign) {
    int at = node * dims;
    for (int d = 0; d < dims; d++) {
      long now = left[at + d];
      if (now != Amounts.INFINITY && now != Amounts.NEGATIVE_INFINITY) {
        left[at + d] = now - sign * need[load * dims + d];
      }
    }
  }

  /** The total size of the batch's workloads on a node. */
  long loadOf(int node) {
    long sum = 0;
    for (int i = 0; i < held[node]; i++) {
      sum += size[on[node][i]];
    }
    return sum;
  }
}
