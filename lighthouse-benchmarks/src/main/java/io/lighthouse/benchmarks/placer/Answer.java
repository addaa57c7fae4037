package io.lighthouse.benchmarks.placer;

import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * The node of each workload, by index, from any placer.
 *
 * @param nodeOf the node of each workload, or {@link StepPlacer#NONE}
 */
public record Answer(int[] nodeOf) {
  /** An answer by names: that of the node of each workload, by index; empty without a node. */
  public static Answer of(BenchmarkProblem problem, IntFunction<Optional<String>> node) {
    Map<String, Integer> nodes = new HashMap<>();
    for (int n = 0; n < problem.nodes().size(); n++) {
      nodes.put(problem.nodes().get(n).name(), n);
    }
    int[] nodeOf = new int[problem.workloads().size()];
    for (int w = 0; w < nodeOf.length; w++) {
      nodeOf[w] = node.apply(w).map(nodes::get).orElse(StepPlacer.NONE);
    }
    return new Answer(nodeOf);
  }

  /** The number of workloads with a node. */
  public int placed() {
    return (int) Arrays.stream(nodeOf).filter(node -> node != StepPlacer.NONE).count();
  }

  /** The number of nodes that hold at least one workload. */
  public int nodesUsed() {
    return (int) Arrays.stream(nodeOf).filter(node -> node != StepPlacer.NONE).distinct().count();
  }

  /** The number of workloads that share a node and an aversion group with an earlier one. */
  public int besideAverse(BenchmarkProblem problem) {
    Map<String, Set<Integer>> nodesOfGroup = new HashMap<>();
    int count = 0;
    for (int w = 0; w < nodeOf.length; w++) {
      boolean beside = false;
      if (nodeOf[w] != StepPlacer.NONE) {
        for (String group : problem.workloads().get(w).aversionGroups()) {
          beside |= !nodesOfGroup.computeIfAbsent(group, key -> new HashSet<>()).add(nodeOf[w]);
        }
      }
      count += beside ? 1 : 0;
    }
    return count;
  }
}
