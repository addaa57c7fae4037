package io.lighthouse.benchmarks.placer;

import io.lighthouse.api.Resources;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A plain scan: the amounts left are in one array of longs, and every node is checked in turn. It
 * has no index, no objects and no rules. It is the simplest alternative to hash maps, and the
 * baseline for an index. For problems without rules only.
 */
public final class PlainScan implements StepPlacer {
  /** The digits after the point that every quantity here needs at most. */
  private static final int DIGITS = 6;

  private final Contestant rule;
  private final int resources;
  private final int nodes;

  /** Capacity and left of each node; [node * resources + resource]. */
  private final long[] capacity;

  private final long[] left;

  /** Requirements of each workload; [workload * resources + resource]. */
  private final long[] need;

  /** Weights of the rubric, in hundredths. */
  private final long[] weight;

  /** Score of what each node has left, and its place in the order of names. */
  private final long[] score;

  private final int[] rank;

  /** Round robin: the node at which the next search begins. */
  private int next;

  /**
   * Takes over a problem without rules, for prioritized, round-robin or bin-pack. Every node has,
   * and every workload requires, every resource.
   */
  public PlainScan(BenchmarkProblem problem, Contestant rule) {
    this.rule = rule;
    Resources weights = problem.rubric().weights();
    resources = weights.size();
    nodes = problem.nodes().size();
    capacity = rows(problem.nodes().stream().map(node -> node.resources()).toList());
    need = rows(problem.workloads().stream().map(load -> load.requirements()).toList());
    left = capacity.clone();
    weight = new long[resources];
    for (int r = 0; r < resources; r++) {
      weight[r] = weights.quantity(r).scaledTo(2);
    }
    score = new long[nodes];
    rank = new int[nodes];
    List<Integer> byName =
        IntStream.range(0, nodes)
            .boxed()
            .sorted(Comparator.comparing(n -> problem.nodes().get(n).name()))
            .toList();
    for (int i = 0; i < nodes; i++) {
      rank[byName.get(i)] = i;
    }
    restore(new int[0], new int[0], 0);
  }

  @Override
  public void restore(int[] turns, int[] nodeOf, int upTo) {
    System.arraycopy(capacity, 0, left, 0, left.length);
    Arrays.fill(score, 0);
    for (int i = 0; i < left.length; i++) {
      score[i / resources] += weight[i % resources] * left[i];
    }
    next = 0;
    for (int i = 0; i < upTo; i++) {
      if (nodeOf[turns[i]] != NONE) {
        take(nodeOf[turns[i]], turns[i]);
      }
    }
  }

  @Override
  public int place(int workload) {
    int node =
        switch (rule) {
          case PRIORITIZED -> scan(workload, 0, nodes);
          case ROUND_ROBIN -> {
            int found = scan(workload, next, nodes);
            yield found == NONE ? scan(workload, 0, next) : found;
          }
          case BIN_PACK -> scanForLeast(workload);
          default -> throw new IllegalStateException("no plain scan for " + rule);
        };
    if (node != NONE) {
      take(node, workload);
    }
    return node;
  }

  private int scan(int workload, int from, int to) {
    for (int node = from; node < to; node++) {
      if (fits(node, workload)) {
        return node;
      }
    }
    return NONE;
  }

  private int scanForLeast(int workload) {
    int best = NONE;
    for (int node = 0; node < nodes; node++) {
      if ((best == NONE
              || score[node] < score[best]
              || (score[node] == score[best] && rank[node] < rank[best]))
          && fits(node, workload)) {
        best = node;
      }
    }
    return best;
  }

  private boolean fits(int node, int workload) {
    for (int r = 0; r < resources; r++) {
      if (left[node * resources + r] < need[workload * resources + r]) {
        return false;
      }
    }
    return true;
  }

  private void take(int node, int workload) {
    for (int r = 0; r < resources; r++) {
      long taken = need[workload * resources + r];
      left[node * resources + r] -= taken;
      score[node] -= weight[r] * taken;
    }
    next = (node + 1) % nodes;
  }

  private long[] rows(List<Resources> rows) {
    long[] values = new long[rows.size() * resources];
    for (int i = 0; i < values.length; i++) {
      Resources row = rows.get(i / resources);
      if (row.size() != resources) {
        throw new IllegalArgumentException("a plain scan knows no rules, but found " + row);
      }
      values[i] = row.quantity(i % resources).scaledTo(DIGITS);
    }
    return values;
  }
}
