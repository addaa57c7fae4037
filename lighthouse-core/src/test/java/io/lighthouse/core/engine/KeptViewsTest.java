package io.lighthouse.core.engine;

import static io.lighthouse.core.engine.PlantedFleet.BATCH;
import static io.lighthouse.core.engine.PlantedFleet.failsAndChangesNothing;
import static io.lighthouse.core.engine.PlantedFleet.fleet;
import static io.lighthouse.core.engine.PlantedFleet.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.FleetNode;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Views that a strategy keeps beyond its turn give it no information, and do no harm. */
class KeptViewsTest {
  @Nested
  class Keeping {
    private Candidates keptCandidates;
    private Iterator<FleetNode> keptIterator;
    private FleetNode keptNode;

    @Test
    void candidatesBeyondTheTurnGetsNothingFromThem() {
      Distributor distributor =
          fleet(
              fleet ->
                  (workload, candidates) -> {
                    keptCandidates = candidates;
                    keptIterator = candidates.iterator();
                    return candidates.first();
                  });
      distributor.assign(workload("w", "cpu", 1));
      endedAre(keptCandidates);
      assertThatThrownBy(keptIterator::next).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void candidatesOfATurnThatFailedGetsNothingFromThem() {
      Distributor distributor =
          fleet(
              fleet ->
                  (workload, candidates) -> {
                    keptCandidates = candidates;
                    return null;
                  });
      assertThatThrownBy(() -> distributor.assign(workload("w", "cpu", 1)))
          .isInstanceOf(StrategyException.class);
      endedAre(keptCandidates);
    }

    /** A turn in which nothing fits ends as any other: the strategy is not called, but keeps it. */
    @Test
    void candidatesAfterATurnInWhichNothingFitsGetsNothingFromThem() {
      Distributor distributor =
          fleet(
              fleet ->
                  (workload, candidates) -> {
                    keptCandidates = candidates;
                    return candidates.first();
                  });
      List<Workload> batch = List.of(workload("w", "cpu", 1), workload("large", "cpu", 1_000));
      assertThat(distributor.assign(batch).refused()).containsExactly("large");
      endedAre(keptCandidates);
      assertThatThrownBy(keptCandidates::first).hasMessageContaining("turn of these candidates");
    }

    private void endedAre(Candidates candidates) {
      assertThatThrownBy(candidates::first).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> candidates.firstAfter(0)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(candidates::iterator).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> candidates.best((a, b) -> 0))
          .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anIteratorOfAnEarlierTurnIsAFailure() {
      Distributor distributor =
          fleet(
              fleet ->
                  (workload, candidates) -> {
                    keptIterator = keptIterator == null ? candidates.iterator() : keptIterator;
                    return keptIterator.next();
                  });
      failsAndChangesNothing(distributor, List.of(BATCH.get(0), BATCH.get(2)), "earlier turn");
    }

    @Test
    void aNodeThatIsRemovedIsAFailure() {
      Distributor distributor =
          fleet(
              fleet ->
                  (workload, candidates) ->
                      keptNode = keptNode == null ? candidates.firstAfter(0) : keptNode);
      distributor.assign(workload("w", "cpu", 1));
      assertThat(keptNode.name()).isEqualTo("n1");
      distributor.release("w");
      distributor.removeNode("n1");
      failsAndChangesNothing(distributor, List.of(workload("last", "cpu", 1)), "fleet");
      assertThatThrownBy(() -> keptNode.left("cpu"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("removed");
    }

    @Test
    void aNodeBehindARemovedOneStillMeansTheSameNode() {
      Distributor distributor =
          fleet(
              fleet ->
                  (workload, candidates) ->
                      keptNode = keptNode == null ? candidates.firstAfter(0) : keptNode);
      distributor.assign(workload("w", "cpu", 1));
      distributor.releaseNode("n0");
      distributor.removeNode("n0");
      assertThat(keptNode.index()).isZero();
      assertThat(distributor.assign(workload("v", "cpu", 1)).nodeOf("v")).contains("n1");
      assertThat(keptNode.left("cpu")).contains(Quantity.of(7));
      assertThat(keptNode.capacity("cpu")).contains(Quantity.of(9));
      assertThat(keptNode.left("unknown")).isEmpty();
      assertThat(keptNode.left()).isEqualTo(Resources.of("cpu", 7));
      assertThat(keptNode.capacity()).isEqualTo(Resources.of("cpu", 9));
      assertThat(keptNode.placedCount()).isEqualTo(2);
      assertThat(keptNode.workloads()).extracting(Workload::name).containsExactly("w", "v");
    }
  }
}
