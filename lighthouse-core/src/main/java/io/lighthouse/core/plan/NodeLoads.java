package io.lighthouse.core.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The loads of the nodes in order, and which nodes each move changed. So after a move, the next one
 * is found without a look at all nodes.
 */
final class NodeLoads {
  private final PlanSession session;

  /** By slot; -1 for a dead one. */
  private final long[] loads;

  /** By slot: after how many moves the load last changed. */
  private final int[] changed;

  /** By slot: after how many moves a workload last left the node. */
  private final int[] left;

  /** By move: the nodes that it changed. */
  private final List<int[]> moves = new ArrayList<>();

  /** The slots, by falling load; equal ones in the order of slots. */
  private final NavigableSet<Integer> fullestFirst;

  NodeLoads(PlanSession session) {
    this.session = session;
    loads = new long[session.ledger.nodes().slotCount()];
    changed = new int[loads.length];
    left = new int[loads.length];
    for (int node = 0; node < loads.length; node++) {
      loads[node] = session.ledger.nodes().alive(node) ? session.load(node, null) : -1;
    }
    fullestFirst =
        new TreeSet<>(
            Comparator.<Integer>comparingLong(node -> -loads[node])
                .thenComparing(Comparator.naturalOrder()));
    IntStream.range(0, loads.length).forEach(fullestFirst::add);
  }

  /** The load of a node; -1 for a dead one. */
  long of(int node) {
    return loads[node];
  }

  /** The load of the fullest node; 0 without nodes. */
  long most() {
    return fullestFirst.isEmpty() ? 0 : Math.max(0, loads[fullestFirst.first()]);
  }

  /** The nodes by falling load; valid until the next move. */
  Iterable<Integer> fullestFirst() {
    return fullestFirst;
  }

  /** How many moves were noted. */
  int moves() {
    return moves.size();
  }

  /** Whether a node changed after a number of moves. */
  boolean hasChanged(int node, int since) {
    return changed[node] > since;
  }

  /** Notes steps as one move, and reads the loads of their nodes again. */
  void note(List<PlanSession.Step> steps) {
    int[] nodes =
        steps.stream()
            .flatMapToInt(step -> IntStream.of(step.from(), step.to()))
            .distinct()
            .toArray();
    moves.add(nodes);
    steps.forEach(step -> left[step.from()] = moves.size());
    for (int node : nodes) {
      fullestFirst.remove(node);
      loads[node] = session.load(node, null);
      changed[node] = moves.size();
      fullestFirst.add(node);
    }
  }

  /**
   * The nodes that take workloads, are less full than a node and were left by a workload after a
   * number of moves.
   *
   * @param since -1 for all nodes that are less full
   * @return in the order of slots; none where the budget does not allow the reads
   */
  int[] targets(int node, int since) {
    return targets(node, since, left);
  }

  /** The same of the nodes that changed, also by an arrival. */
  int[] changedTargets(int node, int since) {
    return targets(node, since, changed);
  }

  private int[] targets(int node, int since, int[] last) {
    boolean isLong = since < 0 || moves.size() - since > loads.length / 2;
    if (!session.mayRead(isLong ? loads.length : 2L * (moves.size() - since))) {
      return new int[0];
    }
    IntStream all =
        isLong
            ? IntStream.range(0, loads.length)
            : moves.subList(since, moves.size()).stream()
                .flatMapToInt(Arrays::stream)
                .distinct()
                .sorted();
    return all.filter(to -> last[to] > since && loads[to] < loads[node] && session.takes(to))
        .toArray();
  }
}
