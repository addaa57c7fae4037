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
import io.lighthouse.fleets.Command;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetEngine;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.NodeCommands;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.store.CallKey;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.Hold;
import io.lighthouse.fleets.store.MemoryJournal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.Problem;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long calls on a fleet wait and decisions take, and what becomes of those that do not end. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FleetDeadlinesTest {
  private static final Duration DECISION = Duration.ofSeconds(60);
  private static final Duration QUEUE = Duration.ofSeconds(20);
  private static final FleetLimits LIMITS =
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

  private static FleetCall assign(String name) {
    return FleetCall.of(FleetCommands.assign(List.of(Workload.of(name, Resources.of("cpu", 1)))));
  }

  private static FleetCall question() {
    return FleetCall.of(FleetQuestions.node("n"));
  }

  private static Kind kind(CompletableFuture<Answer> answer) {
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
      return (Distributor)
          Proxy.newProxyInstance(
              Distributor.class.getClassLoader(),
              new Class<?>[] {Distributor.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("strategy")) {
                  return builtIn;
                }
                try {
                  return method.invoke(distributor, arguments);
                } catch (InvocationTargetException thrown) {
                  throw thrown.getCause();
                }
              });
    }
  }

  @Nested
  class ThreadsThatCannotStart {
    /** As a thread pool throws where the system has no thread for it. */
    private boolean none;

    private final Executor scarce =
        work -> {
          if (none) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          steps.execute(work);
        };

    @Test
    void refuseWhatWaitsAndTheNextCallIsServed() throws StoreException {
      Fleets fleets = open(Engine::of, scarce, 1 << 20);
      none = true;
      assertThat(kind(fleets.submit("f", assign("a")))).isEqualTo(Kind.OVERLOAD);
      assertThat(fleets.waiting()).isZero();
      none = false;
      CompletableFuture<Answer> next = fleets.submit("f", assign("a"));
      steps.go();
      assertThat(next.join().generation()).isEqualTo(2);
    }

    @Test
    void refuseNoLaterCallWhereMemoryIsLackingToTellOfThem() throws StoreException {
      Fleets fleets =
          open(
              Engine::of,
              work -> {
                if (none) {
                  throw unloggable();
                }
                steps.execute(work);
              },
              1 << 20);
      none = true;
      assertThat(kind(fleets.submit("f", assign("a")))).isEqualTo(Kind.OVERLOAD);
      assertThat(fleets.waiting()).isZero();
      none = false;
      CompletableFuture<Answer> next = fleets.submit("f", assign("a"));
      steps.go();
      assertThat(next.join().generation()).isEqualTo(2);
    }

    @Test
    void takeNoAnswerFromWhatIsDurable() throws StoreException {
      Fleets fleets = open(Engine::of, scarce, 1);
      List<CompletableFuture<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        answers.add(fleets.submit("f", assign("a" + i)));
        none = true; // From here on no thread writes a snapshot.
        steps.go();
        none = false;
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
                throw new OutOfMemoryError("unable to create native thread");
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
      Fleets fleets = shared(journal, LIMITS, steps);
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
  private static Error unloggable() {
    return new OutOfMemoryError("Java heap space") {
      private static final long serialVersionUID = 1L;

      @Override
      public String toString() {
        throw new Error("planted: no report");
      }
    };
  }

  @Test
  void listsAndCreationsFindAThreadAfterThoseThatFoundNone() throws StoreException {
    boolean[] none = {true};
    Fleets fleets =
        shared(
            new Shared(),
            LIMITS,
            work -> {
              if (none[0]) {
                throw unloggable();
              }
              steps.execute(work);
            });
    Problem problem = Engine.problem("{'nodes':[],'workloads':[]}");
    assertThat(kind(fleets.create("a", problem, "", false))).isEqualTo(Kind.OVERLOAD);
    assertThat(fleets.list(name -> true, false)).isCompletedExceptionally();
    none[0] = false;
    CompletableFuture<Answer> created = fleets.create("a", problem, "", false);
    CompletableFuture<List<Fleets.Listed>> listed = fleets.list(name -> true, false);
    steps.go();
    assertThat(created.join().outcome()).isEqualTo(Outcome.CREATED);
    assertThat(listed).isCompleted();
    assertThat(fleets.waiting()).isZero();
  }

  /** A shared store. */
  private static class SharedMemory extends MemoryJournal {
    @Override
    public boolean isShared() {
      return true;
    }
  }

  /** A shared store without fleets that records which names are looked up. */
  private static final class Shared extends SharedMemory {
    private final List<String> names = new ArrayList<>();

    /** How long the store takes to fail; it does not fail at 0. */
    private long failsAfterNanos;

    private int failures;

    private int readings;
    private final Semaphore asked = new Semaphore(0);
    private Runnable duringReading = () -> {};

    /** The store does not answer before it opens. */
    private volatile CountDownLatch answers = new CountDownLatch(0);

    @Override
    public synchronized List<Head> heads() throws StoreException {
      readings++;
      duringReading.run();
      asked.release();
      try {
        answers.await();
      } catch (InterruptedException hurry) {
        throw new StoreException("interrupted", hurry);
      }
      long since = System.nanoTime();
      while (System.nanoTime() - since < failsAfterNanos) {
        Thread.onSpinWait();
      }
      if (failsAfterNanos > 0) {
        failures++;
        throw new StoreException("planted failure", null);
      }
      return super.heads();
    }

    @Override
    public Optional<Head> named(String name) {
      names.add(name);
      return Optional.empty();
    }
  }

  /** The fleets of a shared store, with threads of the test's. */
  private static Fleets shared(MemoryJournal store, FleetLimits limits, Executor threads)
      throws StoreException {
    return new Fleets(
        store, Engine::of, limits, FleetObserver.NONE, Clock.systemUTC(), threads, 1 << 20);
  }

  @Test
  void aNameThatIsNotHereIsLookedUpInAnotherThreadAndOneAfterTheOther() throws StoreException {
    Shared shared = new Shared();
    List<Runnable> threads = new ArrayList<>();
    Fleets fleets = shared(shared, LIMITS, threads::add);
    CompletableFuture<Answer> first = fleets.submit("first", question());
    CompletableFuture<Answer> second = fleets.submit("second", question());
    assertThat(shared.names).isEmpty();
    assertThat(threads).hasSize(1);
    assertThat(fleets.waiting()).isEqualTo(2);
    threads.remove(0).run();
    assertThat(threads).isEmpty();
    assertThat(kind(first)).isEqualTo(Kind.NO_SUCH_FLEET);
    assertThat(kind(second)).isEqualTo(Kind.NO_SUCH_FLEET);
    assertThat(shared.names).containsExactly("first", "second");
    assertThat(fleets.waiting()).isZero();
  }

  /** However many wait, they keep one thread, and none of their callers. */
  @Test
  void creationsWaitForAStoreThatDoesNotAnswerAsLongAsTheyMay() throws Exception {
    Shared shared = new Shared();
    FleetLimits limits = LIMITS.withTurns(10, 100, Duration.ofSeconds(1));
    Problem problem = Engine.problem("{'nodes':[],'workloads':[]}");
    CountDownLatch answers = new CountDownLatch(1);
    try (Fleets fleets =
        Fleets.open(shared, Engine::of, limits, FleetObserver.NONE, Clock.systemUTC())) {
      shared.answers = answers;
      try {
        for (CompletableFuture<Answer> one : created(fleets, problem, List.of("a", "b", "c"))) {
          assertThat(kind(one)).isEqualTo(Kind.DECISION_TIMEOUT);
        }
      } finally {
        answers.countDown();
      }
      CompletableFuture<Answer> last = fleets.create("d", problem, "", false);
      for (int i = 0; i < 60 && isLate(last); i++) { // A second may be short on a busy machine.
        last = fleets.create("d", problem, "", false);
      }
      assertThat(last.get(20, TimeUnit.SECONDS).outcome()).isEqualTo(Outcome.CREATED);
      assertThat(shared.heads()).extracting(Head::name).containsExactly("d");
      assertThat(fleets.waiting()).isZero();
    }
  }

  private static boolean isLate(CompletableFuture<Answer> answer) throws Exception {
    try {
      answer.get(20, TimeUnit.SECONDS);
      return false;
    } catch (ExecutionException refused) {
      return ((FleetException) refused.getCause()).kind() == Kind.DECISION_TIMEOUT;
    }
  }

  @Test
  void closingDoesNotWaitForACreationThatTheStoreDoesNotAnswer() throws Exception {
    Shared shared = new Shared();
    FleetLimits limits = LIMITS.withTurns(10, 100, Duration.ofSeconds(1));
    Problem problem = Engine.problem("{'nodes':[],'workloads':[]}");
    Fleets fleets = Fleets.open(shared, Engine::of, limits, FleetObserver.NONE, Clock.systemUTC());
    CountDownLatch answers = new CountDownLatch(1);
    shared.answers = answers;
    shared.asked.drainPermits();
    try {
      final CompletableFuture<Answer> begun = created(fleets, problem, List.of("a")).get(0);
      shared.asked.acquire();
      final CompletableFuture<Answer> waits = created(fleets, problem, List.of("b")).get(0);
      CompletableFuture.runAsync(fleets::close).get(20, TimeUnit.SECONDS);
      assertThat(kind(waits)).isIn(Kind.CLOSED, Kind.DECISION_TIMEOUT);
      answers.countDown();
      assertThat(kind(begun)).isIn(Kind.CLOSED, Kind.DECISION_TIMEOUT);
    } finally {
      answers.countDown();
    }
  }

  /** The answers to creations, each in a thread of its own that it must not keep. */
  private static List<CompletableFuture<Answer>> created(
      Fleets fleets, Problem problem, List<String> names) throws Exception {
    List<CompletableFuture<Answer>> created = new ArrayList<>();
    for (String name : names) {
      created.add(
          CompletableFuture.supplyAsync(() -> fleets.create(name, problem, "", false))
              .get(20, TimeUnit.SECONDS));
    }
    return created;
  }

  @Test
  void creationsInASharedStoreTakeOneThread() throws StoreException {
    List<Runnable> threads = new ArrayList<>();
    Shared shared = new Shared();
    Fleets fleets = shared(shared, LIMITS, threads::add);
    Problem problem = Engine.problem("{'nodes':[],'workloads':[]}");
    CompletableFuture<Answer> first = fleets.create("a", problem, "", false);
    CompletableFuture<Answer> second = fleets.create("b", problem, "", false);
    assertThat(threads).hasSize(1);
    assertThat(fleets.waiting()).isEqualTo(2);
    threads.remove(0).run();
    assertThat(first).isCompleted();
    assertThat(second).isCompleted();
    assertThat(shared.heads()).extracting(Head::name).containsExactly("a", "b");
    assertThat(fleets.waiting()).isZero();
  }

  /** It is compared with the one that is there, which is a call of its own. */
  @Test
  void aCreationThatHasBegunWaitsNoMore() throws StoreException {
    Fleets fleets = shared(new Shared(), LIMITS.withTurns(10, 1, DECISION), steps);
    Problem problem = Engine.problem("{'nodes':[],'workloads':[]}");
    for (Outcome outcome : List.of(Outcome.CREATED, Outcome.DONE)) {
      CompletableFuture<Answer> created = fleets.create("f", problem, "", false);
      assertThat(fleets.waiting()).isEqualTo(1);
      steps.go();
      assertThat(created.join().outcome()).isEqualTo(outcome);
      assertThat(fleets.waiting()).isZero();
    }
  }

  @Test
  void aCreationThatIsLateIsNotTriedAgain() throws StoreException {
    Shared shared = new Shared();
    Duration decision = Duration.ofMillis(1);
    FleetLimits impatient = LIMITS.withTurns(10, 100, decision);
    Fleets fleets = shared(shared, impatient, steps);
    shared.failsAfterNanos = 2 * decision.toNanos();
    Problem problem = Engine.problem("{'nodes':[],'workloads':[]}");
    CompletableFuture<Answer> late = fleets.create("f", problem, "", false);
    steps.go();
    assertThat(kind(late)).isEqualTo(Kind.DECISION_TIMEOUT);
    assertThat(shared.failures).isLessThanOrEqualTo(1);
  }

  /** One that begins during a reading gets a later one: what it reports must not be older. */
  @Test
  void listsOfASharedStoreTakeOneThreadAndOneReading() throws StoreException {
    Shared shared = new Shared();
    List<Runnable> threads = new ArrayList<>();
    Fleets fleets = shared(shared, LIMITS, threads::add);
    List<CompletableFuture<List<Fleets.Listed>>> lists = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      lists.add(fleets.list(name -> true, false));
    }
    assertThat(threads).hasSize(1);
    assertThat(fleets.waiting()).isEqualTo(3);
    shared.readings = 0;
    shared.duringReading =
        () -> {
          shared.duringReading = () -> {};
          lists.add(fleets.list(name -> true, false));
        };
    threads.remove(0).run();
    assertThat(threads).isEmpty();
    assertThat(lists).hasSize(4).allSatisfy(list -> assertThat(list).isCompleted());
    assertThat(shared.readings).isEqualTo(2);
    assertThat(fleets.waiting()).isZero();
  }

  @Test
  void aListThatWasAnsweredIsNotKeptInMemory() throws StoreException {
    List<WeakReference<List<Head>>> read = new ArrayList<>();
    MemoryJournal shared =
        new SharedMemory() {
          @Override
          public synchronized List<Head> heads() throws StoreException {
            List<Head> heads = new ArrayList<>(super.heads());
            read.add(new WeakReference<>(heads));
            return heads;
          }
        };
    Fleets fleets = shared(shared, LIMITS, Runnable::run);
    fleets.create("f", Engine.problem("{'nodes':[],'workloads':[]}"), "", false).join();
    assertThat(fleets.list(name -> true, false).join()).hasSize(1);
    WeakReference<List<Head>> last = read.get(read.size() - 1);
    for (int i = 0; i < 100 && last.get() != null; i++) {
      System.gc();
    }
    assertThat(last.get()).isNull();
    assertThat(fleets.list(name -> true, false).join()).hasSize(1);
  }

  /** An action that follows a refusal may take long, or wait for another thread. */
  @Test
  void othersMayAskForAListWhileOneIsRefused() throws StoreException {
    Fleets[] fleets = new Fleets[1];
    boolean[] asked = {false};
    List<CompletableFuture<List<Fleets.Listed>>> others = new ArrayList<>();
    Executor full =
        work -> {
          if (!asked[0]) {
            asked[0] = true;
            fleets[0]
                .submit("f", question())
                .whenComplete(
                    (none, refused) ->
                        others.add(
                            CompletableFuture.supplyAsync(() -> fleets[0].list(name -> true, false))
                                .orTimeout(20, TimeUnit.SECONDS)
                                .join()));
          }
          throw new RejectedExecutionException();
        };
    fleets[0] = shared(new Shared(), LIMITS, full);
    assertThat(fleets[0].list(name -> true, false)).isCompletedExceptionally();
    assertThat(others).hasSize(1).allSatisfy(list -> assertThat(list).isCompletedExceptionally());
    assertThat(fleets[0].waiting()).isZero();
  }

  /** Otherwise later lists would share a reading that never begins. */
  @Test
  void aTaskWhoseThreadIsGoneDoesNotWait() throws StoreException {
    List<Runnable> threads = new ArrayList<>();
    Fleets fleets = shared(new Shared(), LIMITS, threads::add);
    TaskQueue<TaskQueue.Task> queue = new TaskQueue<>(fleets, "a test");
    TaskQueue.Task behind = task(() -> {});
    queue.add(
        task(
            () -> {
              throw new OutOfMemoryError("planted");
            }));
    queue.add(behind);
    assertThat(queue.waits(behind)).isTrue();
    assertThatThrownBy(threads.remove(0)::run).isInstanceOf(OutOfMemoryError.class);
    assertThat(queue.waits(behind)).isFalse();
  }

  /** One that is refused as it is done. */
  private static TaskQueue.Task task(Runnable work) {
    return new TaskQueue.Task() {
      @Override
      public void run() {
        work.run();
      }

      @Override
      public void refuse(FleetException why) {
        work.run();
      }
    };
  }

  @Test
  void aListFailsAsItsStoreDoes() throws StoreException {
    Shared shared = new Shared();
    Fleets fleets = shared(shared, LIMITS, steps);
    shared.failsAfterNanos = 1;
    CompletableFuture<List<Fleets.Listed>> list = fleets.list(name -> true, false);
    steps.go();
    assertThatThrownBy(list::join)
        .cause()
        .isInstanceOfSatisfying(
            FleetException.class, why -> assertThat(why.kind()).isEqualTo(Kind.STORE));
    assertThat(fleets.waiting()).isZero();
  }

  @Test
  void aListThatTheStoreDoesNotAnswerInTimeIsRefused() throws StoreException {
    FleetLimits impatient = LIMITS.withQueue(5, Duration.ofMillis(1));
    Fleets fleets = shared(new Shared(), impatient, steps);
    assertThat(fleets.list(name -> true, false))
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableThat()
        .withMessageContaining("the store did not answer in time which fleets there are");
    assertThat(fleets.waiting()).isZero();
  }

  @Test
  void aNameIsRefusedAtOnceWhereNoThreadLooksItUp() throws StoreException {
    for (Throwable none : List.of(new RejectedExecutionException(), new OutOfMemoryError())) {
      Shared shared = new Shared();
      Executor full =
          work -> {
            if (none instanceof Error error) {
              throw error;
            }
            throw (RuntimeException) none;
          };
      Fleets fleets = shared(shared, LIMITS, full);
      CompletableFuture<Answer> refused = fleets.submit("f", question());
      assertThat(refused).isCompletedExceptionally();
      assertThat(kind(refused)).isEqualTo(Kind.OVERLOAD);
      assertThat(fleets.waiting()).isZero();
    }
  }

  @Test
  void aNameThatIsNotLookedUpInTimeIsRefusedAndNotLookedUp() throws StoreException {
    Shared shared = new Shared();
    FleetLimits impatient = LIMITS.withQueue(5, Duration.ofMillis(1));
    Fleets fleets = shared(shared, impatient, steps);
    assertThat(kind(fleets.submit("f", question()))).isEqualTo(Kind.OVERLOAD);
    steps.go();
    assertThat(shared.names).isEmpty();
    assertThat(fleets.waiting()).isZero();
  }

  /** Another call may find it in a shared store before the call that creates it has ended. */
  @Test
  void aFleetThatIsFoundWhileItIsCreatedIsOneFleet() throws StoreException {
    Fleets[] fleets = new Fleets[1];
    List<String> told = new ArrayList<>();
    MemoryJournal shared =
        new SharedMemory() {
          @Override
          public synchronized void append(Head before, List<Entry> entries, Head after)
              throws StoreException {
            super.append(before, entries, after);
            if (before == null) {
              fleets[0].log("f").watch(() -> told.add("more"));
            }
          }
        };
    fleets[0] = shared(shared, LIMITS, Runnable::run);
    Problem problem =
        Engine.problem("{'nodes':[{'name':'n','resources':{'cpu':9}}],'workloads':[]}");
    fleets[0].create("f", problem, "", false).join();
    fleets[0].submit("f", assign("a")).join();
    assertThat(told).containsExactly("more");
  }

  /** It may have been created anew. */
  @Test
  void aFleetThatIsGoneIsNotMissingWhereTheStoreDoesNotSaySo() throws StoreException {
    boolean[] fails = {false};
    MemoryJournal shared =
        new SharedMemory() {
          @Override
          public Optional<Head> named(String name) throws StoreException {
            if (fails[0]) {
              throw new StoreException("planted failure", null);
            }
            return super.named(name);
          }
        };
    Fleets one = shared(shared, LIMITS, Runnable::run);
    one.create("f", Engine.problem("{'nodes':[],'workloads':[]}"), "", false).join();
    shared(shared, LIMITS, Runnable::run)
        .submit("f", FleetCall.of(NodeCommands.deleteFleet()))
        .join();
    fails[0] = true;
    assertThat(kind(one.submit("f", FleetCall.of(FleetQuestions.summary())))).isEqualTo(Kind.STORE);
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
