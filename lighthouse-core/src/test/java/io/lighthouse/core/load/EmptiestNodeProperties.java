package io.lighthouse.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.Condition;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.statistics.Statistics;

/**
 * The emptiest node of a large fleet, where tags, wards, conditions and aversion leave part of the
 * nodes, and nodes come, go and change, held against a plain comparison of all nodes.
 */
class EmptiestNodeProperties {
  /** The larger fleet is beyond those whose trees assertions build and check at every question. */
  private static final int[] NODES = {700, 2_100};

  /** More nodes than are checked beside the tree. */
  private static final int RUSH = 300;

  @Property(tries = 40, shrinking = ShrinkingMode.OFF)
  void isTheFirstOfTheLeastInUse(@ForAll long seed) {
    Random random = new Random(seed);
    int share = 1 + random.nextInt(12);
    int size = NODES[random.nextInt(NODES.length)];
    List<Plain> plain = new ArrayList<>();
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Plain node = new Plain(16 << random.nextInt(2), random.nextInt(share) == 0);
      plain.add(node);
      nodes.add(node.asNode("n" + i));
    }
    Distributor distributor = Distributors.of(new Emptiest()).nodes(nodes).build();
    int chosen = 0;
    for (int batch = 0; batch < 8; batch++) {
      for (int i = random.nextInt(batch < 5 ? 12 : 120); batch > 2 && i > 0; i--) {
        change(distributor, plain, random);
      }
      for (int i = 0; batch == 2 && i < RUSH; i++) {
        add(distributor, plain, new Plain(1, random.nextBoolean()));
      }
      List<Wish> wishes = new ArrayList<>();
      List<Workload> workloads = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        Wish wish =
            new Wish(
                1 + random.nextInt(6),
                random.nextInt(5),
                random.nextInt(3) == 0 ? "g" + random.nextInt(3) : null);
        wishes.add(wish);
        workloads.add(wish.asWorkload("w" + batch + "-" + i));
      }
      Assignments found = distributor.assign(workloads);
      for (int i = 0; i < wishes.size(); i++) {
        int best = best(plain, wishes.get(i));
        assertThat(found.node(i).orElse("none")).isEqualTo(best < 0 ? "none" : "n" + best);
        if (best >= 0) {
          plain.get(best).take(wishes.get(i));
          chosen++;
        }
      }
    }
    Statistics.label("nodes").collect(size);
    Statistics.label("marked").collect(share > 6 ? "few" : share > 1 ? "some" : "all");
    assertThat(chosen).isPositive();
  }

  /** Adds, removes, resizes, cordons or opens a node; a removed node leaves its slot empty. */
  private static void change(Distributor distributor, List<Plain> plain, Random random) {
    int which = random.nextInt(plain.size());
    Plain node = plain.get(which);
    String name = "n" + which;
    if (random.nextInt(3) == 0) {
      add(distributor, plain, new Plain(16 << random.nextInt(3), random.nextBoolean()));
    } else if (node.gone) {
      return;
    } else if (random.nextBoolean()) {
      node.cpu = Math.max(node.used, 16) + random.nextInt(9);
      distributor.apply(List.of(new Change.Resize(name, node.asNode(name).resources())));
    } else if (node.used == 0 && random.nextBoolean()) {
      distributor.removeNode(name);
      node.gone = true;
    } else {
      node.cordoned = !node.cordoned;
      distributor.apply(
          List.of(node.cordoned ? new Change.Cordon(name) : new Change.Uncordon(name)));
    }
  }

  private static void add(Distributor distributor, List<Plain> plain, Plain fresh) {
    distributor.addNode(fresh.asNode("n" + plain.size()));
    plain.add(fresh);
  }

  /** The friendly nodes that fit first, then the least in use, then the first. */
  private static int best(List<Plain> nodes, Wish wish) {
    int best = -1;
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i).takes(wish) && (best < 0 || nodes.get(i).better(nodes.get(best), wish))) {
        best = i;
      }
    }
    return best;
  }

  /** What a workload wants: 0 and 1 anything, 2 bears the ward, 3 the tag, 4 a kind of disk. */
  private record Wish(int cpu, int kind, String group) {
    Workload asWorkload(String name) {
      Resources resources =
          kind == 3 ? Resources.of("cpu", cpu, "ssd", 0) : Resources.of("cpu", cpu);
      Workload workload = Workload.of(name, resources);
      workload = kind == 2 ? workload.withImmunities("ward") : workload;
      workload = group != null ? workload.withAversionGroups(group) : workload;
      return kind == 4
          ? workload.withTerms(Terms.NONE.where(new Condition.In("disk", Set.of("fast"))))
          : workload;
    }
  }

  private static final class Emptiest implements PlacementStrategy {
    @Override
    public String name() {
      return "emptiest";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return (workload, candidates) -> candidates.emptiest();
    }
  }

  private static final class Plain {
    private final boolean marked;
    private final Set<String> groups = new HashSet<>();
    private int cpu;
    private int used;
    private boolean gone;
    private boolean cordoned;

    Plain(int cpu, boolean marked) {
      this.cpu = cpu;
      this.marked = marked;
    }

    /** What is marked is fast and tagged; all others are guarded by a ward. */
    Node asNode(String name) {
      Resources resources =
          marked
              ? Resources.of("cpu", cpu, "ssd", Quantity.INFINITY)
              : Resources.of("cpu", cpu, "ward", -1);
      return new Node(
          name, resources, List.of(), false, Map.of("disk", marked ? "fast" : "slow"), Map.of());
    }

    boolean takes(Wish wish) {
      return !gone && !cordoned && used + wish.cpu <= cpu && (marked || wish.kind == 2);
    }

    boolean better(Plain other, Wish wish) {
      boolean averse = wish.group != null && groups.contains(wish.group);
      boolean otherAverse = wish.group != null && other.groups.contains(wish.group);
      return averse != otherAverse
          ? otherAverse
          : (used + wish.cpu) * other.cpu < (other.used + wish.cpu) * cpu;
    }

    void take(Wish wish) {
      used += wish.cpu;
      if (wish.group != null) {
        groups.add(wish.group);
      }
    }
  }
}
