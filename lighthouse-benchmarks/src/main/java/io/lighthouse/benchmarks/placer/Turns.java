package io.lighthouse.benchmarks.placer;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The order in which the workloads are placed, computed independently of the engine. */
final class Turns {
  private Turns() {}

  /** The workloads of a problem, by index, in the order of placement. */
  static int[] of(BenchmarkProblem problem, Contestant contestant) {
    List<Workload> workloads = problem.workloads();
    if (contestant != Contestant.BIN_PACK) {
      return IntStream.range(0, workloads.size()).toArray();
    }
    BigDecimal[] scores = new BigDecimal[workloads.size()];
    Integer[] turns = new Integer[scores.length];
    for (int w = 0; w < scores.length; w++) {
      scores[w] = score(workloads.get(w).requirements(), problem.rubric());
      turns[w] = w;
    }
    Arrays.sort(
        turns,
        Comparator.<Integer, BigDecimal>comparing(w -> scores[w])
            .reversed()
            .thenComparing(w -> workloads.get(w).name()));
    return Arrays.stream(turns).mapToInt(Integer::intValue).toArray();
  }

  private static BigDecimal score(Resources requirements, Rubric rubric) {
    BigDecimal sum = BigDecimal.ZERO;
    for (int i = 0; i < requirements.size(); i++) {
      BigDecimal quantity = requirements.quantity(i).toBigDecimal();
      sum =
          rubric
              .weights()
              .get(requirements.name(i))
              .map(weight -> weight.toBigDecimal().multiply(quantity))
              .map(sum::add)
              .orElse(sum);
    }
    return sum;
  }
}
