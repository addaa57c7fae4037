package io.lighthouse.strategies.packing;

import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Amounts;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A mirror of the session in flat arrays: what is left on each node, and where each workload is. It
 * detects quickly that a workload does not fit. Whether one fits is decided by the session. Unless
 * the mirror is {@linkplain #goAhead ahead}, every change is made in the session first. Every
 * change can be taken back.
 *
 * <p>Sums over several resources (sizes, alignments) use shares of the mean capacity of a node in
 * whole parts, so every machine computes the same. The amounts of each resource are converted to a
 * unit that depends only on the quantities. The fleet's own scales would depend on its history.
 */
final class Board {
  /** The node of a workload that is not placed. */
  static final int NOWHERE = -1;

  private static final int MOST_DIMENSIONS = 16;

  /** For how many workloads {@link #on} has places at first. */
  private static final int FEWEST_PLACES = 4;

  /** Stands for the savepoint of a mark that was made while the mirror was ahead of the session. */
  private static final int NO_SAVEPOINT = -1;

  final Session session;
  final int nodes;
  final int loads;

  /** The number of resources that are mirrored. */
  final int dims;

  /** What is left, in the resource's unit; [node * dims + dim]. */
  final long[] left;

  /** What a node has when empty, 0 where that is infinite or below 0; as {@link #left}. */
  final long[] capacity;

  /** What a workload takes, in the resource's unit; [load * dims + dim]. */
  final long[] need;

  /** What must be left for it; {@code Long.MIN_VALUE} if it is immune to the resource. */
  final long[] ask;

  /** What a workload takes, in parts of the mean capacity. */
  final int[] parts;

  /** The mean capacity of a node by resource, in the resource's unit. */
  final long[] mean;

  /**
   * The scarcity of each resource: demand divided by capacity, as parts of 2^10 of the scarcest.
   */
  final int[] scarcity;

  /** The size of each workload: its parts weighted by scarcity, at least 1. */
  final long[] size;

  /** The size of each node's capacity. */
  private final long[] sizes;

  /** The node of each workload, or {@link #NOWHERE}. */
  final int[] home;

  /** Whether each workload may be moved; one with negative requirements may not. */
  final boolean[] movable;

  /** The aversion groups of each workload, as numbers. */
  final int[][] groups;

  /** The workloads of the batch on each node; the first {@link #held} entries count. */
  final int[][] on;

  final int[] held;

  /** Whether each node holds workloads that are not of the batch. */
  final boolean[] inhabited;

  /** Whether each node is closed: the search places no workloads on it. */
  private final boolean[] closed;

  /** The nodes that are not closed, ascending; the first {@link #openCount} entries count. */
  final int[] open;

  int openCount;

  /** Whether all nodes have the same capacity. */
  boolean uniform;

  /** How many nodes and workloads may still be examined. */
  long steps;

  private Fits fits;
  private Lanes rough;

  /** Whether every resource that a workload requires is mirrored. */
  private final boolean whole;

  /** Whether each node was refused by the session although the mirror had found room. */
  private final boolean[] refusing;

  /** Whether changes are made only in the mirror until {@link #carryOut}. */
  private boolean ahead;

  /** Whether the session has refused what was found in the mirror. */
  private boolean refused;

  /** The index of each workload in {@link #on} of its node. */
  private final int[] place;

  /** The changes: a workload, then its new node or the complement of the node that it left. */
  private int[] journal = new int[256];

  private int journalSize;

  /** The session's savepoints of the marks, ascending; two may be equal. */
  private int[] savepoints = new int[8];

  private int markCount;

  private Board(Session session, int nodes, int loads, int dims, boolean whole) {
    this.session = session;
    this.nodes = nodes;
    this.loads = loads;
    this.dims = dims;
    this.whole = whole;
    left = new long[nodes * dims];
    capacity = new long[nodes * dims];
    need = new long[loads * dims];
    ask = new long[loads * dims];
    parts = new int[loads * dims];
    mean = new long[dims];
    scarcity = new int[dims];
    size = new long[loads];
    sizes = new long[nodes];
    home = new int[loads];
    movable = new boolean[loads];
    place = new int[loads];
    groups = new int[loads][];
    on = new int[nodes][];
    held = new int[nodes];
    inhabited = new boolean[nodes];
    closed = new boolean[nodes];
    open = new int[nodes];
    refusing = new boolean[nodes];
    Arrays.fill(home, NOWHERE);
    close(node -> false);
  }

  /** A mirror of a session. */
  static Board of(Fleet fleet, Session session, long steps) {
    Amounts amounts = fleet.amounts();
    int[] all = Units.required(session, amounts);
    int[] ids = Arrays.copyOf(all, Math.min(all.length, MOST_DIMENSIONS));
    int dims = ids.length;
    Board board = new Board(session, fleet.size(), session.size(), dims, dims == all.length);
    board.steps = steps;
    board.readNodes(fleet, amounts, ids);
    board.readLoads(amounts, ids);
    for (int d = 0; d < dims; d++) {
      Units.rescale(d, dims, List.of(board.left, board.capacity, board.need), board.ask);
    }
    board.measure();
    board.uniform = board.isUniform();
    board.fits = new Fits(board, fleet);
    board.rough = new Lanes(board);
    return board;
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
    Board part = new Board(session, some.length, ids.length, dims, whole);
    part.ahead = true;
    part.uniform = uniform;
    System.arraycopy(mean, 0, part.mean, 0, dims);
    System.arraycopy(scarcity, 0, part.scarcity, 0, dims);
    for (int load = 0; load < ids.length; load++) {
      int id = ids[load];
      copyRow(need, id, part.need, load);
      copyRow(ask, id, part.ask, load);
      copyRow(parts, id, part.parts, load);
      part.size[load] = size[id];
      part.movable[load] = movable[id];
      part.groups[load] = groups[id];
    }
    for (int node = 0, load = 0; node < some.length; node++) {
      int id = some[node];
      copyRow(left, id, part.left, node);
      copyRow(capacity, id, part.capacity, node);
      part.sizes[node] = sizes[id];
      part.inhabited[node] = inhabited[id];
      part.refusing[node] = refusing[id];
      part.on[node] = new int[Math.max(FEWEST_PLACES, held[id])];
      for (int i = 0; i < held[id]; i++, load++) {
        part.home[load] = node;
        part.place[load] = i;
        part.on[node][part.held[node]++] = load;
      }
    }
    part.fits = new Fits(fits, ids, some);
    part.rough = new Lanes(part);
    return part;
  }

  private void copyRow(long[] from, int row, long[] to, int rowThere) {
    System.arraycopy(from, row * dims, to, rowThere * dims, dims);
  }

  private void copyRow(int[] from, int row, int[] to, int rowThere) {
    System.arraycopy(from, row * dims, to, rowThere * dims, dims);
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

  private void readNodes(Fleet fleet, Amounts amounts, int[] ids) {
    long[] amount = new long[amounts.ids()];
    for (int node = 0; node < nodes; node++) {
      inhabited[node] = fleet.node(node).placedCount() > 0;
      on[node] = new int[FEWEST_PLACES];
      amounts.left(node, amount);
      for (int d = 0; d < dims; d++) {
        left[node * dims + d] = amount[ids[d]] == Amounts.ABSENT ? 0 : amount[ids[d]];
      }
      amounts.capacity(node, amount);
      for (int d = 0; d < dims; d++) {
        long has = amount[ids[d]];
        capacity[node * dims + d] = has > 0 && has != Amounts.INFINITY ? has : 0;
      }
    }
  }

  private void readLoads(Amounts amounts, int[] ids) {
    long[] required = new long[amounts.ids()];
    Map<String, Integer> groupIds = new HashMap<>();
    for (int load = 0; load < loads; load++) {
      Workload workload = session.workload(load);
      session.required(load, required);
      movable[load] = true;
      for (long amount : required) {
        movable[load] &= amount >= 0 || amount == Amounts.ABSENT;
      }
      for (int d = 0; d < dims; d++) {
        boolean asked = required[ids[d]] != Amounts.ABSENT;
        boolean immune = workload.immunities().contains(amounts.resource(ids[d]));
        long amount = asked ? required[ids[d]] : 0;
        need[load * dims + d] = amount;
        ask[load * dims + d] = immune ? Long.MIN_VALUE : asked ? amount : 0;
      }
      groups[load] =
          workload.aversionGroups().stream()
              .mapToInt(group -> groupIds.computeIfAbsent(group, any -> groupIds.size()))
              .toArray();
    }
  }

  /** Computes means, parts, scarcities and sizes. */
  private void measure() {
    long[] totals = new long[dims];
    for (int at = 0; at < capacity.length; at++) {
      totals[at % dims] = Units.plus(totals[at % dims], capacity[at]);
    }
    Arrays.setAll(mean, d -> Math.max(1, totals[d] / Math.max(1, nodes)));
    for (int at = 0; at < need.length; at++) {
      // What no node has a finite amount of does not run short.
      parts[at] = totals[at % dims] == 0 ? 0 : (int) Units.parts(need[at], mean[at % dims]);
    }
    long[] demand = IntStream.range(0, dims).mapToLong(this::demand).toArray();
    long scarcest = Math.max(1, Arrays.stream(demand).max().orElse(1));
    for (int d = 0; d < dims; d++) {
      scarcity[d] = (int) (Math.max(0, demand[d]) * 1024 / scarcest);
    }
    for (int load = 0; load < loads; load++) {
      for (int d = 0; d < dims; d++) {
        size[load] += (long) scarcity[d] * parts[load * dims + d] >> 10;
      }
      size[load] = Math.max(1, size[load]);
    }
    for (int node = 0; node < nodes; node++) {
      for (int d = 0; d < dims; d++) {
        sizes[node] += scarcity[d] * Units.parts(capacity[node * dims + d], mean[d]) >> 10;
      }
      sizes[node] = Math.max(1, sizes[node]);
    }
  }

  private boolean isUniform() {
    for (int at = dims; at < capacity.length; at++) {
      if (capacity[at] != capacity[at - dims]) {
        return false;
      }
    }
    return true;
  }

  // ---- questions ----

  /** What all workloads take of a resource, placed or not, in parts of the mean capacity. */
  long demand(int d) {
    long sum = 0;
    for (int at = d; at < parts.length; at += dims) {
      sum += parts[at];
    }
    return sum;
  }

  /** Whether a node has room for a workload by the mirrored resources; false is certain. */
  boolean hasRoom(int load, int node) {
    if (!rough.mayHold(node, load)) {
      return false;
    }
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

  /** Whether two workloads share an aversion group. */
  boolean rivals(int one, int other) {
    for (int a : groups[one]) {
      for (int b : groups[other]) {
        if (a == b) {
          return true;
        }
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
    rough.read(node);
  }

  /** The total size of the batch's workloads on a node. */
  long loadOf(int node) {
    long sum = 0;
    for (int i = 0; i < held[node]; i++) {
      sum += size[on[node][i]];
    }
    return sum;
  }

  /** The size of a node's capacity, in the same measure as the sizes of workloads. */
  long sizeOf(int node) {
    return sizes[node];
  }
}
