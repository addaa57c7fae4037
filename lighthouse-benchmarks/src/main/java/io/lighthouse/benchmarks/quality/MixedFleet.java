package io.lighthouse.benchmarks.quality;

import io.lighthouse.api.Node;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.benchmarks.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Fleets of four shapes of nodes, mixed at random, with cpu (in thousandths) and mem (in MB): 16 by
 * 32, 32 by 128, 48 by 96 and 16 by 128 cores and GB. Ten workloads a node: their cpu has the sizes
 * 1, 2, 4, 8, 16 with weights 8, 8, 5, 3, 1, spread by up to a quarter either way; mem for each
 * core is 1, 2, 4 or 8 GB, equally often; then each resource is scaled so that the demand is the
 * wanted share of the capacity, cut at 9 tenths of the smallest node. Whole numbers throughout.
 */
public final class MixedFleet {
  private static final long[][] SHAPES = {
    {16_000, 32_000}, {32_000, 128_000}, {48_000, 96_000}, {16_000, 128_000}
  };

  private static final int[] CPU_WEIGHTS = {8, 8, 5, 3, 1};
  private static final int PER_NODE = 10;
  private static final int HUNDRED = 100;

  private MixedFleet() {}

  /**
   * Makes a fleet and a batch.
   *
   * @param nodes how many nodes
   * @param percent the demand of each resource, as a share of the capacity
   * @param seed of the random numbers
   * @return the problem; equal for equal arguments
   */
  public static Problem generate(int nodes, int percent, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> fleet = new ArrayList<>(nodes);
    long[] capacity = new long[2];
    for (int n = 0; n < nodes; n++) {
      long[] shape = SHAPES[random.nextInt(SHAPES.length)];
      fleet.add(Node.of("n" + n, resources(shape[0], shape[1])));
      capacity[0] += shape[0];
      capacity[1] += shape[1];
    }
    double[][] raw = new double[PER_NODE * nodes][];
    double[] demand = new double[2];
    for (int w = 0; w < raw.length; w++) {
      raw[w] = sizes(random);
      demand[0] += raw[w][0];
      demand[1] += raw[w][1];
    }
    List<Workload> batch = new ArrayList<>(raw.length);
    for (int w = 0; w < raw.length; w++) {
      long[] needs = new long[2];
      for (int r = 0; r < 2; r++) {
        double share = (double) percent / HUNDRED * capacity[r] / demand[r];
        long most = 9 * Math.min(SHAPES[0][r], SHAPES[3][r]) / 10;
        needs[r] = Math.max(1, Math.min(most, Math.round(raw[w][r] * share)));
      }
      batch.add(Workload.of("w" + w, resources(needs[0], needs[1])));
    }
    Rubric rubric =
        Rubric.of(
            "cpu", weight(capacity[0], nodes),
            "mem", weight(capacity[1], nodes));
    return new Problem(fleet, batch, rubric);
  }

  /** One part of a mean node, so that both resources weigh the same. */
  private static Quantity weight(long capacity, int nodes) {
    return Quantity.ofScaled(1_000_000_000_000L / (capacity / nodes), 12);
  }

  private static double[] sizes(SplittableRandom random) {
    int weights = 0;
    for (int weight : CPU_WEIGHTS) {
      weights += weight;
    }
    int drawn = random.nextInt(weights);
    int size = 0;
    while (drawn >= CPU_WEIGHTS[size]) {
      drawn -= CPU_WEIGHTS[size++];
    }
    double cpu = (1 << size) * (0.75 + random.nextDouble() / 2);
    double mem = cpu * (1 << random.nextInt(4));
    return new double[] {cpu, mem};
  }

  private static Resources resources(long cpu, long mem) {
    return Resources.of("cpu", cpu, "mem", mem);
  }
}
