package io.lighthouse.core.engine;

import static io.lighthouse.core.engine.PlantedFleet.BATCH;
import static io.lighthouse.core.engine.PlantedFleet.fleet;
import static io.lighthouse.core.engine.PlantedFleet.node;
import static io.lighthouse.core.engine.PlantedFleet.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a strategy that places whole batches is given, and what is reported of it. */
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
    assertThatThrownBy(() -> kept.savepoint()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> kept.rollBack(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> kept.averse(0, 0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> kept.candidates(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> kept.workload(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> kept.nodeOf(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> kept.forget(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> kept.keep()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> kept.over()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> kept.stepsLeft()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> kept.required(0, new long[9]))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void savepointsOfOneStateAreOneAndAForgottenOneIsGone() {
    List<Integer> placed = new ArrayList<>();
    declining(
            session -> {
              int start = session.savepoint();
              session.assign(0, 0);
              int outer = session.savepoint();
              int inner = session.savepoint();
              assertThat(inner).isEqualTo(outer);
              session.assign(1, 1);
              int last = session.savepoint();
              session.forget(outer);
              for (int gone : new int[] {outer, last}) {
                assertThatThrownBy(() -> session.rollBack(gone))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("savepoint " + gone + " is gone");
                assertThatThrownBy(() -> session.forget(gone))
                    .isInstanceOf(IllegalStateException.class);
              }
              placed.add(placed(session));
              session.rollBack(start);
              placed.add(placed(session));
            })
        .assign(BATCH);
    assertThat(placed).as("what was done stands").containsExactly(2, 0);
  }

  /** Asking leaves candidates and savepoints as they are, which a change would not. */
  @Test
  void whatOnlyAsksTouchesNothing() {
    fleet(
            all ->
                (BatchPlacer)
                    session -> {
                      firstFit(session);
                      session.release(0);
                      int savepoint = session.savepoint();
                      var candidates = session.candidates(0);
                      session.averse(1, session.nodeOf(1));
                      session.averse(1, 0);
                      session.fits(0, 1);
                      session.nodeOf(2);
                      session.keep();
                      session.over();
                      session.required(0, new long[all.amounts().ids()]);
                      assertThat(session.savepoint()).isEqualTo(savepoint);
                      session.assign(0, candidates.first().index());
                    })
        .assign(BATCH);
  }

  @Test
  void aStateThatIsRolledBackToHasTheSameSavepoint() {
    List<Integer> placed = new ArrayList<>();
    declining(
            session -> {
              int before = session.savepoint();
              session.assign(0, 0);
              session.rollBack(before);
              placed.add(placed(session));
              assertThat(session.savepoint()).isEqualTo(before);
            })
        .assign(BATCH);
    assertThat(placed).containsExactly(0);
  }

  /** The same fleet, with a strategy that may refuse what fits. */
  private static Distributor declining(BatchPlacer placer) {
    return fleet(new PlantedFleet.Planted(true, all -> placer));
  }

  @Test
  void marksAreGoodInAnyNumberUntilAnEarlierOneIsGoneBackTo() {
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < 18; i++) {
      batch.add(workload("w" + i, "cpu", 0));
    }
    List<Integer> placed = new ArrayList<>();
    declining(
            session -> {
              List<Integer> marks = new ArrayList<>();
              for (int i = 0; i < 18; i++) {
                marks.add(session.savepoint());
                assertThat(session.savepoint()).as("of the same state").isEqualTo(marks.get(i));
                session.assign(i, i % 2);
              }
              for (int back : new int[] {17, 12, 12, 9, 3}) {
                session.rollBack(marks.get(back));
                placed.add(placed(session));
                for (int gone = back + 1; gone < 18; gone++) {
                  int mark = marks.get(gone);
                  assertThatThrownBy(() -> session.rollBack(mark))
                      .isInstanceOf(IllegalStateException.class)
                      .hasMessageContaining("savepoint " + mark + " is gone");
                }
              }
            })
        .assign(batch);
    assertThat(placed).containsExactly(17, 12, 12, 9, 3);
  }

  private static int placed(Session session) {
    int placed = 0;
    for (int i = 0; i < session.size(); i++) {
      placed += session.nodeOf(i) >= 0 ? 1 : 0;
    }
    return placed;
  }

  @Test
  void eachRefusalTellsOfItsOwnWorkload() {
    List<Workload> batch =
        List.of(
            workload("a", "cpu", 20),
            workload("b", "cpu", 1),
            workload("c", "gpu", 1),
            workload("d", "cpu", 1));
    Assignments assignments =
        declining(session -> session.assign(1, 0)).assign(batch, AssignOption.EXPLAIN);
    assertThat(assignments.refusals()).extracting(Refusal::workload).containsExactly("a", "c", "d");
    assertThat(assignments.refusals())
        .extracting(refusal -> refusal.counts().stream().map(ReasonCount::kind).toList())
        .containsExactly(
            List.of(Reason.Kind.CORDONED, Reason.Kind.SHORT),
            List.of(Reason.Kind.CORDONED, Reason.Kind.MISSING),
            List.of(Reason.Kind.CORDONED, Reason.Kind.SHORT, Reason.Kind.DECLINED));
  }

  @Test
  void whatAGiverTakenAwayLeavesIsJudgedInTheOrderThatFitsBest() {
    // In the order of the batch the immune one would come first, and leave no room for the other.
    List<Workload> batch =
        List.of(
            workload("immune", "cpu", 12).withImmunities("cpu"),
            workload("plain", "cpu", 10),
            workload("giver", "cpu", -2));
    for (int node = 0; node < 2; node++) {
      int on = node;
      Assignments assignments =
          declining(
                  session -> {
                    session.assign(2, on);
                    session.assign(1, on);
                    session.release(2);
                    session.assign(2, on);
                    session.assign(0, on);
                  })
              .assign(batch);
      assertThat(assignments.allPlaced()).isTrue();
    }
  }

  @Test
  void whatOnlyAGiverThatIsGoneMadeRoomForIsFoundOnTheFirstNodeToo() {
    List<Workload> batch = List.of(workload("giver", "cpu", -2), workload("taker", "cpu", 10));
    Distributor distributor =
        declining(
            session -> {
              session.assign(0, 0);
              session.assign(1, 0);
              session.release(0);
            });
    assertThatThrownBy(() -> distributor.assign(batch))
        .isInstanceOf(StrategyException.class)
        .hasMessageContaining("left workload 'taker' on node 'n0', which it does not fit");
  }
}
