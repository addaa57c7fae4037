package io.lighthouse.strategies.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * A one-pass rule for workloads of few kinds. It fills node after node, and the next one is always
 * one whose best filling ({@link FillingSearch}) is worth the most for its price. Nodes with the
 * same room and price share their best filling. It remains the best as long as enough workloads of
 * its kinds are left, because what is left only becomes less.
 *
 * <p>A workload is worth its size, and a large one a little more. So a large workload goes before
 * small ones that would fill the same room: they also fit where it does not.
 */
final class BestFilling {
  /** The most kinds of workloads. */
  static final int MOST_KINDS = 512;

  /** The fewest and the most kinds that the search for one filling may examine. */
  private static final long FEWEST_EXAMINED = 500;

  private static final long MOST_EXAMINED = 40_000;

  /** One search for each node that is needed may take this part of the steps. */
  private static final int PART_OF_STEPS = 8;

  /** A node that has refused this many workloads of a kind is offered no more of it. */
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

  private final FillingSearch search;

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
      long high = Math.multiplyHigh(worth, other.price);
      long otherHigh = Math.multiplyHigh(other.worth, price);
      return high != otherHigh
          ? Long.compare(high, otherHigh)
          : Long.compareUnsigned(worth * other.price, other.worth * price);
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
    long share = board.steps / PART_OF_STEPS / fewestNodes() * FillingSearch.KINDS_PER_STEP;
    search =
        new FillingSearch(
            board,
            Arrays.stream(members).mapToInt(kind -> kind[0]).toArray(),
            Arrays.stream(members).mapToLong(kind -> worthOf(kind[0])).toArray(),
            Math.max(FEWEST_EXAMINED, Math.min(MOST_EXAMINED, share)));
  }

  private long worthOf(int load) {
    long size = board.size[load];
    return size * (WORTH_OF_SIZE + Long.SIZE - Long.numberOfLeadingZeros(size));
  }

  /** How many nodes of mean capacity hold the workloads, at least; 1 or more. */
  private long fewestNodes() {
    long most = 1;
    for (int d = 0; d < board.dims; d++) {
      long sum = 0;
      for (int[] kind : members) {
        sum += (long) kind.length * board.parts[kind[0] * board.dims + d];
      }
      most = Math.max(most, sum / Units.ONE);
    }
    return most;
  }

  /**
   * The rule for a board.
   *
   * @param prices the price of using each node, 0 or more
   * @return null if the unplaced workloads are of too many kinds, or if a workload gives a resource
   *     or is immune to one
   */
  static BestFilling of(Board board, long[] prices) {
    Map<List<Long>, List<Integer>> kinds = new LinkedHashMap<>();
    for (int load = 0; load < board.loads; load++) {
      if (!isPlain(board, load)) {
        return null;
      }
      if (board.home[load] == Board.NOWHERE) {
        List<Long> need = row(board.need, load, board.dims);
        kinds.computeIfAbsent(need, any -> new ArrayList<>()).add(load);
        if (kinds.size() > MOST_KINDS) {
          return null;
        }
      }
    }
    return new BestFilling(board, prices, kinds.values());
  }

  /** Whether a workload gives no resource and is immune to none. */
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
    long end = board.steps / 2;
    PriorityQueue<Shape> shapes =
        new PriorityQueue<>(
            Comparator.comparing((Shape shape) -> shape, Shape::compareRatio)
                .reversed()
                .thenComparingInt(shape -> shape.index));
    for (Shape shape : shapes()) {
      if (board.steps > end) {
        addAgain(shape, shapes);
      }
    }
    while (!shapes.isEmpty() && board.steps > end) {
      Shape shape = shapes.poll();
      if (!isWanted(shape.filling)) {
        addAgain(shape, shapes);
      } else {
        fill(shape.nodes[shape.next++], shape.filling);
        if (shape.next < shape.nodes.length) {
          shapes.add(shape);
        }
      }
    }
    return board.steps > end;
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
  private void addAgain(Shape shape, PriorityQueue<Shape> shapes) {
    shape.worth = search.search(shape.nodes[shape.next], wanted);
    shape.filling = search.best().clone();
    if (shape.worth > 0) {
      shapes.add(shape);
    }
  }

  private boolean isWanted(int[] filling) {
    return IntStream.range(0, filling.length).allMatch(kind -> filling[kind] <= wanted[kind]);
  }

  /** Fills a node. Where it refuses workloads of some kinds, those of others take their room. */
  private void fill(int node, int[] filling) {
    Arrays.fill(refused, false);
    if (place(node, filling)) {
      return;
    }
    for (int kind = 0; kind < refused.length; kind++) {
      refused[kind] |= wanted[kind] > 0 && !board.allows(members[kind][first[kind]], node);
    }
    boolean takesMore = true;
    while (takesMore && search.search(node, offered()) > 0) {
      int held = board.held[node];
      takesMore = !place(node, search.best()) && board.held[node] > held;
    }
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

  /** Places workloads of a kind on a node until it has taken some. Returns how many it takes. */
  private int place(int node, int kind, int most) {
    int[] loads = members[kind];
    int placed = 0;
    int failures = 0;
    for (int at = first[kind];
        at < loads.length && placed < most && failures < MOST_REFUSED;
        at++) {
      if (board.home[loads[at]] == Board.NOWHERE) {
        board.steps--;
        if (board.fitsFriendly(loads[at], node)) {
          board.place(loads[at], node);
          placed++;
        } else {
          failures++;
        }
      }
    }
    wanted[kind] -= placed;
    while (first[kind] < loads.length && board.home[loads[first[kind]]] != Board.NOWHERE) {
      first[kind]++;
    }
    return placed;
  }
}
