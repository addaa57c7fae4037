package io.lighthouse.tests.answers;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Endless capacities and huge gifts. */
class ExtremeAmountsTest {
  /** Where 120 workloads go by pack; the nodes have an endless net, or all need none of it. */
  private static Map<String, Optional<String>> packed(int seed, boolean endless) {
    Random random = new Random(seed);
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      nodes.add(
          Node.of("n" + i, Resources.of("cpu", 100, "mem", 100, "net", endless ? "inf" : "0")));
    }
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      int cpu = 5 + random.nextInt(45);
      int mem = 5 + random.nextInt(45);
      batch.add(Workload.of("w" + i, Resources.of("cpu", cpu, "mem", mem, "net", endless ? 1 : 0)));
    }
    Distributor fleet = Distributors.installed().strategy("pack").nodes(nodes).build();
    return fleet.assign(batch).asMap();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void aResourceThatNeverRunsShortDoesNotChangeHowWorkloadsArePacked(int seed) {
    assertThat(packed(seed, true))
        .isEqualTo(packed(seed, false))
        .doesNotContainValue(Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(longs = {1_000, 3_000_000, 1_000_000_000_000L})
  void boundsHoldWhereAWorkloadGivesFarMoreThanANodeHas(long unit) {
    Distributor fleet =
        Distributors.installed()
            .strategy("prioritized")
            .nodes(Node.of("n1", Resources.of("cpu", 1)), Node.of("n2", Resources.of("cpu", 1)))
            .build();
    List<Workload> batch =
        List.of(
            Workload.of("giver", Resources.of("cpu", -2 * unit)),
            Workload.of("one", Resources.of("cpu", unit - 1)),
            Workload.of("other", Resources.of("cpu", unit - 1)));
    int fewest = fleet.advisor().bounds(batch).fewestNodes();
    int most = fleet.advisor().bounds(batch).mostPlaced();
    assertThat(fleet.assign(batch).refused()).isEmpty();
    long used = fleet.snapshot().nodes().stream().filter(n -> !n.workloads().isEmpty()).count();
    assertThat(used).isEqualTo(1).isGreaterThanOrEqualTo(fewest);
    assertThat(most).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(longs = {1_000, 3_000_000, 1_000_000_000_000L})
  void boundsHoldWhereAPlacedWorkloadGivesFarMoreThanANodeHas(long unit) {
    Distributor fleet =
        Distributors.installed()
            .strategy("prioritized")
            .nodes(Node.of("n1", Resources.of("cpu", 1)), Node.of("n2", Resources.of("cpu", 1)))
            .build();
    fleet.assign(Workload.of("giver", Resources.of("cpu", -4 * unit)));
    List<Workload> batch = Workload.of("one", Resources.of("cpu", unit)).replicas(4);
    int most = fleet.advisor().bounds(batch).mostPlaced();
    PlanLimits giverStays = PlanLimits.NONE.withPinned(Set.of("giver"));
    Plan plan = fleet.advisor().plan(new PlanGoal.Place(batch), giverStays);
    assertThat(fleet.assign(batch).refused()).isEmpty();
    assertThat(most).isEqualTo(4);
    assertThat(plan.bound().best()).isEqualTo(Quantity.of(4));
  }
}
