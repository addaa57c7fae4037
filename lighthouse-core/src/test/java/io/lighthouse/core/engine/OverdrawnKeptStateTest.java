package io.lighthouse.core.engine;

import static io.lighthouse.core.engine.PlantedFleet.node;
import static io.lighthouse.core.engine.PlantedFleet.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Budget;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * When a budget is over, the kept state is restored in the order of the batch. Equal workloads may
 * then take a node below 0 before the workload that gives comes back. The index must follow.
 */
class OverdrawnKeptStateTest {
  private static final int GIVER = 3;

  /** Above 2,048 nodes no assertion compares the index with a plain scan. */
  @ParameterizedTest
  @ValueSource(ints = {300, 2_100})
  void theIndexCountsWhatReplicasTakeBelowZero(int nodes) {
    List<Node> fleet = new ArrayList<>();
    fleet.add(node("kept", "lic", 10));
    fleet.add(node("moved", "lic", 10));
    while (fleet.size() < nodes) {
      fleet.add(node("n" + fleet.size(), "cpu", 5));
    }
    Distributor distributor =
        Distributors.of(
                new PlantedFleet.Planted(
                    false, all -> (BatchPlacer) OverdrawnKeptStateTest::keepThenMove))
            .nodes(fleet)
            .build();
    for (int i = 0; i < 20; i++) { // Until an index is built.
      distributor.fitting(workload("any", "cpu", 9));
    }
    List<Workload> batch = new ArrayList<>(workload("w", "lic", 5).replicas(GIVER));
    batch.add(workload("giver", "lic", -5));
    Assignments answer = distributor.assign(batch, Budget.ofSteps(100));
    assertThat(answer.asMap().values()).allSatisfy(on -> assertThat(on).contains("kept"));
    distributor.addNode(node("late", "cpu", 50, "lic", -3));
    assertThat(distributor.fitting(workload("x", "cpu", 40).withImmunities("lic")))
        .containsExactly("late");
    assertThat(distributor.fitting(workload("x", "cpu", 40))).isEmpty();
  }

  /** Keeps all on the first node, moves most to the second, and spends the rest of the budget. */
  private static void keepThenMove(Session session) {
    session.assign(GIVER, 0);
    for (int i = 0; i < GIVER; i++) {
      session.assign(i, 0);
    }
    session.keep();
    for (int i = 0; i <= GIVER; i++) {
      session.release(i);
    }
    session.assign(GIVER, 1);
    session.assign(0, 1);
    while (true) {
      session.fits(1, 1);
    }
  }
}
