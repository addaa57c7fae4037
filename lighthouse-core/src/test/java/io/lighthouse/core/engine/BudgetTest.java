package io.lighthouse.core.engine;

import static io.lighthouse.core.engine.PlantedFleet.averse;
import static io.lighthouse.core.engine.PlantedFleet.node;
import static io.lighthouse.core.engine.PlantedFleet.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Budget;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.BudgetOverException;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.core.Distributors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a search may spend, and what becomes of what it has found when that is over. */
class BudgetTest {
  private static final List<Workload> BATCH =
      List.of(workload("a", "cpu", 3), workload("b", "cpu", 4), workload("c", "cpu", 2));

  private final List<Long> seen = new ArrayList<>();

  private static Distributor with(Consumer<Session> place, Node... nodes) {
    return Distributors.of(new PlantedFleet.Planted(false, all -> (BatchPlacer) place::accept))
        .nodes(nodes)
        .build();
  }

  private static Distributor pair(Consumer<Session> place) {
    return with(place, node("n1", "cpu", 5), node("n2", "cpu", 4));
  }

  /** Goes on for ever. */
  private static void restless(Session session) {
    while (true) {
      int savepoint = session.savepoint();
      for (int i = 0; i < session.size(); i++) {
        for (int node = 1; node >= 0; node--) {
          if (session.nodeOf(i) < 0 && session.fits(i, node)) {
            session.assign(i, node);
          }
        }
      }
      session.rollBack(savepoint);
    }
  }

  @Test
  void countsTheFourQuestionsAndMovesAndNothingElse() {
    Distributor distributor =
        pair(
            session -> {
              seen.add(session.stepsLeft());
              session.fits(0, 0);
              session.candidates(0);
              seen.add(session.stepsLeft());
              session.assign(0, 0);
              session.release(0);
              seen.add(session.stepsLeft());
              session.averse(0, 0);
              session.nodeOf(0);
              session.workload(0);
              session.rollBack(session.savepoint());
              session.forget(session.savepoint());
              session.keep();
              session.required(0, new long[8]);
              assertThat(session.over()).isFalse();
              seen.add(session.stepsLeft());
              session.fits(0, 0);
              assertThat(session.over()).isTrue();
              seen.add(session.stepsLeft());
              session.assign(0, 0);
            });
    Assignments answer = distributor.assign(BATCH, Budget.ofSteps(5));
    assertThat(seen).containsExactly(5L, 3L, 1L, 1L, 0L);
    assertThat(answer.placedCount()).as("first fit, for nothing was kept").isEqualTo(3);
    assertThat(answer.nodeOf("a")).contains("n1");
  }

  @Test
  void isAsMuchAsItWantsWhereNobodySaysOtherwise() {
    Distributor distributor =
        pair(
            session -> {
              session.fits(0, 0);
              seen.add(session.stepsLeft());
              session.assign(0, 0);
              session.assign(1, 1);
              session.assign(2, 0);
            });
    distributor.assign(BATCH);
    distributor.releaseAll();
    distributor.assign(BATCH, Budget.UNLIMITED.within(Duration.ofDays(Long.MAX_VALUE / 86_400)));
    assertThat(seen).containsExactly(Long.MAX_VALUE, Long.MAX_VALUE);
  }

  @Test
  void endsWithTheNextStepOnceASearchWasToldThatItsTimeIsOver() {
    List<Boolean> ended = new ArrayList<>();
    Distributor distributor =
        pair(
            session -> {
              while (!session.over()) {
                Thread.onSpinWait();
              }
              ended.add(false);
              assertThatThrownBy(() -> session.fits(0, 0)).isInstanceOf(BudgetOverException.class);
              ended.add(true);
              session.fits(0, 0);
            });
    distributor.assign(BATCH, Budget.UNLIMITED.within(Duration.ofMillis(1)));
    assertThat(ended).containsExactly(false, true);
  }

  @Test
  void endsASearchThatNeverWould() {
    for (Budget budget :
        List.of(
            Budget.ofSteps(0),
            Budget.ofSteps(1000),
            Budget.UNLIMITED.within(Duration.ZERO),
            Budget.UNLIMITED.within(Duration.ofMillis(1)))) {
      Distributor distributor = pair(BudgetTest::restless);
      Assignments answer = distributor.assign(BATCH, budget);
      assertThat(answer.placedCount()).as(budget.toString()).isGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void theSameStepsGiveTheSameAnswer() {
    for (int steps = 0; steps < 40; steps++) {
      Assignments first = pair(BudgetTest::restless).assign(BATCH, Budget.ofSteps(steps));
      Assignments second = pair(BudgetTest::restless).assign(BATCH, Budget.ofSteps(steps));
      assertThat(second).isEqualTo(first);
    }
  }

  @Test
  void whatWasKeptIsTheAnswer() {
    Distributor distributor =
        pair(
            session -> {
              session.assign(0, 0);
              session.assign(1, 1);
              session.assign(2, 0);
              session.keep();
              session.release(0);
              session.release(1);
              session.assign(0, 1);
              restless(session);
            });
    Assignments answer = distributor.assign(BATCH, Budget.ofSteps(50));
    assertThat(answer).hasToString("{a: n1, b: n2, c: n1}");
    assertThat(distributor.snapshot().placedCount()).isEqualTo(3);
    assertThat(distributor.snapshot().lastPlaced()).isPresent();
  }

  @Test
  void whatIsNotPlacedInWhatWasKeptIsPlacedFirstFit() {
    Distributor distributor =
        pair(
            session -> {
              session.assign(0, 1);
              session.keep();
              restless(session);
            });
    assertThat(distributor.assign(BATCH, Budget.ofSteps(30)))
        .hasToString("{a: n2, b: n1, c: none}");
  }

  /** A workload that leaves an averse node may make room for one that was refused before it. */
  @Test
  void whatIsMadeOfItIsLawfulAlsoWhereOneMakesRoomForAnother() {
    Distributor distributor =
        with(
            session -> {
              session.assign(1, 0);
              session.keep();
              while (true) {
                session.fits(0, 0);
              }
            },
            new Node("n1", Resources.of("cpu", 3), List.of(averse("sitting", 0)), false),
            node("n2", "cpu", 2));
    assertThat(
            distributor.assign(
                List.of(workload("large", "cpu", 3), averse("small", 2)), Budget.ofSteps(9)))
        .hasToString("{large: n1, small: n2}");
  }

  /** The giver has to leave its averse node; the taker does not fit there without it. */
  @Test
  void whatIsMadeOfItOvercommitsNothing() {
    Distributor distributor =
        with(
            session -> {
              session.assign(0, 0);
              session.assign(1, 0);
              session.keep();
              while (true) {
                session.fits(2, 0);
              }
            },
            new Node("n1", Resources.of("cpu", 3), List.of(averse("sitting", 0)), false),
            node("n2", "cpu", 0));
    List<Workload> batch =
        List.of(averse("giver", -2), workload("taker", "cpu", 5), workload("more", "cpu", 9));
    Assignments answer = distributor.assign(batch, Budget.ofSteps(9));
    assertThat(answer).hasToString("{giver: n2, taker: none, more: none}");
    assertThat(distributor.node("n1").left()).isEqualTo(Resources.of("cpu", 3));
    assertThat(distributor.node("n2").left()).isEqualTo(Resources.of("cpu", 2));
  }

  /** Cut between two steps, a search may just have taken away what others stand on. */
  @Test
  void aSearchCutInTheMiddleOfAMoveIsNotCondemned() {
    List<Workload> batch = List.of(workload("giver", "cpu", -2), workload("taker", "cpu", 5));
    for (int steps = 0; steps < 12; steps++) {
      Distributor distributor =
          with(
              session -> {
                session.assign(0, 0);
                session.assign(1, 0);
                while (true) {
                  session.release(0);
                  session.assign(0, 1);
                  session.release(0);
                  session.assign(0, 0);
                }
              },
              node("n1", "cpu", 3),
              node("n2", "cpu", 0));
      distributor.assign(batch, Budget.ofSteps(steps));
      distributor
          .snapshot()
          .nodes()
          .forEach(
              state -> assertThat(state.left().get("cpu").orElseThrow().signum()).isNotNegative());
    }
  }

  @Test
  void theEndIsNotToBeThrownByAnybodyElse() {
    Distributor distributor =
        pair(
            session -> {
              throw new BudgetOverException();
            });
    assertThatThrownBy(() -> distributor.assign(BATCH, Budget.ofSteps(5)))
        .isInstanceOf(StrategyException.class)
        .hasMessageContaining("the budget of the search is over");
    assertThat(distributor.snapshot().placedCount()).isZero();
  }

  @Test
  void aStrategyThatChoosesOneByOneNeedsNone() {
    Distributor distributor =
        Distributors.of("first", (workload, candidates) -> candidates.first())
            .nodes(node("n1", "cpu", 5))
            .build();
    assertThat(distributor.assign(BATCH, Budget.ofSteps(0).within(Duration.ZERO)).placedCount())
        .isEqualTo(2);
  }
}
