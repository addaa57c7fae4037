package io.lighthouse.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * The emptiest and the most even node of a fleet of many equal nodes, held against a plain
 * comparison of all nodes. The fleet fills up, so boxes of the tree are split anew.
 */
class EqualNodesProperties {
  private static final int NODES = 200;

  /** By shape: cpu and mem. Shares of 100 are rounded, those of 128 are not. */
  private static final int[][] SHAPES = {{100, 128}, {128, 100}, {100, 100}};

  @Property(tries = 12, shrinking = ShrinkingMode.OFF)
  void isTheFirstOfTheBest(@ForAll long seed) {
    Random random = new Random(seed);
    LoadRule rule = random.nextBoolean() ? LoadRule.FULLEST : LoadRule.VARIANCE;
    int shapes = 1 + random.nextInt(SHAPES.length);
    int[][] capacities = new int[NODES][];
    int[][] used = new int[NODES][2];
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      capacities[i] = SHAPES[random.nextInt(shapes)];
      nodes.add(Node.of("n" + i, Resources.of("cpu", capacities[i][0], "mem", capacities[i][1])));
    }
    Distributor distributor = Distributors.of(new ByLoad(rule)).nodes(nodes).build();
    List<int[]> needs = new ArrayList<>();
    List<Workload> workloads = new ArrayList<>();
    for (int i = 0; i < 6 * NODES; i++) {
      int[] need = {5 * random.nextInt(1, 6), random.nextInt(1, 26)};
      needs.add(need);
      workloads.add(Workload.of("w" + i, Resources.of("cpu", need[0], "mem", need[1])));
    }
    Assignments found = distributor.assign(workloads);
    for (int i = 0; i < needs.size(); i++) {
      int best = best(rule, capacities, used, needs.get(i));
      assertThat(found.node(i).orElse("none")).isEqualTo(best < 0 ? "none" : "n" + best);
      if (best >= 0) {
        used[best][0] += needs.get(i)[0];
        used[best][1] += needs.get(i)[1];
      }
    }
  }

  private static int best(LoadRule rule, int[][] capacities, int[][] used, int[] need) {
    int best = -1;
    long bestScore = Long.MAX_VALUE;
    for (int i = 0; i < capacities.length; i++) {
      long cpu = used[i][0] + need[0];
      long mem = used[i][1] + need[1];
      if (cpu <= capacities[i][0] && mem <= capacities[i][1]) {
        long score =
            rule == LoadRule.FULLEST
                ? Math.max((cpu << 30) / capacities[i][0], (mem << 30) / capacities[i][1])
                : variance((cpu << 24) / capacities[i][0], (mem << 24) / capacities[i][1]);
        if (score < bestScore) {
          bestScore = score;
          best = i;
        }
      }
    }
    return best;
  }

  private static long variance(long one, long other) {
    long mean = (one + other) / 2;
    long squares = (one - mean) * (one - mean) + (other - mean) * (other - mean);
    return (squares / 2 + (1L << 25)) >> 26;
  }

  private record ByLoad(LoadRule rule) implements PlacementStrategy {
    @Override
    public String name() {
      return "by-load";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return (workload, candidates) ->
          rule == LoadRule.FULLEST ? candidates.emptiest() : candidates.mostEven();
    }
  }
}
