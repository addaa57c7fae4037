package io.lighthouse.scheduler.choice;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.SchedulingNode;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.ResourceVectors;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * The nodes that are open for new work, and which of them suits a request best. Its answers are
 * those of the scores of {@link SchedulingNode}, only faster.
 *
 * <p>Entries of a queue share few distinct requests, and an acceptance changes one node. So the
 * scores of all nodes are computed once for each distinct request and kept in an array. When the
 * request comes again, they are corrected at the nodes that have changed since. An entry costs a
 * scan of that array. What is free on a node only shrinks during a pass, so a request for which no
 * node could be reserved is not looked at again.
 *
 * <p>If a quantity is too large for the rows of the {@link Grid}, the nodes compute the scores.
 */
public final class FitIndex {
  /** The score of a node that a request does not fit. */
  private static final int NONE = Integer.MAX_VALUE;

  private final List<SchedulingNode> nodes;
  private final List<Resources> types;
  private final List<Resources> requests;

  /** Null before the first question, as are the rows: a strategy that places all asks none. */
  private Grid grid;

  private TypeCounter counter;

  /** Whether a node may still take new work; [node]. */
  private final boolean[] open;

  /** Whether a node offers anything; [node]. */
  private boolean[] lends;

  /** What is left of the offered resources; [node * columns + column]. */
  private long[] remaining;

  /** What is free of the watermark; [node * columns + column]. */
  private long[] headroom;

  /** What work of {@link #availablePriority} could have; [node * columns + column]. */
  private long[] available;

  private int availablePriority;

  /** The node of each change, in their order; as many as {@link #version} says. */
  private int[] changes = new int[64];

  /** The number of changes. */
  private int version;

  /** By request. */
  private final Map<Resources, Shape> shapes = new HashMap<>();

  /** What is known of all entries with one request. */
  private static final class Shape {
    final Resources need;

    /** The request by column, 0 where it names none; null where the grid is not exact. */
    final long[] row;

    /** The columns that it names. */
    final int[] named;

    /**
     * By node; {@link #NONE} where it does not fit or the node is closed. Null until asked for, and
     * true after {@link #scoredVersion} changes.
     */
    int[] scores;

    int scoredVersion;

    /** Whether it could be reserved for on no node, and will not in this pass. */
    boolean unreservable;

    /** What {@link FitIndex#shortOn} answered when {@link #version} was this; null before. */
    Map<String, Integer> shortOn;

    int shortVersion;

    Shape(Resources need, Grid grid) {
      this.need = need;
      if (!grid.isExact()) {
        row = null;
        named = null;
        return;
      }
      row = grid.request(need, 0);
      int[] columns = new int[row.length];
      int count = 0;
      for (int column = 0; column < row.length; column++) {
        if (need.has(grid.name(column))) {
          columns[count++] = column;
        }
      }
      named = Arrays.copyOf(columns, count);
    }
  }

  /**
   * An index.
   *
   * @param nodes the nodes, in the order in which ties are decided
   * @param types what each job type usually needs
   * @param requests all requests that will come
   */
  public FitIndex(List<SchedulingNode> nodes, List<Resources> types, List<Resources> requests) {
    this.nodes = nodes;
    this.types = types;
    this.requests = requests;
    open = new boolean[nodes.size()];
    Arrays.fill(open, true);
  }

  private void readAll() {
    grid = new Grid(Stream.concat(types.stream(), requests.stream()).toList());
    lends = new boolean[open.length];
    for (int i = 0; i < lends.length; i++) {
      lends[i] = nodes.get(i).lends();
    }
    if (!grid.isExact()) {
      return;
    }
    int columns = grid.columns();
    remaining = new long[nodes.size() * columns];
    headroom = new long[remaining.length];
    long[][] rows = new long[types.size()][];
    for (int type = 0; type < rows.length; type++) {
      rows[type] = grid.request(types.get(type), Long.MIN_VALUE);
    }
    counter = new TypeCounter(rows, columns);
    for (int i = 0; i < nodes.size(); i++) {
      read(i);
    }
  }

  int size() {
    return nodes.size();
  }

  /**
   * A node.
   *
   * @param index its index
   * @return the node
   */
  public SchedulingNode node(int index) {
    return nodes.get(index);
  }

  /**
   * The open node that suits a request best, the first of equal ones.
   *
   * @param request the request
   * @param allowed which nodes are allowed; null for all
   * @return its index; -1 if the request fits no allowed node
   */
  public int best(Resources request, IntPredicate allowed) {
    Shape shape = shape(request);
    keepUp(shape);
    int best = -1;
    int lowest = NONE;
    for (int i = 0; i < nodes.size(); i++) {
      if (shape.scores[i] < lowest && (allowed == null || allowed.test(i))) {
        lowest = shape.scores[i];
        best = i;
      }
    }
    return best;
  }

  /**
   * The open node best to be kept free for an execution, the first of equal ones.
   *
   * @param execution the execution
   * @param allowed which nodes are allowed; null for all
   * @return its index; -1 if there is none
   */
  public int bestToReserve(PendingExecution execution, IntPredicate allowed) {
    Shape shape = shape(execution.request());
    // Entries come by importance: what was left for a more important one is no less.
    if (shape.unreservable) {
      return -1;
    }
    if (grid.isExact()) {
      makeAvailable(execution.priority());
    }
    int best = -1;
    int lowest = NONE;
    for (int i = 0; i < nodes.size() && lowest > 0; i++) {
      if (open[i]) {
        int score = reservationScore(i, shape, execution);
        if (score < lowest && (allowed == null || allowed.test(i))) {
          lowest = score;
          best = i;
        }
      }
    }
    shape.unreservable = best < 0 && allowed == null;
    return best;
  }

  /**
   * Notes that a node has accepted something.
   *
   * @param index its index
   */
  public void changed(int index) {
    if (grid != null && grid.isExact()) {
      read(index);
      if (available != null) {
        grid.write(
            nodes.get(index).availableFor(availablePriority), available, index * grid.columns());
      }
    }
    note(index);
  }

  /**
   * Takes a node out: it takes no more new work in this pass.
   *
   * @param index its index
   */
  public void close(int index) {
    open[index] = false;
    note(index);
  }

  private void note(int index) {
    if (version == changes.length) {
      changes = Arrays.copyOf(changes, 2 * version);
    }
    changes[version++] = index;
  }

  /**
   * By resource, on how many open nodes there is too little left for a request.
   *
   * @param request the request
   * @return a view, in the order of names
   */
  public Map<String, Integer> shortOn(Resources request) {
    Shape shape = shape(request);
    if (shape.shortOn == null || shape.shortVersion != version) {
      shape.shortOn = Collections.unmodifiableMap(countShort(shape));
      shape.shortVersion = version;
    }
    return shape.shortOn;
  }

  private Map<String, Integer> countShort(Shape shape) {
    Map<String, Integer> counts = new TreeMap<>(Names.order());
    if (!grid.isExact()) {
      for (int i = 0; i < nodes.size(); i++) {
        if (open[i]) {
          for (String name : ResourceVectors.shortOf(nodes.get(i).remaining(), shape.need)) {
            counts.merge(name, 1, Integer::sum);
          }
        }
      }
      return counts;
    }
    int columns = grid.columns();
    for (int column : shape.named) {
      int count = 0;
      for (int i = 0; i < open.length; i++) {
        if (open[i] && remaining[i * columns + column] < shape.row[column]) {
          count++;
        }
      }
      if (count > 0) {
        counts.put(grid.name(column), count);
      }
    }
    return counts;
  }

  private Shape shape(Resources request) {
    if (grid == null) {
      readAll();
    }
    return shapes.computeIfAbsent(request, need -> new Shape(need, grid));
  }

  /** Computes the scores of a request, or corrects them where nodes have changed since. */
  private void keepUp(Shape shape) {
    if (shape.scores == null) {
      shape.scores = new int[nodes.size()];
      for (int i = 0; i < shape.scores.length; i++) {
        shape.scores[i] = score(i, shape);
      }
    } else {
      for (int change = shape.scoredVersion; change < version; change++) {
        shape.scores[changes[change]] = score(changes[change], shape);
      }
    }
    shape.scoredVersion = version;
  }

  private int score(int i, Shape shape) {
    if (!open[i]) {
      return NONE;
    }
    if (!grid.isExact()) {
      return nodes.get(i).scoreForScheduling(shape.need, types).orElse(NONE);
    }
    int at = i * grid.columns();
    return lends[i] && covers(remaining, at, shape) ? counter.count(headroom, at, shape.row) : NONE;
  }

  private int reservationScore(int i, Shape shape, PendingExecution execution) {
    if (!grid.isExact()) {
      return nodes.get(i).scoreJobExeForReservation(execution, types).orElse(NONE);
    }
    int at = i * grid.columns();
    return covers(available, at, shape) ? counter.count(available, at, shape.row) : NONE;
  }

  private static boolean covers(long[] rows, int at, Shape shape) {
    for (int column : shape.named) {
      if (rows[at + column] < shape.row[column]) {
        return false;
      }
    }
    return true;
  }

  private void makeAvailable(int priority) {
    if (available != null && availablePriority == priority) {
      return;
    }
    available = new long[remaining.length];
    availablePriority = priority;
    for (int i = 0; i < nodes.size(); i++) {
      if (open[i]) {
        grid.write(nodes.get(i).availableFor(priority), available, i * grid.columns());
      }
    }
  }

  private void read(int i) {
    int at = i * grid.columns();
    grid.write(nodes.get(i).remaining(), remaining, at);
    grid.write(nodes.get(i).headroom(), headroom, at);
  }
}
