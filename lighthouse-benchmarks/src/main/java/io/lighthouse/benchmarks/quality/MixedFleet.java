package io.lighthouse.benchmarks.quality;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Fleets of four shapes of nodes, mixed at random, with cpu (in thousandths) and mem (in MB): 8
 * cores and 32 GB, 32 and 32, 64 and 128, 16 and 128. There are ten workloads for each node. Their
 * cpu and mem are drawn independently, log-uniformly over a factor of 33. Then each resource is
 * scaled so that the demand is the wanted share of the capacity. All quantities are whole numbers.
 *
 * <p>At 80 % first fit refuses some 5 % of them and best fit by the sum of shares a fifth; at 95 %
 * a fifth and nearly half.
 */
public final class MixedFleet {
  private static final long[][] SHAPES = {
    {8_000, 32_000}, {32_000, 32_000}, {64_000, 128_000}, {16_000, 128_000}
  };

  /** The logarithm of the largest size beside the smallest. */
  private static final double RANGE = 3.5;

  private static final int PER_NODE = 10;
  private static final int HUNDRED = 100;

  private MixedFleet() {}

  /** Makes a fleet and a batch; equal for equal arguments. */
  public static BenchmarkProblem generate(int nodes, int percent, long seed) {
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
      raw[w] = new double[] {size(random), size(random)};
      demand[0] += raw[w][0];
      demand[1] += raw[w][1];
    }
    List<Workload> batch = new ArrayList<>(raw.length);
    for (int w = 0; w < raw.length; w++) {
      long[] needs = new long[2];
      for (int r = 0; r < 2; r++) {
        double share = (double) percent / HUNDRED * capacity[r] / demand[r];
        needs[r] = Math.max(1, Math.round(raw[w][r] * share));
      }
      batch.add(Workload.of("w" + w, resources(needs[0], needs[1])));
    }
    Rubric rubric =
        Rubric.of(
            "cpu", weight(capacity[0], nodes),
            "mem", weight(capacity[1], nodes));
    return new BenchmarkProblem(fleet, batch, rubric);
  }

  /** One part of a mean node, so that both resources weigh the same. */
  private static Quantity weight(long capacity, int nodes) {
    return Quantity.ofScaled(1_000_000_000_000L / (capacity / nodes), 12);
  }

  /** A size, log-uniform; the same on every machine, as StrictMath is. */
  static double size(SplittableRandom random) {
    return StrictMath.exp(RANGE * random.nextDouble());
  }

  private static Resources resources(long cpu, long mem) {
    return Resources.of("cpu", cpu, "mem", mem);
  }
}
