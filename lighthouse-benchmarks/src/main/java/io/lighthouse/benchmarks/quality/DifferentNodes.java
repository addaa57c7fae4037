package io.lighthouse.benchmarks.quality;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Problems of the size of sets b and x of Google's challenge at ROADEF 2012: each node has
 * capacities of its own, between one and three times the smallest. Sizes of workloads are those of
 * {@link MixedFleet}, each resource scaled so that the demand is 85 % of the capacity. Services,
 * which are aversion groups, have 1 to 20 members. All quantities are whole numbers.
 */
final class DifferentNodes {
  private static final long SMALLEST = 100_000;
  private static final double FULL = 0.85;
  private static final int MEMBERS = 20;

  private DifferentNodes() {}

  /** Makes a fleet and a batch; equal for equal arguments. */
  static BenchmarkProblem generate(int nodes, int workloads, int resources, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[][] capacities = new long[nodes][resources];
    double[] capacity = new double[resources];
    for (long[] row : capacities) {
      for (int r = 0; r < resources; r++) {
        row[r] = random.nextLong(SMALLEST, 3 * SMALLEST);
        capacity[r] += row[r];
      }
    }
    double[][] sizes = new double[workloads][resources];
    double[] demand = new double[resources];
    for (double[] row : sizes) {
      for (int r = 0; r < resources; r++) {
        row[r] = MixedFleet.size(random);
        demand[r] += row[r];
      }
    }
    List<Node> fleet = new ArrayList<>(nodes);
    for (int n = 0; n < nodes; n++) {
      fleet.add(Node.of("n" + n, resources(capacities[n])));
    }
    List<Workload> batch = new ArrayList<>(workloads);
    int service = 0;
    int left = 0;
    for (int w = 0; w < workloads; w++) {
      long[] needs = new long[resources];
      for (int r = 0; r < resources; r++) {
        needs[r] = Math.max(1, (long) (sizes[w][r] * FULL * capacity[r] / demand[r]));
      }
      if (left-- == 0) {
        service++;
        left = (int) StrictMath.pow(MEMBERS, random.nextDouble()) - 1;
      }
      batch.add(new Workload("w" + w, resources(needs), Set.of(), Set.of("service " + service)));
    }
    return new BenchmarkProblem(fleet, batch, Rubric.of());
  }

  private static Resources resources(long[] row) {
    Map<String, Quantity> named = new LinkedHashMap<>();
    for (int r = 0; r < row.length; r++) {
      named.put("r" + r, Quantity.of(row[r]));
    }
    return Resources.of(named);
  }
}
