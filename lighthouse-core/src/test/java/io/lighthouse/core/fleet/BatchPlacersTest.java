package io.lighthouse.core.fleet;

import static io.lighthouse.core.fleet.PlantedFleet.BATCH;
import static io.lighthouse.core.fleet.PlantedFleet.fleet;
import static io.lighthouse.core.fleet.PlantedFleet.node;
import static io.lighthouse.core.fleet.PlantedFleet.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a strategy that places whole batches is told, and what is told of it. */
class BatchPlacersTest {
  private Session kept;

  private static void firstFit(Session session) {
    for (int i = 0; i < session.size(); i++) {
      session.assign(i, session.candidates(i).first().index());
    }
  }

  @Test
  void aWorkloadIsExplainedBesideAllTheOthersAsIfItWereNotPlacedYet() {
    Distributor distributor =
        Distributors.of(
                new PlantedFleet.Planted(false, all -> (BatchPlacer) BatchPlacersTest::firstFit))
            .nodes(node("n0", "cpu", 4), node("n1", "cpu", 9))
            .build();
    List<Workload> batch = List.of(workload("a", "cpu", 3), workload("b", "cpu", 5));
    Explanation first = distributor.explain(0, batch);
    assertThat(first.chosen()).contains("n0");
    assertThat(first.nodes())
        .extracting(NodeVerdict::fits)
        .as("4 left of n0 without a; 4 left of n1 beside b")
        .containsExactly(true, true);
    Explanation second = distributor.explain(1, batch);
    assertThat(second.chosen()).contains("n1");
    assertThat(second.nodes())
        .extracting(NodeVerdict::fits)
        .as("1 left of n0 beside a")
        .containsExactly(false, true);
    assertThat(distributor.snapshot().placedCount()).isZero();
  }

  @Test
  void aPlacedWorkloadIsNoRivalOfItself() {
    List<Boolean> told = new ArrayList<>();
    fleet(
            all ->
                (BatchPlacer)
                    session -> {
                      session.assign(0, 0);
                      session.assign(1, 1);
                      told.add(session.averse(1, 1)); // It alone is on n1.
                      told.add(session.averse(1, 0)); // Another of its group sits on n0.
                      session.assign(2, 0);
                      told.add(session.averse(2, 0));
                      told.add(session.averse(0, 0)); // It has no group.
                    })
        .assign(BATCH);
    assertThat(told).containsExactly(false, true, true, false);
  }

  @Test
  void aSessionThatIsOverMarksAndGoesBackNoMore() {
    fleet(
            all ->
                (BatchPlacer)
                    session -> {
                      kept = session;
                      firstFit(session);
                    })
        .assign(BATCH);
    assertThatThrownBy(() -> kept.mark()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> kept.back(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> kept.averse(0, 0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> kept.candidates(0)).isInstanceOf(IllegalStateException.class);
  }
}
