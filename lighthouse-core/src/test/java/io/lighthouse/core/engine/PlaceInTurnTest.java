package io.lighthouse.core.engine;

import static io.lighthouse.core.engine.PlantedFleet.node;
import static io.lighthouse.core.engine.PlantedFleet.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Budget;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Batch placers that have their batch placed in turn by a placer, and that have it settled. */
class PlaceInTurnTest {
  private static final String PLANTED = "class io.lighthouse.core.engine.PlantedFleet$Planted";

  private static final List<Workload> BATCH =
      List.of(workload("a", "cpu", 3), workload("b", "cpu", 4), workload("c", "cpu", 2));

  private static Distributor pair(Consumer<Session> place) {
    return pair((fleet, session) -> place.accept(session));
  }

  private static Distributor pair(BiConsumer<Fleet, Session> place) {
    return Distributors.of(
            new PlantedFleet.Planted(
                false, fleet -> (BatchPlacer) session -> place.accept(fleet, session)))
        .nodes(node("n1", "cpu", 5), node("n2", "cpu", 4))
        .build();
  }

  @Test
  void aRoundRobinPositionIsThatBeforeTheBatchEachTime() {
    Distributor distributor =
        pair(
            session -> {
              int start = session.savepoint();
              session.placeInTurn((load, nodes) -> nodes.firstAfter(0));
              session.rollBack(start);
              session.placeInTurn(Placer.FIRST);
              for (int load = 0; load < session.size(); load++) {
                session.release(load);
              }
              session.placeInTurn(Placer.FIRST);
            });
    assertThat(distributor.assign(BATCH).asMap())
        .isEqualTo(Map.of("a", Optional.of("n1"), "b", Optional.of("n2"), "c", Optional.of("n1")));
  }

  @Test
  void aRollBackRestoresTheRoundRobinPositionOfItsSavepoint() {
    List<Integer> positions = new ArrayList<>();
    Distributor distributor =
        pair(
            (fleet, session) -> {
              session.assign(0, 1);
              session.release(0);
              int savepoint = session.savepoint();
              positions.add(fleet.lastPlaced());
              session.placeInTurn(Placer.FIRST);
              session.rollBack(savepoint);
              positions.add(fleet.lastPlaced());
              session.placeInTurn(Placer.FIRST);
            });
    assertThat(distributor.assign(BATCH).allPlaced()).isTrue();
    assertThat(positions).containsExactly(1, 1);
  }

  /** The savepoint after it is the one before it, for nothing has changed. */
  @Test
  void theRoundRobinPositionIsThatOfTheSavepointAlsoAfterNoTurn() {
    List<Integer> positions = new ArrayList<>();
    Distributor distributor =
        pair(
            (fleet, session) -> {
              session.assign(0, 1);
              session.release(0);
              int first = session.savepoint();
              positions.add(fleet.lastPlaced());
              session.placeInTurn(Placer.FIRST, () -> false);
              int second = session.savepoint();
              positions.add(fleet.lastPlaced());
              for (int savepoint : new int[] {second, first}) {
                session.assign(0, 0);
                session.rollBack(savepoint);
                positions.add(fleet.lastPlaced());
              }
              session.placeInTurn(Placer.FIRST);
            });
    assertThat(distributor.assign(BATCH).allPlaced()).isTrue();
    assertThat(positions).containsExactly(1, 1, 1, 1);
  }

  @Test
  void stopsBeforeTheTurnThatIsNotWanted() {
    List<Integer> nodesAfterTwoTurns = new ArrayList<>();
    Distributor distributor =
        pair(
            session -> {
              AtomicInteger turns = new AtomicInteger();
              session.placeInTurn(
                  (load, nodes) -> nodes.first(), () -> turns.incrementAndGet() <= 2);
              for (int load = 0; load < session.size(); load++) {
                nodesAfterTwoTurns.add(session.nodeOf(load));
              }
              session.assign(2, 0);
            });
    assertThat(distributor.assign(BATCH).allPlaced()).isTrue();
    assertThat(nodesAfterTwoTurns).containsExactly(0, 1, -1);
  }

  @Test
  void aFailureWhereItIsAskedToGoOnIsTheStrategys() {
    Distributor distributor =
        pair(
            session ->
                session.placeInTurn(
                    Placer.FIRST,
                    () -> {
                      throw new IllegalStateException("planted");
                    }));
    assertThatThrownBy(() -> distributor.assign(BATCH))
        .isInstanceOf(StrategyException.class)
        .hasMessageContaining("planted");
    assertThat(distributor.snapshot().placedCount()).isZero();
  }

  @Test
  void refusesWhereSomethingIsPlaced() {
    Distributor distributor =
        pair(
            session -> {
              session.assign(1, 1);
              assertThatThrownBy(() -> session.placeInTurn(Placer.FIRST))
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessage("workload 'b' is placed already, on node 'n2'");
              session.release(1);
              session.placeInTurn(Placer.FIRST);
            });
    assertThat(distributor.assign(BATCH).allPlaced()).isTrue();
  }

  @Test
  void refusesPlacersOfWholeBatches() {
    Distributor distributor =
        pair(
            session -> {
              assertThatThrownBy(() -> session.placeInTurn((BatchPlacer) whole -> {}))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessage("a batch placer does not choose node by node");
              session.placeInTurn(Placer.FIRST);
            });
    assertThat(distributor.assign(BATCH).allPlaced()).isTrue();
  }

  @Test
  void itsPlacerCannotUseTheSession() {
    Distributor distributor =
        pair(
            session ->
                session.placeInTurn(
                    (load, nodes) -> {
                      session.assign(0, 0);
                      return nodes.first();
                    }));
    assertThatThrownBy(() -> distributor.assign(BATCH))
        .isInstanceOf(StrategyException.class)
        .hasMessageContaining("threw for workload 'a'")
        .hasMessageContaining("the batch is being placed in turn");
    assertThat(distributor.snapshot().placedCount()).isZero();
  }

  @Test
  void aWrongChoiceIsAFailureOfTheStrategy() {
    Distributor distributor = pair(session -> session.placeInTurn((load, nodes) -> null));
    assertThatThrownBy(() -> distributor.assign(BATCH))
        .isInstanceOf(StrategyException.class)
        .hasMessage("strategy 'planted' (%s) answered null for workload 'a'", PLANTED);
    assertThat(distributor.snapshot().placedCount()).isZero();
  }

  @Test
  void aWrongChoiceIsAFailureAlsoWhereItsExceptionIsCaught() {
    Distributor distributor =
        pair(
            session -> {
              try {
                session.placeInTurn((load, nodes) -> null);
              } catch (StrategyException caught) {
                session.placeInTurn(Placer.FIRST);
              }
            });
    assertThatThrownBy(() -> distributor.assign(BATCH))
        .isInstanceOf(StrategyException.class)
        .hasMessageContaining("answered null for workload 'a'");
    assertThat(distributor.snapshot().placedCount()).isZero();
  }

  @Test
  void endsWithItsThread() {
    for (Consumer<Session> use :
        List.<Consumer<Session>>of(session -> session.placeInTurn(Placer.FIRST), Session::settle)) {
      Distributor distributor =
          pair(
              session -> {
                Thread.currentThread().interrupt();
                use.accept(session);
              });
      assertThatThrownBy(() -> distributor.assign(BATCH)).isInstanceOf(CancellationException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(distributor.snapshot().placedCount()).isZero();
    }
  }

  /** One turn a step: after two the budget is spent, and what was kept is completed. */
  @Test
  void endsWhenTheBudgetIsSpent() {
    Distributor distributor =
        pair(session -> session.placeInTurn((load, nodes) -> nodes.firstAfter(0)));
    Assignments answer = distributor.assign(BATCH, Budget.ofSteps(2));
    assertThat(answer.asMap())
        .isEqualTo(Map.of("a", Optional.of("n2"), "b", Optional.of("n1"), "c", Optional.empty()));
  }

  @Test
  void settlingTakesABrokenGangAway() {
    Terms gang = Terms.NONE.inGang(Gang.of("g"));
    List<Workload> batch =
        List.of(
            workload("a", "cpu", 3).withTerms(gang),
            workload("b", "cpu", 9).withTerms(gang),
            workload("c", "cpu", 4));
    Distributor distributor =
        pair(
            session -> {
              session.assign(0, 0);
              session.assign(2, 1);
              session.settle();
              assertThat(session.nodeOf(0)).isEqualTo(-1);
              assertThat(session.nodeOf(2)).isEqualTo(1);
            });
    assertThat(distributor.assign(batch).asMap())
        .isEqualTo(Map.of("a", Optional.empty(), "b", Optional.empty(), "c", Optional.of("n2")));
  }
}
