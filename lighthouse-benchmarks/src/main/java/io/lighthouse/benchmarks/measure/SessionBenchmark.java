package io.lighthouse.benchmarks.measure;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A step of a search over a whole batch: releases one workload, checks whether it fits another
 * node, places it there, and rolls all back. A session exists only during its call. So one call
 * places ten workloads for each node and then makes {@value #STEPS} steps. The steps are timed
 * within the call, and their allocated bytes are those that the JVM counts for the thread. JMH's
 * own time is that of the whole call.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
public class SessionBenchmark {
  private static final int STEPS = 5_000_000;
  private static final int PER_NODE = 10;

  /** Nodes of the fleet. */
  @Param({"1000", "10000"})
  public int nodes;

  private List<Node> fleet;
  private List<Workload> batch;
  private Distributor distributor;

  /** Makes nodes with room for one workload more than they will hold. */
  @Setup(Level.Trial)
  public void make() {
    fleet = new ArrayList<>();
    for (int n = 0; n < nodes; n++) {
      fleet.add(Node.of("n" + n, Resources.of("cpu", PER_NODE + 1, "mem", 8 * PER_NODE)));
    }
    batch = Workload.of("w", Resources.of("cpu", 1, "mem", 4)).replicas(PER_NODE * nodes);
  }

  /** Makes the distributor. */
  @Setup(Level.Iteration)
  public void freshDistributor() {
    distributor = Distributors.of(new Stepping()).nodes(fleet).build();
  }

  /** Places the batch and makes the steps. */
  @Benchmark
  public Assignments steps() {
    return distributor.assign(batch);
  }

  /** Places by turns, then takes steps that change nothing. */
  private static final class Stepping implements PlacementStrategy {
    @Override
    public String name() {
      return "stepping";
    }

    @Override
    public boolean sequential() {
      return false;
    }

    @Override
    public Placer newPlacer(Fleet seen, Settings settings) {
      return (BatchPlacer) session -> place(session, seen.size());
    }

    private static void place(Session session, int nodes) {
      for (int workload = 0; workload < session.size(); workload++) {
        session.assign(workload, workload % nodes);
      }
      long bytes = AllocatedBytes.soFar();
      long began = System.nanoTime();
      long random = 1;
      int fitted = 0;
      for (int step = 0; step < STEPS; step++) {
        random = random * 6364136223846793005L + 1442695040888963407L;
        int workload = (int) ((random >>> 33) % session.size());
        int node = (int) ((random >>> 20 & Integer.MAX_VALUE) % nodes);
        int before = session.savepoint();
        session.release(workload);
        if (session.fits(workload, node)) {
          session.assign(workload, node);
          fitted++;
        }
        session.rollBack(before);
        session.forget(before);
      }
      long ended = System.nanoTime();
      if (fitted != STEPS) {
        throw new IllegalStateException(fitted + " of " + STEPS + " fitted");
      }
      Outcome.add("nanosPerStep", (double) (ended - began) / STEPS);
      Outcome.add("bytesPerStep", (double) (AllocatedBytes.soFar() - bytes) / STEPS);
      Outcome.add("workloads", session.size());
    }
  }
}
