package io.lighthouse.benchmarks.quality;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A fleet after churn: the nodes of a {@link MixedFleet}, and 20,000 arrivals and departures of its
 * workloads. While the fullest resource is more than 70 % in use, a random workload leaves;
 * otherwise one arrives, and goes to the first node that fits.
 */
public final class ChurnedFleet {
  private static final int EVENTS = 20_000;
  private static final int PERCENT = 70;

  private ChurnedFleet() {}

  /** Makes a fleet; equal for equal arguments. */
  public static Distributor live(int nodes, long seed) {
    BenchmarkProblem problem = MixedFleet.generate(nodes, 80, seed);
    Distributor fleet =
        Distributors.installed().strategy("prioritized").nodes(problem.nodes()).build();
    SplittableRandom random = new SplittableRandom(seed);
    long[] capacity = new long[2];
    problem.nodes().forEach(node -> add(capacity, node.resources(), 1));
    long[] used = new long[2];
    List<Workload> placed = new ArrayList<>();
    for (int event = 0; event < EVENTS; event++) {
      boolean full = used[0] * 100 > PERCENT * capacity[0] || used[1] * 100 > PERCENT * capacity[1];
      if (full) {
        Workload leaves = placed.remove(random.nextInt(placed.size()));
        fleet.release(leaves.name());
        add(used, leaves.requirements(), -1);
      } else {
        Workload like = problem.workloads().get(random.nextInt(problem.workloads().size()));
        Workload comes = like.named("e" + event);
        if (fleet.assign(comes).allPlaced()) {
          placed.add(comes);
          add(used, comes.requirements(), 1);
        }
      }
    }
    return fleet;
  }

  private static void add(long[] sum, Resources resources, int sign) {
    for (int r = 0; r < sum.length; r++) {
      sum[r] += sign * resources.quantity(r).toBigDecimal().longValueExact();
    }
  }
}
