package io.lighthouse.benchmarks.measure;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Workload;
import io.lighthouse.benchmarks.problem.RuledBatch;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
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
 * One batch of workloads with a rule, on a fresh distributor. Beside JMH's time, reports the
 * thread's processor time of the best batch: rules are compared with each other, and the load of
 * the machine should not count.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
public class RuleBenchmark {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** The rule. */
  @Param("PLAIN")
  public RuledBatch rule;

  /** The number of nodes. */
  @Param("10000")
  public int nodes;

  private List<Workload> batch;
  private Distributor distributor;
  private long best = Long.MAX_VALUE;
  private int placed;

  /** Makes the batch. */
  @Setup(Level.Trial)
  public void makeBatch() {
    batch = rule.workloads(nodes);
  }

  /** Makes the distributor. */
  @Setup(Level.Invocation)
  public void freshDistributor() {
    distributor = rule.fleet(nodes);
  }

  @Benchmark
  public Assignments assign() {
    long began = THREADS.getCurrentThreadCpuTime();
    Assignments answer = distributor.assign(batch);
    best = Math.min(best, THREADS.getCurrentThreadCpuTime() - began);
    placed = answer.placedCount();
    return answer;
  }

  /** Records the time of the best batch, and what the last one placed. */
  @TearDown(Level.Trial)
  public void tell() {
    Outcome.add("processorNanos", best);
    Outcome.add("workloads", batch.size());
    Outcome.add("placed", placed);
  }
}
