package io.lighthouse.strategies.packing;

import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Amounts;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.Session;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The nodes of a fleet and the workloads of a batch as numbers in flat arrays: what nodes have,
 * what workloads take, and how large both are. Only what is left changes, with the {@link Board}.
 *
 * <p>Sums over several resources (sizes, alignments) use shares of the mean capacity of a node in
 * whole parts, so every machine computes the same. The amounts of each resource are converted to a
 * unit that depends only on the quantities. The fleet's own scales would depend on its history.
 */
class Measures {
  private static final int MOST_DIMENSIONS = 16;

  final int nodes;
  final int loads;

  /** The number of resources that are mirrored. */
  final int dims;

  /** Whether every resource that a workload requires is mirrored. */
  final boolean whole;

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

  /** Whether each workload may be moved; one with negative requirements may not. */
  final boolean[] movable;

  /** The aversion groups of each workload, as numbers. */
  final int[][] groups;

  /** Whether each node holds workloads that are not of the batch. */
  final boolean[] inhabited;

  /** Whether all nodes have the same capacity. */
  final boolean uniform;

  /** The measures of a batch that has no nodes yet. */
  Measures(Fleet fleet, Session session) {
    Amounts amounts = fleet.amounts();
    int[] all = Units.required(session, amounts);
    int[] ids = Arrays.copyOf(all, Math.min(all.length, MOST_DIMENSIONS));
    nodes = fleet.size();
    loads = session.size();
    dims = ids.length;
    whole = dims == all.length;
    left = new long[nodes * dims];
    capacity = new long[nodes * dims];
    inhabited = new boolean[nodes];
    readNodes(fleet, amounts, ids);
    need = new long[loads * dims];
    ask = new long[loads * dims];
    movable = new boolean[loads];
    groups = new int[loads][];
    readLoads(session, amounts, ids);
    for (int d = 0; d < dims; d++) {
      Units.rescale(d, dims, List.of(left, capacity, need), ask);
    }
    parts = new int[loads * dims];
    mean = new long[dims];
    scarcity = new int[dims];
    size = new long[loads];
    sizes = new long[nodes];
    measure();
    uniform = isUniform();
  }

  /** The measures of some nodes and workloads, by their indexes in all. */
  Measures(Measures all, int[] someNodes, int[] someLoads) {
    nodes = someNodes.length;
    loads = someLoads.length;
    dims = all.dims;
    whole = all.whole;
    left = copy(all.left, dims, someNodes, new long[nodes * dims]);
    capacity = copy(all.capacity, dims, someNodes, new long[nodes * dims]);
    inhabited = copy(all.inhabited, 1, someNodes, new boolean[nodes]);
    sizes = copy(all.sizes, 1, someNodes, new long[nodes]);
    need = copy(all.need, dims, someLoads, new long[loads * dims]);
    ask = copy(all.ask, dims, someLoads, new long[loads * dims]);
    parts = copy(all.parts, dims, someLoads, new int[loads * dims]);
    size = copy(all.size, 1, someLoads, new long[loads]);
    movable = copy(all.movable, 1, someLoads, new boolean[loads]);
    groups = copy(all.groups, 1, someLoads, new int[loads][]);
    mean = all.mean;
    scarcity = all.scarcity;
    uniform = all.uniform;
  }

  /** Copies the rows of an array that have these indexes. Returns the array that gets them. */
  private static <T> T copy(T from, int width, int[] indexes, T to) {
    for (int i = 0; i < indexes.length; i++) {
      System.arraycopy(from, indexes[i] * width, to, i * width, width);
    }
    return to;
  }

  private void readNodes(Fleet fleet, Amounts amounts, int[] ids) {
    long[] amount = new long[amounts.ids()];
    for (int node = 0; node < nodes; node++) {
      inhabited[node] = fleet.node(node).placedCount() > 0;
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

  private void readLoads(Session session, Amounts amounts, int[] ids) {
    long[] required = new long[amounts.ids()];
    Map<String, Integer> groupIds = new HashMap<>();
    for (int load = 0; load < loads; load++) {
      Workload workload = session.workload(load);
      session.required(load, required);
      movable[load] =
          workload.requirements().asMap().values().stream().allMatch(of -> of.signum() >= 0);
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

  /** What all workloads take of a resource, placed or not, in parts of the mean capacity. */
  final long demand(int d) {
    long sum = 0;
    for (int at = d; at < parts.length; at += dims) {
      sum += parts[at];
    }
    return sum;
  }

  /** The size of a node's capacity, in the same measure as the sizes of workloads. */
  final long sizeOf(int node) {
    return sizes[node];
  }

  /** Whether two workloads share an aversion group. */
  final boolean rivals(int one, int other) {
    for (int a : groups[one]) {
      for (int b : groups[other]) {
        if (a == b) {
          return true;
        }
      }
    }
    return false;
  }
}
