package io.lighthouse.core.engine;

import static io.lighthouse.core.engine.PlantedFleet.BATCH;
import static io.lighthouse.core.engine.PlantedFleet.failsAndChangesNothing;
import static io.lighthouse.core.engine.PlantedFleet.fleet;
import static io.lighthouse.core.engine.PlantedFleet.node;
import static io.lighthouse.core.engine.PlantedFleet.state;
import static io.lighthouse.core.engine.PlantedFleet.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A strategy that places whole batches is judged by the state that it leaves behind. */
class PlantedBatchPlacersTest {
  private Session keptSession;
  private Candidates keptCandidates;

  private Distributor cheating(Consumer<Session> cheat) {
    return fleet(fleet -> (BatchPlacer) cheat::accept);
  }

  private void fails(Consumer<Session> cheat, String... saying) {
    Distributor distributor = cheating(cheat);
    distributor.addNode(node("n4", "cpu", 9));
    failsAndChangesNothing(distributor, BATCH, saying);
  }

  private void honestly(Session session) {
    for (int i = 0; i < session.size(); i++) {
      if (session.nodeOf(i) < 0) {
        session.assign(i, session.candidates(i).first().index());
      }
    }
  }

  @Test
  void honestlyWorks() {
    Distributor distributor = cheating(this::honestly);
    assertThat(distributor.assign(BATCH).asMap())
        .hasToString("{a=Optional[n0], b=Optional[n1], last=Optional[n0]}");
  }

  @Test
  void throwingIsAFailure() {
    fails(
        session -> {
          honestly(session);
          throw new IllegalArgumentException("gave up");
        },
        "threw",
        "gave up");
  }

  @Test
  void assigningWhatDoesNotFitIsAFailure() {
    fails(session -> session.assign(0, 2), "'a'", "does not fit", "'n2'");
    fails(session -> session.assign(0, 3), "'n3'");
    fails(session -> session.assign(0, 99), "99");
  }

  @Test
  void assigningTwiceIsAFailure() {
    fails(
        session -> {
          session.assign(0, 0);
          session.assign(0, 1);
        },
        "placed already");
  }

  @Test
  void releasingWhatIsNotPlacedIsAFailure() {
    fails(session -> session.release(0), "'a'", "not placed");
  }

  @Test
  void refusingWhatFitsIsAFailure() {
    fails(session -> session.assign(0, 0), "refused workload 'b'", "fits");
    fails(
        session -> {
          honestly(session);
          session.release(1);
        },
        "refused workload 'b'");
  }

  @Test
  void refusingWhatFitsIsAnAnswerOfAStrategyThatDeclaresIt() {
    Distributor distributor =
        fleet(
            new PlantedFleet.Planted(true, fleet -> (BatchPlacer) session -> session.assign(0, 0)));
    assertThat(distributor.assign(BATCH, AssignOption.EXPLAIN).refusals()).hasSize(2);
    assertThat(distributor.snapshot().placedCount()).isEqualTo(2);
  }

  @Test
  void sittingOnAnAverseNodeWhileAFriendlyOneFitsIsAFailure() {
    fails(
        session -> {
          session.assign(0, 0);
          session.assign(1, 1);
          session.assign(2, 0);
        },
        "left workload 'last'",
        "averse node 'n0'",
        "friendly node 'n4'");
  }

  @Test
  void sittingOnAnAverseNodeWhereNoFriendlyOneFitsIsNone() {
    Distributor distributor =
        cheating(
            session -> {
              session.assign(0, 0);
              session.assign(1, 1);
              session.assign(2, 1);
            });
    assertThat(distributor.assign(BATCH).nodeOf("last")).contains("n1");
  }

  private final List<Workload> giverAndTaker =
      List.of(workload("giver", "cpu", -3), workload("taker", "cpu", 12));

  @Test
  void takingAwayWhoGaveRoomIsAFailure() {
    Distributor distributor =
        cheating(
            session -> {
              session.assign(0, 1);
              session.assign(1, 1); // Only with what the giver gave.
              session.release(0);
              session.assign(0, 0);
            });
    failsAndChangesNothing(distributor, giverAndTaker, "left workload 'taker'", "node 'n1'");
  }

  @Test
  void takingAwayWhoGaveRoomAndPuttingItBackIsNone() {
    Distributor distributor =
        cheating(
            session -> {
              session.assign(0, 1);
              session.assign(1, 1);
              session.release(0);
              session.assign(0, 1);
            });
    assertThat(distributor.assign(giverAndTaker).allPlaced()).isTrue();
    assertThat(distributor.node("n1").left()).isEqualTo(Resources.of("cpu", 0));
    assertThat(distributor.node("n1").workloads())
        .as("in an order in which each fits at its turn")
        .extracting(Workload::name)
        .containsExactly("giver", "taker");
    assertThat(distributor.snapshot().lastPlaced()).contains("n1");
  }

  @Test
  void goingBackToAMarkThatIsGoneIsAFailure() {
    fails(
        session -> {
          int first = session.savepoint();
          session.assign(0, 0);
          int gone = session.savepoint();
          session.rollBack(first);
          session.assign(0, 1);
          session.rollBack(gone);
        },
        "gone");
    fails(session -> session.rollBack(1), "savepoint 1 is gone");
    fails(session -> session.rollBack(-1), "gone");
  }

  @Test
  void goingBackTakesBackEverythingAndKeepsTheMark() {
    List<String> seen = new ArrayList<>();
    Distributor distributor =
        cheating(
            session -> {
              session.assign(0, 0);
              int mark = session.savepoint();
              for (int round = 0; round < 3; round++) {
                session.release(0);
                session.assign(0, 1);
                session.assign(2, 1);
                session.rollBack(mark);
                seen.add(session.nodeOf(0) + " " + session.nodeOf(1) + " " + session.nodeOf(2));
              }
              honestly(session);
            });
    distributor.assign(BATCH);
    assertThat(seen).containsExactly("0 -1 -1", "0 -1 -1", "0 -1 -1");
    assertThat(distributor.node("n0").workloads())
        .extracting(Workload::name)
        .containsExactly("sitting", "a", "last");
    assertThat(distributor.snapshot().lastPlaced()).contains("n0");
  }

  @Test
  void keepingTheSessionOrItsCandidatesGetsNothingFromThem() {
    Distributor distributor =
        cheating(
            session -> {
              keptSession = session;
              keptCandidates = session.candidates(2);
              keptCandidates.first();
              honestly(session);
            });
    distributor.assign(BATCH);
    List<Object> before = state(distributor);
    assertThatThrownBy(keptCandidates::first).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> keptSession.assign(0, 0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> keptSession.release(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> keptSession.fits(0, 0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> keptSession.averse(0, 0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> keptSession.candidates(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> keptSession.savepoint()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> keptSession.rollBack(0)).isInstanceOf(IllegalStateException.class);
    assertThat(state(distributor)).isEqualTo(before);
  }

  @Test
  void candidatesAreOfTheMomentTheyWereAskedFor() {
    fails(
        session -> {
          Candidates stale = session.candidates(0);
          session.assign(1, 1);
          session.assign(0, stale.first().index());
        },
        "changed");
  }

  @Test
  void isExplainedAsItIsDoneAlsoWhereALaterOneDroveTheNodeBelowZero() {
    Distributor distributor =
        fleet(
            fleet ->
                (BatchPlacer)
                    session -> {
                      for (int i = 0; i < session.size(); i++) {
                        session.assign(i, 1);
                      }
                    });
    List<Workload> batch =
        List.of(workload("a", "cpu", 6), workload("b", "cpu", 6).withImmunities("cpu"));
    for (int i = 0; i < batch.size(); i++) {
      assertThat(distributor.explain(i, batch).chosen()).contains("n1");
    }
    assertThat(distributor.assign(batch).nodeOf("a")).contains("n1");
  }

  @Test
  void itIsToldTheTruthAboutFitAndAversion() {
    List<Object> seen = new ArrayList<>();
    Distributor distributor =
        cheating(
            session -> {
              seen.add(session.fits(0, 0));
              seen.add(session.fits(0, 2));
              seen.add(session.fits(0, 3));
              seen.add(session.averse(1, 0));
              seen.add(session.averse(1, 1));
              session.assign(1, 1);
              seen.add(session.averse(1, 1)); // Not of itself.
              seen.add(session.averse(2, 1));
              honestly(session);
            });
    distributor.assign(BATCH);
    assertThat(seen).containsExactly(true, false, false, true, false, false, true);
  }

  @Test
  void candidatesOfWhatFitsNowhereDeclineAndIterateOverNothing() {
    List<Object> seen = new ArrayList<>();
    Distributor distributor =
        cheating(
            session -> {
              Candidates none = session.candidates(0);
              seen.add(none.iterator().hasNext());
              seen.add(none.first() == none.decline());
              seen.add(none.firstAfter(1) == none.decline());
              seen.add(none.best((a, b) -> 0) == none.decline());
            });
    assertThat(distributor.assign(workload("w", "cpu", 99)).refusedCount()).isEqualTo(1);
    assertThat(seen).containsExactly(false, true, true, true);
  }
}
