package io.lighthouse.tests.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fleets on which the start that is cheapest at once does not end cheapest. */
class PackStartsTest {
  private static final long[][] SHAPES = {
    {8_000, 32_000}, {32_000, 32_000}, {64_000, 128_000}, {16_000, 128_000}
  };
  private static final int NODES = 100;
  private static final int WORKLOADS = 1_000;

  /** The most nodes are what it used before starts were improved, less one or more. */
  @ParameterizedTest
  @CsvSource({"60, 1, 39", "60, 4, 43", "60, 6, 45", "65, 5, 46", "70, 5, 51", "70, 1, 50"})
  void endsBelowTheBestStart(int percent, long seed, int most) {
    assertThat(nodesUsed(percent, seed, 1_000_000)).isLessThanOrEqualTo(most);
  }

  @Test
  void needsFewStepsForThat() {
    assertThat(nodesUsed(65, 1, 100_000)).isLessThan(50);
    assertThat(nodesUsed(70, 6, 100_000)).isLessThan(60);
  }

  @ParameterizedTest
  @CsvSource({"60, 6", "65, 5", "70, 5"})
  void moreStepsUseNoMoreNodes(int percent, long seed) {
    assertThat(nodesUsed(percent, seed, 1_000_000))
        .isLessThanOrEqualTo(nodesUsed(percent, seed, 100_000));
  }

  /** The rule places no workload. So the session is unchanged when the start is improved. */
  @Test
  void aStartMayBeEmpty() {
    List<Node> nodes = new ArrayList<>();
    for (int n = 0; n < 3; n++) {
      nodes.add(Node.of("empty " + n, Resources.none()));
    }
    nodes.add(Node.of("seated", Resources.of("seat", 1)));
    Distributor fleet = Distributors.of(PackInParts.above(4)).nodes(nodes).build();

    assertThat(fleet.assign(List.of(Workload.of("guest", Resources.of("seat", 1)))).node(0))
        .contains("seated");
  }

  /**
   * Where workloads are of few kinds, nodes are filled with the best of them. The most nodes are
   * what {@code pack} used before it did so, less three or more.
   */
  @ParameterizedTest
  @CsvSource({
    "5, 90, 1, 1000000, 85",
    "10, 90, 1, 1000000, 84",
    "20, 90, 1, 1000000, 84",
    "10, 60, 4, 1000000, 43",
    "5, 75, 4, 100000, 65",
    "20, 90, 4, 100000, 80"
  })
  void fillsNodesWithFewKindsOfWorkloads(int kinds, int percent, long seed, long steps, int most) {
    assertThat(nodesUsed(percent, seed, steps, kinds)).isLessThanOrEqualTo(most);
  }

  private static int nodesUsed(int percent, long seed, long steps) {
    return nodesUsed(percent, seed, steps, WORKLOADS);
  }

  /** The nodes in use after a batch of as many kinds of workloads has been placed. */
  private static int nodesUsed(int percent, long seed, long steps, int kinds) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = new ArrayList<>();
    long[] capacity = new long[2];
    for (int n = 0; n < NODES; n++) {
      long[] shape = SHAPES[random.nextInt(SHAPES.length)];
      nodes.add(Node.of("n" + n, Resources.of("cpu", shape[0], "mem", shape[1])));
      capacity[0] += shape[0];
      capacity[1] += shape[1];
    }
    double[][] sizes = new double[WORKLOADS][2];
    double[] demand = new double[2];
    for (int w = 0; w < WORKLOADS; w++) {
      double[] size = sizes[w];
      for (int r = 0; r < 2; r++) {
        size[r] = w >= kinds ? sizes[w % kinds][r] : StrictMath.exp(3.5 * random.nextDouble());
        demand[r] += size[r];
      }
    }
    List<Workload> batch = new ArrayList<>();
    for (double[] size : sizes) {
      long[] needs = new long[2];
      for (int r = 0; r < 2; r++) {
        needs[r] = Math.max(1, Math.round(size[r] * percent / 100 * capacity[r] / demand[r]));
      }
      batch.add(Workload.of("w" + batch.size(), Resources.of("cpu", needs[0], "mem", needs[1])));
    }
    Distributor fleet =
        Distributors.installed()
            .strategy("pack")
            .settings(Map.of("steps", Long.toString(steps)))
            .nodes(nodes)
            .build();
    assertThat(fleet.assign(batch).placedCount()).isEqualTo(WORKLOADS);
    return (int) fleet.snapshot().nodes().stream().filter(n -> !n.workloads().isEmpty()).count();
  }
}
