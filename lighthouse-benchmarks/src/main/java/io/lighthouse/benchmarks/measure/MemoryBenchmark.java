package io.lighthouse.benchmarks.measure;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Workload;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Setup;

/**
 * The memory of a distributor beyond the caller's own objects: differences of the used heap after
 * full collections. Its time has no meaning.
 *
 * <p>Measured empty (made, and one workload assigned and released, which builds what is built at
 * first use), full (after the whole batch), and emptied (after releasing everything).
 */
@BenchmarkMode(Mode.SingleShotTime)
public class MemoryBenchmark extends ProblemState {
  /**
   * The serial collector leaves dead objects at the bottom of the old generation, and counts them
   * as used. Only every fourth full collection compacts everything.
   */
  private static final int COLLECTIONS = 4;

  /** The maximum number of rounds of collections until the readings agree. */
  private static final int MOST_ROUNDS = 10;

  /**
   * The tolerance between two readings that agree, in bytes, where one byte for each node is less.
   * The JVM has its own objects.
   */
  private static final int A_LITTLE = 1_000;

  private BenchmarkProblem problem;

  /** Makes the problem: the caller's own objects. */
  @Setup(Level.Trial)
  public void generateProblem() {
    problem = generate();
  }

  /** Returns the distributor, which must not be collected before. */
  @Benchmark
  public Distributor fillAndEmpty() {
    long before = usedHeap();
    Distributor distributor = strategy.distributor(problem);
    Workload first = problem.workloads().get(0);
    distributor.assign(first);
    distributor.release(first.name());
    long empty = usedHeap();
    int placed = distributor.assign(problem.workloads()).placedCount();
    long full = usedHeap();
    distributor.releaseAll();
    long emptied = usedHeap();
    Outcome.add("bytesPerNode", (double) (empty - before) / nodes);
    Outcome.add("bytesPerPlaced", (double) (full - empty) / placed);
    Outcome.add("bytesPerNodeEmptied", (double) (emptied - before) / nodes);
    Reference.reachabilityFence(problem);
    return distributor;
  }

  /** The used heap once a round of collections frees nothing more. */
  private long usedHeap() {
    long last = Long.MAX_VALUE;
    for (int round = 0; round < MOST_ROUNDS; round++) {
      for (int i = 0; i < COLLECTIONS; i++) {
        System.gc();
      }
      long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      if (Math.abs(used - last) <= Math.max(nodes, A_LITTLE)) {
        return used;
      }
      last = used;
    }
    throw new IllegalStateException("the heap does not settle: " + last + " bytes used at last");
  }
}
