package io.lighthouse.benchmarks.measure;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.benchmarks.placer.Answer;
import io.lighthouse.benchmarks.placer.Contestant;
import io.lighthouse.benchmarks.problem.Problem;
import io.lighthouse.benchmarks.problem.ProblemFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A problem from a file: one batch, as {@link BatchBenchmark}. Reading is not timed. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DataBenchmark {
  /** The path of a gzipped problem. */
  @Param("problem.json.gz")
  public String file;

  /** The strategy. */
  @Param("PRIORITIZED")
  public Contestant strategy;

  private Problem problem;
  private Distributor distributor;

  /** For JMH. */
  public DataBenchmark() {}

  /**
   * Reads the problem.
   *
   * @throws IOException if the file cannot be read
   */
  @Setup(Level.Trial)
  public void readProblem() throws IOException {
    problem = ProblemFile.readGzipped(Path.of(file));
  }

  /** Makes the distributor. */
  @Setup(Level.Invocation)
  public void freshDistributor() {
    distributor = strategy.distributor(problem);
  }

  /**
   * Assigns the batch.
   *
   * @return the answer
   */
  @Benchmark
  public Assignments assign() {
    return distributor.assign(problem.workloads());
  }

  /** Counts what one more batch places, and how many are beside one they are averse to. */
  @TearDown(Level.Trial)
  public void count() {
    freshDistributor();
    Answer answer = Answer.of(problem, assign());
    Outcome.add("nodes", problem.nodes().size());
    Outcome.add("workloads", problem.workloads().size());
    Outcome.add("placed", answer.placed());
    Outcome.add("nodesUsed", answer.nodesUsed());
    Outcome.add("besideAverse", answer.besideAverse(problem));
  }
}
