package io.lighthouse.core.engine;

import static io.lighthouse.core.engine.PlantedFleet.BATCH;
import static io.lighthouse.core.engine.PlantedFleet.fleet;
import static io.lighthouse.core.engine.PlantedFleet.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call on an interrupted thread ends, changes nothing, and blames no strategy. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InterruptedThreadTest {
  private static final Placer FIRST = (workload, candidates) -> candidates.first();

  @AfterEach
  void nobodyElseIsMeant() {
    Thread.interrupted();
  }

  private static void interrupt() {
    Thread.currentThread().interrupt();
  }

  /** The call is cancelled, the flag is kept, and once it is cleared all is as before. */
  private static Throwable isCancelled(Distributor distributor, ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown)
        .isInstanceOf(CancellationException.class)
        .hasMessageContainingAll("taken back", "interrupted");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(state(distributor)).isEqualTo(state(fleet(fleet -> FIRST)));
    return thrown;
  }

  @Nested
  class OneByOne {
    @Test
    void theBatchIsTakenBackAndTheNextOneIsPlaced() {
      Distributor distributor = fleet(fleet -> FIRST);
      for (AssignOption option : AssignOption.values()) {
        interrupt();
        isCancelled(distributor, () -> distributor.assign(BATCH, option));
      }
      interrupt();
      isCancelled(distributor, () -> distributor.explain(2, BATCH));
      assertThat(distributor.assign(BATCH).asMap())
          .hasToString("{a=Optional[n0], b=Optional[n1], last=Optional[n0]}");
    }

    @Test
    void aBatchThatFitsNowhereEndsThoughNoStrategyIsAsked() {
      Distributor distributor = fleet(fleet -> FIRST);
      interrupt();
      isCancelled(
          distributor, () -> distributor.assign(List.of(PlantedFleet.workload("big", "cpu", 99))));
    }

    @Test
    void whatWasPlacedBeforeInTheBatchIsTakenBackToo() {
      Distributor distributor =
          fleet(
              fleet ->
                  (workload, candidates) -> {
                    if (workload.name().equals("b")) {
                      interrupt();
                    }
                    return candidates.first();
                  });
      isCancelled(distributor, () -> distributor.assign(BATCH));
    }

    @Test
    void aStrategyThatAsksForEverIsStopped() {
      for (Consumer<Candidates> question :
          List.<Consumer<Candidates>>of(
              candidates -> candidates.first(),
              candidates -> candidates.firstAfter(0),
              candidates -> candidates.best((one, other) -> 0),
              candidates -> candidates.iterator().next())) {
        Distributor distributor =
            fleet(
                fleet ->
                    (workload, candidates) -> {
                      interrupt();
                      while (true) {
                        question.accept(candidates);
                      }
                    });
        isCancelled(distributor, () -> distributor.assign(BATCH));
      }
    }

    @Test
    void aStrategyThatAsksAKeptOrderForEverIsStopped() {
      Distributor distributor =
          fleet(
              fleet -> {
                var order = fleet.orderBy("cpu");
                return (workload, candidates) -> {
                  interrupt();
                  while (true) {
                    candidates.first(order);
                  }
                };
              });
      isCancelled(distributor, () -> distributor.assign(BATCH));
    }

    @Test
    void whatAStrategyCatchesIsThrownAgain() {
      Distributor distributor =
          fleet(
              fleet ->
                  (workload, candidates) -> {
                    FleetNode node = candidates.first();
                    interrupt();
                    try {
                      return candidates.first();
                    } catch (CancellationException hidden) {
                      return node;
                    }
                  });
      isCancelled(distributor, () -> distributor.assign(BATCH));
    }

    @Test
    void aStrategyMayThrowBecauseOfIt() {
      RuntimeException own = new IllegalStateException("interrupted while I waited");
      Distributor distributor =
          fleet(
              fleet ->
                  (workload, candidates) -> {
                    interrupt();
                    throw own;
                  });
      assertThat(isCancelled(distributor, () -> distributor.assign(BATCH))).hasCause(own);
    }

    @Test
    void aStrategyThatCancelsUnaskedIsBroken() {
      Distributor distributor =
          fleet(
              fleet ->
                  (workload, candidates) -> {
                    throw new CancellationException("no more");
                  });
      assertThatThrownBy(() -> distributor.assign(BATCH))
          .isInstanceOf(StrategyException.class)
          .hasMessageContaining("no more");
    }
  }

  @Nested
  class AtOnce {
    private Distributor with(Consumer<Session> place) {
      return fleet(fleet -> (BatchPlacer) place::accept);
    }

    @Test
    void everyQuestionAndEveryChangeEndsIt() {
      for (Consumer<Session> step :
          List.<Consumer<Session>>of(
              session -> session.workload(0),
              session -> session.nodeOf(0),
              session -> session.fits(1, 1),
              session -> session.averse(1, 1),
              session -> session.candidates(1),
              session -> session.savepoint(),
              session -> session.rollBack(0),
              session -> session.assign(1, 1),
              session -> session.release(0))) {
        Distributor distributor =
            with(
                session -> {
                  session.savepoint();
                  session.assign(0, 1);
                  interrupt();
                  while (true) {
                    step.accept(session);
                  }
                });
        isCancelled(distributor, () -> distributor.assign(BATCH));
      }
    }

    @Test
    void theJudgementEndsTooAndDoesNotBlameWhatIsHalfDone() {
      Distributor distributor =
          with(
              session -> {
                session.assign(0, 1);
                interrupt();
              });
      isCancelled(distributor, () -> distributor.assign(BATCH));
      interrupt();
      isCancelled(distributor, () -> distributor.explain(0, BATCH));
    }
  }

  @Test
  void anotherThreadMayEndACall() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Distributor distributor =
        fleet(
            fleet ->
                (workload, candidates) -> {
                  begun.countDown();
                  while (true) {
                    candidates.first();
                  }
                });
    FutureTask<Throwable> call =
        new FutureTask<>(() -> catchThrowable(() -> distributor.assign(BATCH)));
    Thread thread = new Thread(call, "to be interrupted");
    thread.start();
    begun.await();
    thread.interrupt();
    assertThat(call.get()).isInstanceOf(CancellationException.class);
    assertThat(state(distributor)).isEqualTo(state(fleet(fleet -> FIRST)));
  }

  @Test
  void callsThatAskNoStrategyAreAnsweredAllTheSame() {
    Distributor distributor = fleet(fleet -> FIRST);
    interrupt();
    assertThat(distributor.fitting(BATCH.get(0))).containsExactly("n0", "n1");
    assertThat(distributor.release("sitting").name()).isEqualTo("sitting");
    assertThat(Thread.interrupted()).isTrue();
  }
}
