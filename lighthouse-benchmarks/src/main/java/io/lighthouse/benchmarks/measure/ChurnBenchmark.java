package io.lighthouse.benchmarks.measure;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Workload;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Setup;

/**
 * A fleet with churn: workloads leave and come back, one at a time or 100 at once, in random order.
 * The fleet stays as full as it is (run with {@code percent} 80).
 */
@BenchmarkMode(Mode.AverageTime)
public class ChurnBenchmark extends ProblemState {
  /** Workloads that leave and come back together. */
  public static final int HUNDRED = 100;

  private Distributor distributor;
  private List<Workload> placed;
  private List<String> names;
  private int next;

  /** Fills the fleet. */
  @Setup(Level.Trial)
  public void fill() {
    BenchmarkProblem problem = generate();
    distributor = strategy.distributor(problem);
    placed = fill(distributor, problem, true);
    Collections.shuffle(placed, new Random(1));
    names = new ArrayList<>();
    for (Workload workload : placed) {
      names.add(workload.name());
    }
  }

  /** One workload leaves and comes back. */
  @Benchmark
  public Assignments one() {
    int i = advance(1);
    distributor.release(names.get(i));
    return distributor.assign(placed.get(i));
  }

  /** A hundred workloads leave and come back. */
  @Benchmark
  public Assignments hundred() {
    int i = advance(HUNDRED);
    distributor.release(names.subList(i, i + HUNDRED));
    Assignments answer = distributor.assign(placed.subList(i, i + HUNDRED));
    if (!answer.allPlaced()) {
      forget(new HashSet<>(answer.refused()));
    }
    return answer;
  }

  /** Rare: some workloads stay out, because others took their places. */
  private void forget(Set<String> refused) {
    placed.removeIf(workload -> refused.contains(workload.name()));
    names.removeIf(refused::contains);
  }

  private int advance(int count) {
    int i = next + count <= placed.size() ? next : 0;
    next = i + count;
    return i;
  }
}
