package io.lighthouse.strategies.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * A one-pass rule for workloads of few kinds. It fills node after node, and the next one is always
 * one whose best filling ({@link FillingSearch}) is worth the most for its price. Nodes with the
 * same room and price share the best filling that was found. It is kept as long as enough workloads
 * of its kinds are left: what is left only becomes less.
 *
 * <p>A workload is worth its size, and a large one a little more. So a large workload goes before
 * small ones that would fill the same room: they also fit where it does not.
 */
final class BestFilling {
  /** The most kinds of workloads. */
  private static final int MOST_KINDS = 512;

  /** The fewest and the most kinds that the search for one filling may examine. */
  private static final long FEWEST_EXAMINED = 500;

  private static final long MOST_EXAMINED = 40_000;

  /** The steps divided by this pay for one search for each shape, or for each node needed. */
  private static final int PART_OF_STEPS = 8;

  /** A node that has refused this many workloads of a kind in turn is offered no more of it. */
  private static final int MOST_REFUSED = 16;

  /** A part of a workload's size is worth this, and 1 more for each bit of the whole size. */
  private static final int WORTH_OF_SIZE = 128;

  private final Board board;
  private final long[] prices;

  /** The workloads of each kind. The kind of which one is worth the most comes first. */
  private final int[][] members;

  /** The index of the first unplaced workload of each kind. */
  private final int[] first;

  /** How many workloads of each kind are unplaced. */
  private final int[] wanted;

  /** Whether the node that is being filled has refused a workload of each kind. */
  private final boolean[] refused;

  private final List<Shape> shapes;

  private final FillingSearch search;

  /** The rule stops when no more steps than these are left. */
  private final long end;

  /** Nodes with the same room and price, of which the first ones are filled. */
  private static final class Shape {
    final int index;
    final int[] nodes;
    final long price;
    int next;
    int[] filling;
    long worth;

    Shape(int index, List<Integer> nodes, long price) {
      this.index = index;
      this.nodes = nodes.stream().mapToInt(Integer::intValue).toArray();
      this.price = price;
    }

    /** Compares what the fillings are worth for their prices, exactly. */
    int compareRatio(Shape other) {
      return Units.compare(worth, price, other.worth, other.price);
    }
  }

  private BestFilling(Board board, long[] prices, Collection<List<Integer>> kinds) {
    this.board = board;
    this.prices = prices;
    members =
        kinds.stream()
            .map(kind -> kind.stream().mapToInt(Integer::intValue).toArray())
            .sorted(Comparator.comparingLong((int[] kind) -> -worthOf(kind[0])))
            .toArray(int[][]::new);
    first = new int[members.length];
    wanted = Arrays.stream(members).mapToInt(kind -> kind.length).toArray();
    refused = new boolean[members.length];
    shapes = shapes();
    long searches = Math.max(Math.min(fewestNodes(), board.nodes), Math.max(1, shapes.size()));
    long share = board.steps / PART_OF_STEPS / searches * FillingSearch.KINDS_PER_STEP;
    search =
        new FillingSearch(
            board,
            Arrays.stream(members).mapToInt(kind -> kind[0]).toArray(),
            Arrays.stream(members).mapToLong(kind -> worthOf(kind[0])).toArray(),
            Math.max(FEWEST_EXAMINED, Math.min(MOST_EXAMINED, share)));
    end = board.steps / 2;
  }

  private long worthOf(int load) {
    long size = board.size[load];
    return size * (WORTH_OF_SIZE + Long.SIZE - Long.numberOfLeadingZeros(size));
  }

  /** How many nodes of mean capacity the workloads fill. */
  private long fewestNodes() {
    long most = 0;
    for (int d = 0; d < board.dims; d++) {
      most = Math.max(most, board.demand(d) / Units.ONE);
    }
    return most;
  }

  /**
   * The rule for a board without placed workloads.
   *
   * @param prices the price of using each node, 0 or more
   * @return empty if the workloads are of too many kinds, or if one gives a resource or is immune
   *     to one that is mirrored
   */
  static Optional<BestFilling> of(Board board, long[] prices) {
    Map<List<Long>, List<Integer>> kinds = new LinkedHashMap<>();
    for (int load = 0; load < board.loads; load++) {
      if (!isPlain(board, load)) {
        return Optional.empty();
      }
      List<Long> need = row(board.need, load, board.dims);
      kinds.computeIfAbsent(need, any -> new ArrayList<>()).add(load);
      if (kinds.size() > MOST_KINDS) {
        return Optional.empty();
      }
    }
    return Optional.of(new BestFilling(board, prices, kinds.values()));
  }

  /** Whether a workload gives no resource, and is immune to none that is mirrored. */
  private static boolean isPlain(Board board, int load) {
    return board.movable[load]
        && IntStream.range(load * board.dims, (load + 1) * board.dims)
            .noneMatch(at -> board.ask[at] == Long.MIN_VALUE);
  }

  private static List<Long> row(long[] amounts, int index, int dims) {
    return Arrays.stream(amounts, index * dims, (index + 1) * dims).boxed().toList();
  }

  /** Places the workloads. Stops and returns false once half of the steps are spent. */
  boolean fill() {
    PriorityQueue<Shape> best =
        new PriorityQueue<>(
            Comparator.comparing((Shape shape) -> shape, Shape::compareRatio)
                .thenComparingLong(shape -> shape.worth)
                .reversed()
                .thenComparingInt(shape -> shape.index));
    for (Shape shape : shapes) {
      if (board.steps <= end) {
        return false;
      }
      addAgain(shape, best);
    }
    while (!best.isEmpty() && board.steps > end) {
      Shape shape = best.poll();
      if (!isWanted(shape.filling)) {
        addAgain(shape, best);
      } else {
        fill(shape.nodes[shape.next++], shape.filling);
        if (shape.next < shape.nodes.length) {
          best.add(shape);
        }
      }
    }
    return best.isEmpty();
  }

  /** All nodes, by room and price. Those in use cost nothing. */
  private List<Shape> shapes() {
    Map<List<Long>, List<Integer>> nodes = new LinkedHashMap<>();
    for (int node = 0; node < board.nodes; node++) {
      List<Long> key = new ArrayList<>(row(board.left, node, board.dims));
      key.add(board.inUse(node) ? 0 : prices[node]);
      nodes.computeIfAbsent(key, any -> new ArrayList<>()).add(node);
    }
    List<Shape> shapes = new ArrayList<>();
    nodes.forEach((key, of) -> shapes.add(new Shape(shapes.size(), of, key.get(board.dims))));
    return shapes;
  }

  /** Adds a shape with its best filling of the workloads that are left, unless none fits. */
  private void addAgain(Shape shape, PriorityQueue<Shape> best) {
    shape.worth = search.search(shape.nodes[shape.next], wanted);
    shape.filling = search.best().clone();
    if (shape.worth > 0) {
      best.add(shape);
    }
  }

  private boolean isWanted(int[] filling) {
    return IntStream.range(0, filling.length).allMatch(kind -> filling[kind] <= wanted[kind]);
  }

  /** Fills a node. Where it refuses workloads of some kinds, those of others take their room. */
  private void fill(int node, int[] filling) {
    Arrays.fill(refused, false);
    int held = board.held[node];
    boolean takesMore = !place(node, filling) && (board.held[node] > held || refuseMore(node));
    while (takesMore && board.steps > end && search.search(node, offered()) > 0) {
      held = board.held[node];
      takesMore = !place(node, search.best()) && board.held[node] > held;
    }
  }

  /** Notes kinds whose first workload a node would not take if empty. Returns if there are any. */
  private boolean refuseMore(int node) {
    boolean any = false;
    for (int kind = 0; kind < refused.length; kind++) {
      if (!refused[kind] && wanted[kind] > 0 && !board.allows(members[kind][first[kind]], node)) {
        refused[kind] = true;
        any = true;
      }
    }
    return any;
  }

  /** How many workloads of each kind are unplaced and not refused by the present node. */
  private int[] offered() {
    return IntStream.range(0, wanted.length)
        .map(kind -> refused[kind] ? 0 : wanted[kind])
        .toArray();
  }

  /** Places workloads of each kind on a node. Returns whether it takes all of them. */
  private boolean place(int node, int[] filling) {
    boolean isWhole = true;
    for (int kind = 0; kind < filling.length; kind++) {
      if (filling[kind] > 0) {
        int left = filling[kind] - place(node, kind, filling[kind]);
        refused[kind] |= left > 0;
        isWhole &= left == 0;
      }
    }
    return isWhole;
  }

  /**
   * Places workloads of a kind on a node until it has taken some. One with the same aversion groups
   * as the last one refused is left out. Returns how many it takes.
   */
  private int place(int node, int kind, int most) {
    int[] loads = members[kind];
    int placed = 0;
    int failures = 0;
    int[] refusedGroups = null;
    for (int at = first[kind];
        at < loads.length && placed < most && failures < MOST_REFUSED;
        at++) {
      int load = loads[at];
      if (board.home[load] != Board.NOWHERE) {
        continue;
      }
      board.steps--;
      if (refusedGroups != null && Arrays.equals(refusedGroups, board.groups[load])) {
        continue;
      }
      if (board.fitsFriendly(load, node)) {
        board.place(load, node);
        placed++;
      } else {
        failures++;
        refusedGroups = board.groups[load].length > 0 ? board.groups[load] : null;
      }
    }
    wanted[kind] -= placed;
    while (first[kind] < loads.length && board.home[loads[first[kind]]] != Board.NOWHERE) {
      first[kind]++;
    }
    return placed;
  }
}
