package io.lighthouse.benchmarks.measure;

import io.lighthouse.benchmarks.placer.Answer;
import io.lighthouse.benchmarks.placer.NaivePlacer;
import io.lighthouse.benchmarks.placer.PlainScan;
import io.lighthouse.benchmarks.placer.SampledRun;
import io.lighthouse.benchmarks.placer.StepPlacer;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import io.lighthouse.benchmarks.problem.ProblemGenerator;
import io.lighthouse.benchmarks.problem.ProblemSpec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * The naive placer and the plain scan on the problems of {@link BatchBenchmark}, the whole run
 * where that is short, else sampled ({@link SampledRun}); every placement is compared with that of
 * Lighthouse. The figure is the outcome, not the time of the benchmark.
 */
@BenchmarkMode(Mode.SingleShotTime)
public class ComparedBenchmark extends ProblemState {
  /** The placer that is timed. */
  public enum Who {
    /** The naive placer. */
    NAIVE,
    /** The plain scan. */
    PLAIN_SCAN
  }

  /** The number of warm-up attempts, on a small fleet. */
  private static final int WARM_UPS = 5;

  private static final int WARM_UP_NODES = 100;

  /** The largest product of nodes and workloads for which the whole problem is run. */
  private static final long WHOLE = 20_000_000;

  private static final int MOMENTS = 16;

  /**
   * The approximate number of nodes checked in all; it sets the number of attempts at each moment.
   */
  private static final long LOOKED_AT = 20_000_000;

  /** The placer that is timed. */
  @Param("NAIVE")
  public Who who;

  private BenchmarkProblem problem;
  private Answer answer;

  /** Makes the problem and lets Lighthouse answer it. */
  @Setup(Level.Trial)
  public void prepare() {
    problem = generate();
    answer = lighthouse(problem);
    BenchmarkProblem small =
        ProblemGenerator.generate(
            new ProblemSpec(WARM_UP_NODES, resources, percent, shapes, rules));
    Answer smallAnswer = lighthouse(small);
    for (int i = 0; i < WARM_UPS; i++) {
      SampledRun.nanosPerAttempt(
          small, strategy, smallAnswer, placer(small), 1, small.workloads().size());
    }
  }

  /** Times the other placer; returns nanoseconds for one attempt. */
  @Benchmark
  public double sample() {
    int workloads = problem.workloads().size();
    boolean whole = (long) nodes * workloads <= WHOLE;
    int turnsEach = (int) Math.max(1, LOOKED_AT / nodes / MOMENTS);
    double nanos =
        SampledRun.nanosPerAttempt(
            problem,
            strategy,
            answer,
            placer(problem),
            whole ? 1 : MOMENTS,
            whole ? workloads : turnsEach);
    Outcome.add("nanosPerAttempt", nanos);
    Outcome.add("attemptsTimed", whole ? workloads : MOMENTS * turnsEach);
    return nanos;
  }

  private Answer lighthouse(BenchmarkProblem given) {
    return Answer.of(given, strategy.distributor(given).assign(given.workloads())::node);
  }

  private StepPlacer placer(BenchmarkProblem given) {
    return switch (who) {
      case NAIVE -> new NaivePlacer(given, strategy);
      case PLAIN_SCAN -> new PlainScan(given, strategy);
    };
  }
}
