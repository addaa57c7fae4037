package io.lighthouse.benchmarks.placer;

import io.lighthouse.api.Node;
import io.lighthouse.api.Workload;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks an answer to a problem without rules, from the problem and the answer alone: every
 * workload has an answer, every node has the required resources, and no node is overcommitted. The
 * figures of an unsound answer are worthless.
 */
public final class Soundness {
  private Soundness() {}

  /** The findings for people; none if the answer is sound. */
  public static List<String> findings(BenchmarkProblem problem, Answer answer) {
    List<String> findings = new ArrayList<>();
    if (answer.nodeOf().length != problem.workloads().size()) {
      findings.add(
          "%d answers for %d workloads"
              .formatted(answer.nodeOf().length, problem.workloads().size()));
      return findings;
    }
    List<Map<String, BigDecimal>> left = left(problem, answer, findings);
    for (int n = 0; n < left.size(); n++) {
      String node = problem.nodes().get(n).name();
      left.get(n)
          .forEach(
              (resource, quantity) -> {
                if (quantity.signum() < 0) {
                  findings.add(
                      "%s has %s of %s left".formatted(node, quantity.toPlainString(), resource));
                }
              });
    }
    return findings;
  }

  /** The names of the workloads that were refused although they fit somewhere at the end. */
  public static List<String> refusedWithoutNeed(BenchmarkProblem problem, Answer answer) {
    List<Map<String, BigDecimal>> left = left(problem, answer, new ArrayList<>());
    List<String> names = new ArrayList<>();
    for (int w = 0; w < answer.nodeOf().length; w++) {
      Workload workload = problem.workloads().get(w);
      if (answer.nodeOf()[w] == StepPlacer.NONE
          && left.stream().anyMatch(node -> fits(node, workload))) {
        names.add(workload.name());
      }
    }
    return names;
  }

  private static boolean fits(Map<String, BigDecimal> left, Workload workload) {
    return workload.requirements().asMap().entrySet().stream()
        .allMatch(
            entry ->
                left.containsKey(entry.getKey())
                    && left.get(entry.getKey()).compareTo(entry.getValue().toBigDecimal()) >= 0);
  }

  /** What each node has left after all placements. */
  private static List<Map<String, BigDecimal>> left(
      BenchmarkProblem problem, Answer answer, List<String> findings) {
    List<Map<String, BigDecimal>> left = new ArrayList<>();
    for (Node node : problem.nodes()) {
      Map<String, BigDecimal> row = new TreeMap<>();
      node.resources().asMap().forEach((name, has) -> row.put(name, has.toBigDecimal()));
      left.add(row);
    }
    for (int w = 0; w < answer.nodeOf().length; w++) {
      int node = answer.nodeOf()[w];
      if (node != StepPlacer.NONE) {
        Workload workload = problem.workloads().get(w);
        workload
            .requirements()
            .asMap()
            .forEach(
                (name, needs) -> {
                  if (left.get(node)
                          .computeIfPresent(name, (same, has) -> has.subtract(needs.toBigDecimal()))
                      == null) {
                    findings.add(
                        "%s is on %s, which has no %s"
                            .formatted(workload.name(), problem.nodes().get(node).name(), name));
                  }
                });
      }
    }
    return left;
  }
}
