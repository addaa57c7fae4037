package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.core.Distributors;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetEngine;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.store.MemoryJournal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.Problem;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long calls on a fleet wait and decisions take, and what becomes of those that do not end. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FleetDeadlinesTest {
  static final Duration DECISION = Duration.ofSeconds(60);
  static final Duration QUEUE = Duration.ofSeconds(20);
  static final FleetLimits LIMITS =
      FleetLimits.STANDARD.withTurns(10, 100, DECISION).withQueue(5, QUEUE);

  private final MemoryJournal store = new MemoryJournal();
  private final Steps steps = new Steps();

  /** Workloads named {@code slow...} are decided while this is true, whatever is interrupted. */
  private volatile boolean busy = true;

  private final CountDownLatch deciding = new CountDownLatch(1);

  @AfterEach
  void endWhatIsBusy() {
    busy = false;
  }

  private Distributor distributor(Problem problem, Runnable whileBusy) {
    Placer placer =
        (workload, candidates) -> {
          while (workload.name().startsWith("slow") && busy) {
            deciding.countDown();
            whileBusy.run();
          }
          return candidates.first();
        };
    return Distributors.of("slow", placer).nodes(problem.nodes()).build();
  }

  /** A strategy that uses its processor, and ends when it is released. */
  private Distributor spinning(Problem problem) {
    return distributor(problem, Thread::onSpinWait);
  }

  /** A strategy that only waits, through every interrupt. */
  private Distributor waiting(Problem problem) {
    return distributor(
        problem,
        () -> {
          try {
            Thread.sleep(1);
          } catch (InterruptedException ignored) {
            // That is what is wrong with it.
          }
        });
  }

  private Fleets open(FleetEngine engine, Executor executor, long snapshotAfter)
      throws StoreException {
    return open(store, engine, executor, snapshotAfter);
  }

  /** Fleets with threads of the test's, and one fleet. */
  static Fleets open(MemoryJournal store, FleetEngine engine, Executor executor, long snapshotAfter)
      throws StoreException {
    Fleets fleets =
        new Fleets(
            store, engine, LIMITS, FleetObserver.NONE, Clock.systemUTC(), executor, snapshotAfter);
    fleets
        .create(
            "f",
            Engine.problem(
                "{'strategy':'prioritized','nodes':[{'name':'n','resources':{'cpu':9}}],"
                    + "'workloads':[]}"),
            "",
            false)
        .join();
    return fleets;
  }

  static FleetCall assign(String name) {
    return FleetCall.of(FleetCommands.assign(List.of(Workload.of(name, Resources.of("cpu", 1)))));
  }

  static FleetCall question() {
    return FleetCall.of(FleetQuestions.node("n"));
  }

  static Kind kind(CompletableFuture<Answer> answer) {
    try {
      answer.join();
      throw new AssertionError("it was answered");
    } catch (CompletionException refused) {
      return ((FleetException) refused.getCause()).kind();
    }
  }

  private static long generation(Fleets fleets) {
    return fleets.list().get(0).generation();
  }

  /** The time at which whatever waits or decides now has done so for this long. */
  static long in(Duration time) {
    return System.nanoTime() + time.toNanos();
  }

  @Test
  void aTimeWhoseNanosecondsAreNoLongIsRefused() {
    Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
    List<ThrowingCallable> wrong =
        List.of(
            () -> LIMITS.withQueue(5, endless),
            () -> LIMITS.withTurns(10, 100, endless),
            () -> new FleetLimits(1, 1, 1, 1, 1, 1, QUEUE, QUEUE, 1, endless));
    assertThat(wrong)
        .allSatisfy(
            one ->
                assertThatThrownBy(one)
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("at most 1000000h"));
  }

  @Nested
  class Queue {
    @Test
    void refusesACallThatHasWaitedForItsTurn() throws StoreException {
      Fleets fleets = open(Engine::of, steps, 1 << 20);
      CompletableFuture<Answer> waits = fleets.submit("f", question());
      fleets.live().get("f").checkDeadlines(System.nanoTime());
      assertThat(waits).isNotDone();
      fleets.live().get("f").checkDeadlines(in(QUEUE));
      assertThat(kind(waits)).isEqualTo(Kind.OVERLOAD);
      assertThat(fleets.waiting()).isZero();
      CompletableFuture<Answer> next = fleets.submit("f", question());
      steps.go();
      assertThat(next.join().outcome()).isEqualTo(Outcome.DONE);
    }

    @Test
    void refusesACallThatHasWaitedForAnotherOfItsTurn() throws Exception {
      Fleets fleets = open(FleetDeadlinesTest.this::waiting, steps, 1 << 20);
      CompletableFuture<Answer> slow = fleets.submit("f", assign("slow"));
      CompletableFuture<Answer> behind = fleets.submit("f", assign("behind"));
      Thread turn = new Thread(steps::go);
      turn.start();
      deciding.await();
      fleets.live().get("f").checkDeadlines(in(QUEUE));
      assertThat(kind(behind)).isEqualTo(Kind.OVERLOAD);
      assertThat(slow).isNotDone();
      busy = false;
      turn.join();
      assertThat(slow.join().outcome()).isEqualTo(Outcome.DONE);
      assertThat(generation(fleets)).isEqualTo(2);
    }

    @Test
    void takesNoMoreOfOneFleetThanItMay() throws StoreException {
      Fleets fleets = open(Engine::of, steps, 1 << 20);
      for (int i = 0; i < 5; i++) {
        fleets.submit("f", question());
      }
      assertThatThrownBy(() -> fleets.submit("f", question()))
          .isInstanceOfSatisfying(
              FleetException.class, full -> assertThat(full.kind()).isEqualTo(Kind.OVERLOAD))
          .hasMessageContaining("the limit of 5 waiting calls for fleet 'f' is reached");
      assertThat(fleets.waiting()).isEqualTo(5);
      steps.go();
      assertThat(fleets.waiting()).isZero();
    }
  }

  @Nested
  class Decisions {
    @Test
    void overTheirTimeAreAnsweredAtOnceAndChangeNothing() throws Exception {
      Fleets fleets = open(FleetDeadlinesTest.this::waiting, steps, 1 << 20);
      CompletableFuture<Answer> slow = fleets.submit("f", assign("slow"));
      Thread turn = new Thread(steps::go);
      turn.start();
      deciding.await();
      fleets.live().get("f").checkDeadlines(in(DECISION));
      assertThat(kind(slow)).isEqualTo(Kind.DECISION_TIMEOUT);
      busy = false;
      turn.join();
      assertThat(generation(fleets)).isEqualTo(1);
      CompletableFuture<Answer> again = fleets.submit("f", assign("slow"));
      steps.go();
      assertThat(again.join().generation()).isEqualTo(2);
    }

    /** A machine that is busy gives the thread no processor, however often it is interrupted. */
    @Test
    void areNotGivenUpForTheNumberOfInterrupts() throws Exception {
      Fleets fleets = open(FleetDeadlinesTest.this::waiting, steps, 1 << 20);
      CompletableFuture<Answer> slow = fleets.submit("f", assign("slow"));
      Thread turn = new Thread(steps::go);
      turn.start();
      deciding.await();
      for (int i = 0; i < 100; i++) {
        fleets.live().get("f").checkDeadlines(in(DECISION));
      }
      busy = false;
      turn.join();
      assertThat(kind(slow)).isEqualTo(Kind.DECISION_TIMEOUT);
      CompletableFuture<Answer> next = fleets.submit("f", assign("next"));
      steps.go();
      assertThat(next.join().outcome()).isEqualTo(Outcome.DONE);
    }
  }

  @Nested
  class DecisionsThatDoNotEnd {
    private Fleets openWithThreads(FleetEngine engine) throws StoreException {
      Fleets fleets =
          Fleets.open(
              store,
              engine,
              LIMITS
                  .withTurns(10, 100, Duration.ofMillis(100))
                  .withQueue(100, Duration.ofMinutes(5)),
              FleetObserver.NONE,
              Clock.systemUTC(),
              Runnable::run);
      fleets
          .create(
              "f",
              Engine.problem(
                  "{'strategy':'prioritized','nodes':[{'name':'n','resources':{'cpu':9}}],"
                      + "'workloads':[]}"),
              "",
              false)
          .join();
      return fleets;
    }

    /** Asks until the decision that was given up has ended. */
    private Answer answerOnceItHasEnded(Fleets fleets, FleetCall call) {
      while (true) {
        try {
          return fleets.submit("f", call).join();
        } catch (CompletionException refused) {
          assertThat(((FleetException) refused.getCause()).kind())
              .isIn(Kind.STRATEGY_REFUSED, Kind.OVERLOAD);
          Thread.onSpinWait();
        }
      }
    }

    @Test
    void ofADryRunCostNoChangeItsTurn() throws Exception {
      try (Fleets fleets = openWithThreads(FleetDeadlinesTest.this::spinning)) {
        assertThat(kind(fleets.submit("f", assign("slow").asDryRun())))
            .isEqualTo(Kind.DECISION_TIMEOUT);
        assertThat(kind(fleets.submit("f", assign("a").asDryRun())))
            .isEqualTo(Kind.STRATEGY_REFUSED);
        assertThat(fleets.submit("f", assign("b")).join().outcome()).isEqualTo(Outcome.DONE);
        busy = false;
        assertThat(answerOnceItHasEnded(fleets, assign("a").asDryRun()).outcome())
            .isEqualTo(Outcome.DONE);
      } finally {
        busy = false;
      }
    }

    @Test
    void refuseTheirStrategyUntilTheyHaveEnded() throws Exception {
      try (Fleets fleets = openWithThreads(FleetDeadlinesTest.this::spinning)) {
        assertThat(kind(fleets.submit("f", assign("slow")))).isEqualTo(Kind.DECISION_TIMEOUT);
        assertThat(kind(fleets.submit("f", assign("a")))).isEqualTo(Kind.STRATEGY_REFUSED);
        assertThat(fleets.submit("f", question()).join().outcome()).isEqualTo(Outcome.DONE);
        busy = false;
        assertThat(answerOnceItHasEnded(fleets, assign("a")).generation()).isEqualTo(2);
      } finally {
        busy = false;
      }
    }

    @Test
    void ofABuiltInStrategyRefuseNoStrategy() throws Exception {
      try (Fleets fleets = openWithThreads(problem -> asBuiltIn(spinning(problem)))) {
        assertThat(kind(fleets.submit("f", assign("slow")))).isEqualTo(Kind.DECISION_TIMEOUT);
        assertThat(kind(fleets.submit("f", assign("a")))).isEqualTo(Kind.OVERLOAD);
        busy = false;
        assertThat(answerOnceItHasEnded(fleets, assign("a")).generation()).isEqualTo(2);
      } finally {
        busy = false;
      }
    }

    /** The same distributor, but for where its strategy comes from. */
    private Distributor asBuiltIn(Distributor distributor) {
      StrategyDescription known = distributor.strategy();
      StrategyDescription builtIn =
          new StrategyDescription(
              known.name(),
              known.description(),
              known.settings(),
              known.sequential(),
              known.mayDecline(),
              Distributors.installed().strategies().get(0).origin());
      return proxy(
          (method, arguments) ->
              method.getName().equals("strategy")
                  ? builtIn
                  : method.invoke(distributor, arguments));
    }
  }

  /** A call of a method of a distributor. */
  interface Invocation {
    Object of(Method method, Object[] arguments) throws ReflectiveOperationException;
  }

  /** A distributor with these methods. */
  static Distributor proxy(Invocation methods) {
    return (Distributor)
        Proxy.newProxyInstance(
            Distributor.class.getClassLoader(),
            new Class<?>[] {Distributor.class},
            (proxy, method, arguments) -> {
              try {
                return methods.of(method, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }

  @Test
  void aFleetThatIsGivenUpBeforeItIsWrittenIsNotCreated() throws StoreException {
    Fleets fleets = open(Engine::of, steps, 1 << 20);
    Problem problem = Engine.problem("{'nodes':[],'workloads':[]}");
    assertThatThrownBy(
            () ->
                fleets.create(
                    "late",
                    problem,
                    "",
                    false,
                    () -> {
                      throw new FleetException(Kind.DECISION_TIMEOUT, "too late");
                    }))
        .hasMessage("too late");
    assertThat(fleets.list()).extracting(Fleets.Listed::name).containsExactly("f");
    assertThat(store.heads()).hasSize(1);
  }
}
