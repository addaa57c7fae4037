package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.ChangeListener;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.core.Distributors;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.Command;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetEngine;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.store.CallKey;
import io.lighthouse.fleets.store.Hold;
import io.lighthouse.fleets.store.MemoryJournal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.Problem;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
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
  private static final Duration QUEUE = Duration.ofSeconds(20);
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
  private static long in(Duration time) {
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
      fleets.live().get("f").look(System.nanoTime());
      assertThat(waits).isNotDone();
      fleets.live().get("f").look(in(QUEUE));
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
      fleets.live().get("f").look(in(QUEUE));
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
          .hasMessageContaining("the 5 calls wait that may wait for fleet 'f'");
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
      fleets.live().get("f").look(in(DECISION));
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
        fleets.live().get("f").look(in(DECISION));
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
              Clock.systemUTC());
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
  private interface Invocation {
    Object of(Method method, Object[] arguments) throws ReflectiveOperationException;
  }

  /** A distributor with these methods. */
  private static Distributor proxy(Invocation methods) {
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

  @Nested
  class ThreadsThatCannotStart {
    /** Thrown for each thread while it is not null. */
    private Error none;

    private final Executor scarce =
        work -> {
          if (none != null) {
            throw none;
          }
          steps.execute(work);
        };

    @Test
    void refuseWhatWaitsAndTheNextCallIsServed() throws StoreException {
      Fleets fleets = open(Engine::of, scarce, 1 << 20);
      long generation = 1;
      for (Error one : List.of(noThread(), unloggable())) {
        none = one;
        assertThat(kind(fleets.submit("f", assign("a" + generation)))).isEqualTo(Kind.OVERLOAD);
        assertThat(fleets.waiting()).isZero();
        none = null;
        CompletableFuture<Answer> next = fleets.submit("f", assign("a" + generation));
        steps.go();
        assertThat(next.join().generation()).isEqualTo(++generation);
      }
    }

    /** As a thread pool throws where the system has no thread for it. */
    private Error noThread() {
      return new OutOfMemoryError("unable to create native thread");
    }

    @Test
    void takeNoAnswerFromWhatIsDurable() throws StoreException {
      Fleets fleets = open(Engine::of, scarce, 1);
      List<CompletableFuture<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        answers.add(fleets.submit("f", assign("a" + i)));
        none = noThread(); // From here on no thread writes a snapshot.
        steps.go();
        none = null;
      }
      assertThat(answers)
          .allSatisfy(one -> assertThat(one.join().outcome()).isEqualTo(Outcome.DONE));
      answers.add(fleets.submit("f", assign("a3")));
      steps.go();
      assertThat(store.snapshots(1)).hasSize(1);
    }

    @Test
    void ofAWatcherTakeNoAnswerFromWhatIsDurable() throws StoreException {
      Fleets fleets = open(Engine::of, scarce, 1 << 20);
      fleets
          .log("f")
          .watch(
              () -> {
                throw noThread();
              });
      CompletableFuture<Answer> answer = fleets.submit("f", assign("a"));
      steps.go();
      assertThat(answer.join().outcome()).isEqualTo(Outcome.DONE);
    }
  }

  /** Calls are refused for which memory is lacking at first. */
  @Nested
  class MemoryThatEndsAgain {
    /** An answer for whose refusal there is no memory, a few times. */
    private final class Scarce extends CompletableFuture<Answer> {
      private int lacking = 3;

      @Override
      public boolean completeExceptionally(Throwable why) {
        if (lacking-- > 0) {
          throw new OutOfMemoryError("planted");
        }
        return super.completeExceptionally(why);
      }
    }

    private final CompletableFuture<Answer> scarce = new Scarce();
    private final CompletableFuture<Answer> behind = new CompletableFuture<>();

    /** Changes its fleet, and breaks off. */
    private final Command broken =
        new Command() {
          @Override
          public String kind() {
            return "broken";
          }

          @Override
          public Reply decide(View fleet) {
            fleet.distributor().assign(List.of(Workload.of("w", Resources.of("cpu", 1))));
            throw new FleetException(Kind.STALE, "planted");
          }
        };

    @Test
    void whereATurnBreaksOffRefusesAllItsCalls() throws StoreException {
      Fleets fleets = open(Engine::of, steps, 1 << 20);
      LiveFleet fleet = fleets.live().get("f");
      fleet.submit(new Pending(FleetCall.of(broken), scarce));
      fleet.submit(new Pending(question(), behind));
      steps.go();
      assertThat(kind(scarce)).isEqualTo(Kind.STALE);
      assertThat(kind(behind)).isEqualTo(Kind.STALE);
      CompletableFuture<Answer> next = fleets.submit("f", assign("a"));
      steps.go();
      assertThat(next.join().generation()).isEqualTo(2);
    }

    /** The change is there, and no listener knows of it. */
    @Test
    void whileAChangeIsNotedUndoesTheChange() throws StoreException {
      boolean[] lacking = {false};
      Fleets fleets = open(problem -> forgetful(Engine.of(problem), lacking), steps, 1 << 20);
      lacking[0] = true;
      CompletableFuture<Answer> lost = fleets.submit("f", assign("a"));
      steps.go();
      assertThat(lost).isCompletedExceptionally();
      lacking[0] = false;
      CompletableFuture<Answer> there =
          fleets.submit("f", FleetCall.of(FleetQuestions.workload("a")));
      CompletableFuture<Answer> next = fleets.submit("f", assign("b"));
      steps.go();
      assertThat(kind(there)).isEqualTo(Kind.NOT_PLACED);
      assertThat(next.join().generation()).isEqualTo(2);
    }

    /** The same distributor, whose changes cannot be copied where memory is lacking. */
    private Distributor forgetful(Distributor distributor, boolean[] lacking) {
      return proxy(
          (method, arguments) -> {
            if (!method.getName().equals("onChange")) {
              return method.invoke(distributor, arguments);
            }
            ChangeListener listener = (ChangeListener) arguments[0];
            return distributor.onChange(
                (generation, changes) ->
                    listener.changed(
                        generation,
                        new ArrayList<>(changes) {
                          private static final long serialVersionUID = 1L;

                          @Override
                          public Object[] toArray() {
                            if (lacking[0]) {
                              throw new OutOfMemoryError("planted");
                            }
                            return super.toArray();
                          }
                        }));
          });
    }

    @Test
    void behindAnAnswerAnswersTheNextCalls() throws StoreException {
      CompletableFuture<Answer> first =
          new CompletableFuture<>() {
            @Override
            public boolean complete(Answer answer) {
              super.complete(answer);
              throw new OutOfMemoryError("planted, for what follows the answer");
            }
          };
      Fleets fleets = open(Engine::of, steps, 1 << 20);
      List<Runnable> answering = new ArrayList<>();
      fleets.threads().answerBy(answering::add);
      LiveFleet fleet = fleets.live().get("f");
      fleet.submit(new Pending(question(), first));
      fleet.submit(new Pending(question(), behind));
      steps.go();
      answering.forEach(Runnable::run);
      assertThat(first.join().outcome()).isEqualTo(Outcome.DONE);
      assertThat(behind.join().outcome()).isEqualTo(Outcome.DONE);
    }

    @Test
    void whileATurnIsGivenBackAnswersItsCalls() throws StoreException {
      Hold hold =
          (Hold)
              Proxy.newProxyInstance(
                  Hold.class.getClassLoader(),
                  new Class<?>[] {Hold.class},
                  (proxy, method, arguments) -> {
                    throw new OutOfMemoryError("planted");
                  });
      MemoryJournal journal =
          new MemoryJournal() {
            @Override
            public Hold hold(long fleet, long known, Collection<CallKey> keys) {
              return hold;
            }
          };
      Fleets fleets = Engine.fleets(journal, steps, 1 << 20);
      fleets.create("f", Engine.problem("{'nodes':[],'workloads':[]}"), "", false).join();
      CompletableFuture<Answer> answer =
          fleets.submit("f", FleetCall.of(FleetCommands.release(List.of())));
      assertThatThrownBy(steps::go).isInstanceOf(OutOfMemoryError.class);
      assertThat(answer).isCompletedWithValueMatching(one -> one.outcome() == Outcome.DONE);
    }

    @Test
    void whereNoThreadIsThereRefusesAllThatWait() throws StoreException {
      boolean[] none = {false};
      Fleets fleets =
          open(
              Engine::of,
              work -> {
                if (none[0]) {
                  throw new RejectedExecutionException();
                }
                steps.execute(work);
              },
              1 << 20);
      none[0] = true;
      fleets.live().get("f").submit(new Pending(question(), scarce));
      assertThat(kind(scarce)).isEqualTo(Kind.OVERLOAD);
      assertThat(fleets.waiting()).isZero();
    }

    @Test
    void whereCallsHaveWaitedForLongRefusesAllOfThem() throws StoreException {
      Fleets fleets = open(Engine::of, steps, 1 << 20);
      LiveFleet fleet = fleets.live().get("f");
      fleet.submit(new Pending(question(), scarce));
      fleet.submit(new Pending(question(), behind));
      fleet.look(in(QUEUE));
      assertThat(kind(scarce)).isEqualTo(Kind.OVERLOAD);
      assertThat(kind(behind)).isEqualTo(Kind.OVERLOAD);
      assertThat(fleets.waiting()).isZero();
    }
  }

  /** The lack of memory, also for a report of it. */
  static Error unloggable() {
    return new OutOfMemoryError("Java heap space") {
      private static final long serialVersionUID = 1L;

      @Override
      public String toString() {
        throw new Error("planted: no report");
      }
    };
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
