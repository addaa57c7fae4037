package io.lighthouse.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * The emptiest and the most even node of a fleet of many equal nodes, held against a plain
 * comparison of all nodes. The fleet fills up, so boxes of the tree are split anew. Meanwhile nodes
 * are cordoned and opened, workloads leave, and changes are tried out and taken back.
 */
class EqualNodesProperties {
  private static final int NODES = 200;

  /** How many workloads come between two other changes. */
  private static final int BATCH = 40;

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
    boolean[] closed = new boolean[NODES];
    List<Placed> placed = new ArrayList<>();
    for (int batch = 0; batch < 6 * NODES / BATCH; batch++) {
      List<int[]> needs = new ArrayList<>();
      List<Workload> workloads = new ArrayList<>();
      for (int i = 0; i < BATCH; i++) {
        int[] need = {5 * random.nextInt(1, 6), random.nextInt(1, 26)};
        needs.add(need);
        String name = "w" + batch + "-" + i;
        workloads.add(Workload.of(name, Resources.of("cpu", need[0], "mem", need[1])));
      }
      Assignments found = distributor.assign(workloads);
      for (int i = 0; i < BATCH; i++) {
        int best = best(rule, capacities, closed, used, needs.get(i));
        assertThat(found.node(i).orElse("none")).isEqualTo(best < 0 ? "none" : "n" + best);
        if (best >= 0) {
          add(used[best], needs.get(i), 1);
          placed.add(new Placed(workloads.get(i).name(), best, needs.get(i)));
        }
      }
      int node = random.nextInt(NODES);
      closed[node] = !closed[node];
      Change cordon =
          closed[node] ? new Change.Cordon("n" + node) : new Change.Uncordon("n" + node);
      distributor.apply(List.of(cordon));
      for (int i = 0; i < BATCH / 4; i++) {
        Placed gone = placed.remove(random.nextInt(placed.size()));
        distributor.release(gone.name);
        add(used[gone.node], gone.need, -1);
      }
      List<Change> tried = new ArrayList<>();
      placed.subList(0, BATCH / 4).forEach(each -> tried.add(new Change.Release(each.name)));
      Workload large = Workload.of("large", Resources.of("cpu", 60, "mem", 60));
      distributor.tryOut(tried, trial -> trial.assign(List.of(large)));
    }
  }

  private record Placed(String name, int node, int[] need) {}

  private static void add(int[] used, int[] need, int sign) {
    used[0] += sign * need[0];
    used[1] += sign * need[1];
  }

  private static int best(
      LoadRule rule, int[][] capacities, boolean[] closed, int[][] used, int[] need) {
    int best = -1;
    long bestScore = Long.MAX_VALUE;
    for (int i = 0; i < capacities.length; i++) {
      long cpu = used[i][0] + need[0];
      long mem = used[i][1] + need[1];
      if (!closed[i] && cpu <= capacities[i][0] && mem <= capacities[i][1]) {
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
}
