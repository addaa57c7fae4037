package io.lighthouse.benchmarks.measure;

import io.lighthouse.benchmarks.peer.Peer;
import io.lighthouse.benchmarks.placer.Answer;
import io.lighthouse.benchmarks.placer.Soundness;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import io.lighthouse.benchmarks.problem.ProblemGenerator;
import io.lighthouse.benchmarks.problem.ProblemSpec;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A peer on a problem of {@link BatchBenchmark}: one batch, from the peer's own objects to its
 * answer, which is then checked.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
public class PeerBenchmark {
  /** The peer and its setup. */
  @Param("FENZO_FIRST_FIT")
  public Peer.Kind peer;

  /** The number of nodes. */
  @Param("1000")
  public int nodes;

  private BenchmarkProblem problem;
  private Peer ready;

  /** Makes the problem. */
  @Setup(Level.Trial)
  public void generateProblem() {
    problem = ProblemGenerator.generate(ProblemSpec.plain(nodes));
  }

  /** Makes the peer's objects. */
  @Setup(Level.Iteration)
  public void prepare() {
    ready = peer.prepare(problem);
  }

  /** Places the batch. */
  @Benchmark
  public void place() {
    ready.place();
  }

  /** Checks and counts. */
  @TearDown(Level.Iteration)
  public void check() {
    Answer answer = ready.answer();
    ready.close();
    List<String> findings = Soundness.findings(problem, answer);
    if (!findings.isEmpty()) {
      throw new IllegalStateException(peer + " is unsound: " + findings.get(0));
    }
    Outcome.add("workloads", problem.workloads().size());
    Outcome.add("placed", answer.placed());
    Outcome.add("nodesUsed", answer.nodesUsed());
  }
}
