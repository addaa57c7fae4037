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
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Fleets with wards, immunities and aversion groups, in which plans have dozens of moves. The
 * number of waves is compared with what the changes need at least, whatever the order ({@link
 * WaveBound}).
 */
class WavesOfLargeFleetsTest {
  private static final int NODES = 40;

  private static final int WORKLOADS = 320;

  @ParameterizedTest
  @CsvSource({"1,65", "2,65", "3,80", "4,80", "5,95", "6,95"})
  void thereAreFewMoreWavesThanTheChangesRequire(int seed, int percent) {
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
    int least = 0;
    for (PlanGoal goal : goals) {
      for (int most : new int[] {1, Integer.MAX_VALUE}) {
        Plan plan = fleet.advisor().plan(goal, PlanLimits.NONE.withMostOfAGroup(most));
        least += check(fleet, plan, most, random);
        waves += plan.waves().size();
      }
    }
    assertThat(5 * waves).as("%d waves, at least %d", waves, least).isLessThanOrEqualTo(6 * least);
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
      PlanGoal goal = new PlanGoal.Place(newcomers(workloads));
      for (int most : new int[] {1, Integer.MAX_VALUE}) {
        Plan plan = fleet.advisor().plan(goal, PlanLimits.NONE.withMostOfAGroup(most));
        least += check(fleet, plan, most, random);
        waves += plan.waves().size();
      }
    }
    assertThat(3 * waves).as("%d waves, at least %d", waves, least).isLessThanOrEqualTo(4 * least);
  }

  /** Here the waves depend on the shuffles. */
  @Test
  void equalFleetsHaveEqualWaves() {
    assertThat(wavesOfAFullFleet()).isEqualTo(wavesOfAFullFleet());
  }

  private static List<List<Change>> wavesOfAFullFleet() {
    Random random = new Random(6);
    List<Workload> workloads = workloads(random, 95);
    PlanGoal goal = new PlanGoal.Place(newcomers(workloads));
    return fleet(workloads, random).advisor().plan(goal, PlanLimits.NONE).waves();
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

  /** Checks the waves of a plan; returns how many its changes need at least. */
  private static int check(Distributor fleet, Plan plan, int mostOfAGroup, Random random) {
    List<String> resources = List.of("cpu", "mem", "disk");
    int least = WaveBound.of(fleet.snapshot(), plan, resources, mostOfAGroup);
    assertThat(plan.waves().size()).as("%s", plan.goal().word()).isBetween(least, 9 * least / 5);
    WaveJudge judge = new WaveJudge(order -> isLawful(fleet, order));
    assertThat(judge.failingOrder(plan.waves(), random)).as("%s", plan.goal().word()).isEmpty();
    return least;
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
