package io.lighthouse.tests.plans;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Fleets with wards, immunities and aversion groups, in which plans have dozens of moves. The
 * number of waves is compared with a chain of changes that must follow each other, whatever the
 * order, and with {@link WaveBound}.
 */
class WavesOfLargeFleetsTest {
  private static final int NODES = 40;

  private static final int WORKLOADS = 320;

  @ParameterizedTest
  @CsvSource({"1,65", "2,65", "3,80", "4,80", "5,95", "6,95"})
  void thereAreFewMoreWavesThanTheLongestChain(int seed, int percent) {
    Random random = new Random(seed);
    List<Workload> workloads = workloads(random, percent);
    Distributor fleet = fleet(workloads, random);
    List<PlanGoal> goals =
        List.of(
            new PlanGoal.Drain(List.of("n0", "n1", "n2", "n3", "n4", "n5")),
            new PlanGoal.Evacuate(List.of("n6", "n7", "n8")),
            new PlanGoal.Consolidate(),
            new PlanGoal.Rebalance(),
            new PlanGoal.Repair(),
            new PlanGoal.Place(newcomers(workloads)));
    int waves = 0;
    int chains = 0;
    for (PlanGoal goal : goals) {
      for (int most : new int[] {1, Integer.MAX_VALUE}) {
        Plan plan = fleet.advisor().plan(goal, PlanLimits.NONE.withMostOfAGroup(most));
        int least = Math.max(least(fleet, plan), mostMoved(fleet, plan) / most);
        check(fleet, plan, least, random);
        waves += plan.waves().size();
        chains += least;
      }
    }
    assertThat(2 * waves)
        .as("%d waves, chains of %d", waves, chains)
        .isLessThanOrEqualTo(3 * chains);
  }

  /** Plans that gather room for newcomers: all moves fill what others leave. */
  @Test
  void placingTakesFewMoreWavesThanTheMovesRequire() {
    int waves = 0;
    int least = 0;
    for (int seed = 1; seed <= 8; seed++) {
      Random random = new Random(seed);
      List<Workload> workloads = workloads(random, 95);
      Distributor fleet = fleet(workloads, random);
      Plan plan = fleet.advisor().plan(new PlanGoal.Place(newcomers(workloads)), PlanLimits.NONE);
      check(fleet, plan, least(fleet, plan), random);
      waves += plan.waves().size();
      least += least(fleet, plan);
    }
    assertThat(10 * waves)
        .as("%d waves, at least %d", waves, least)
        .isLessThanOrEqualTo(16 * least);
  }

  private static Distributor fleet(List<Workload> workloads, Random random) {
    Distributor fleet =
        Distributors.installed().strategy("prioritized").nodes(nodes(random)).build();
    fleet.assign(workloads.subList(0, WORKLOADS * 9 / 10));
    return fleet;
  }

  private static List<Workload> newcomers(List<Workload> workloads) {
    return workloads.subList(WORKLOADS * 9 / 10, WORKLOADS);
  }

  /** No order of the changes takes fewer waves. */
  private static int least(Distributor fleet, Plan plan) {
    return Math.max(
        longestChain(fleet, plan.changes()),
        WaveBound.of(fleet.snapshot(), plan, List.of("cpu", "mem", "disk")));
  }

  /** One plan may need more than one and a half times a bound that no order may reach. */
  private static void check(Distributor fleet, Plan plan, int least, Random random) {
    int tenths = plan.goal() instanceof PlanGoal.Place ? 22 : 20;
    assertThat(10 * plan.waves().size())
        .as("%s: at least %d waves", plan.goal().word(), least)
        .isLessThanOrEqualTo(tenths * least);
    WaveJudge judge = new WaveJudge(order -> isLawful(fleet, order));
    assertThat(judge.failingOrder(plan.waves(), random)).as("%s", plan.goal().word()).isEmpty();
  }

  private static boolean isLawful(Distributor fleet, List<Change> order) {
    return fleet.tryOut(
        List.of(),
        tried -> {
          try {
            order.forEach(change -> tried.apply(change));
            return true;
          } catch (InvalidInputException unlawful) {
            return false;
          }
        });
  }

  /**
   * The number of changes that must follow each other. A change is in round 1 if it is lawful by
   * itself; else in the round after the first departures that make it so, with no arrival counted.
   */
  private static int longestChain(Distributor fleet, List<Change> changes) {
    Map<String, Integer> rounds = new HashMap<>();
    List<Change> waiting = new ArrayList<>(changes);
    int longest = 0;
    for (int round = 1; !waiting.isEmpty(); round++) {
      Distributor relaxed = fleet.copy();
      rounds.keySet().stream()
          .filter(name -> relaxed.snapshot().nodeOf(name).isPresent())
          .forEach(name -> relaxed.release(name));
      List<Change> found = new ArrayList<>();
      Set<String> seen = new HashSet<>();
      for (Change change : waiting) {
        if (seen.add(name(change)) && fits(relaxed, workload(fleet, changes, change), change)) {
          found.add(change);
        }
      }
      assertThat(found).as("no change of %s is possible", waiting).isNotEmpty();
      waiting.removeAll(found);
      for (Change change : found) {
        rounds.put(name(change), round);
      }
      longest = round;
    }
    return longest;
  }

  private static boolean fits(Distributor relaxed, Workload workload, Change change) {
    String to = change instanceof Change.Move move ? move.to() : ((Change.Assign) change).node();
    return relaxed.tryOut(
        List.of(),
        tried -> {
          if (tried.snapshot().nodeOf(workload.name()).isPresent()) {
            tried.release(workload.name());
          }
          try {
            tried.apply(new Change.Assign(workload, to));
            return true;
          } catch (InvalidInputException unlawful) {
            return false;
          }
        });
  }

  /** The workload of a change: a placed one, or one that another change assigns. */
  private static Workload workload(Distributor fleet, List<Change> changes, Change of) {
    return Stream.concat(
            fleet.snapshot().nodes().stream().flatMap(node -> node.workloads().stream()),
            changes.stream()
                .filter(Change.Assign.class::isInstance)
                .map(change -> ((Change.Assign) change).workload()))
        .filter(workload -> workload.name().equals(name(of)))
        .findFirst()
        .orElseThrow();
  }

  private static String name(Change change) {
    return change instanceof Change.Move move
        ? move.workload()
        : ((Change.Assign) change).workload().name();
  }

  /** How many workloads of one aversion group a plan moves at most. */
  private static int mostMoved(Distributor fleet, Plan plan) {
    Map<String, Integer> moved = new HashMap<>();
    for (Change change : plan.changes()) {
      if (change instanceof Change.Move) {
        workload(fleet, plan.changes(), change)
            .aversionGroups()
            .forEach(group -> moved.merge(group, 1, Integer::sum));
      }
    }
    return moved.values().stream().max(Integer::compare).orElse(0);
  }

  private static List<Node> nodes(Random random) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      int cpu = 32 << random.nextInt(2);
      Object[] has = {"cpu", cpu, "mem", 96 - cpu / 2, "disk", 60};
      Object[] guarded = {
        "cpu", cpu, "mem", 96 - cpu / 2, "disk", 60, "reserved", Quantity.NEGATIVE_INFINITY
      };
      nodes.add(Node.of("n" + i, Resources.of(random.nextInt(6) > 0 ? has : guarded)));
    }
    return nodes;
  }

  /** Workloads that need about a share of the fleet's cpu and memory. */
  private static List<Workload> workloads(Random random, int percent) {
    List<Workload> workloads = new ArrayList<>();
    int mean = NODES * 48 * percent / 100 / WORKLOADS;
    for (int i = 0; i < WORKLOADS; i++) {
      int size = 1 + random.nextInt(random.nextInt(4) == 0 ? 4 * mean : 2 * mean - 1);
      Resources needs =
          Resources.of("cpu", size, "mem", 1 + size * (1 + random.nextInt(3)) / 2, "disk", 1);
      Workload workload = Workload.of("w" + i, needs);
      workload = random.nextInt(6) > 0 ? workload : workload.withImmunities("reserved");
      workloads.add(random.nextInt(3) > 0 ? workload : workload.withAversionGroups("g" + i / 12));
    }
    return workloads;
  }
}
