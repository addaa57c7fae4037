package io.lighthouse.fleets.live;

import static io.lighthouse.fleets.live.FleetDeadlinesTest.DECISION;
import static io.lighthouse.fleets.live.FleetDeadlinesTest.LIMITS;
import static io.lighthouse.fleets.live.FleetDeadlinesTest.kind;
import static io.lighthouse.fleets.live.FleetDeadlinesTest.question;
import static io.lighthouse.fleets.live.FleetShortagesTest.unloggable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.MemoryJournal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.Problem;
import java.lang.ref.WeakReference;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits for a shared store: lists, creations, and fleets that are looked up by name. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoreQueuesTest {
  private final Steps steps = new Steps();

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
  static class SharedMemory extends MemoryJournal {
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
  static Fleets shared(MemoryJournal store, FleetLimits limits, Executor threads)
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
        Fleets.open(
            shared, Engine::of, limits, FleetObserver.NONE, Clock.systemUTC(), Runnable::run)) {
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
    Fleets fleets =
        Fleets.open(
            shared, Engine::of, limits, FleetObserver.NONE, Clock.systemUTC(), Runnable::run);
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

  /** Such as for lack of memory for the task that answers. */
  @Test
  void aCreationIsAnsweredWhereItsAnswerCannotBeGivenToAnotherThread() throws StoreException {
    Fleets fleets = shared(new Shared(), LIMITS, steps);
    fleets
        .threads()
        .answerBy(
            work -> {
              throw new IllegalStateException("planted");
            });
    CompletableFuture<Answer> created =
        fleets.create("f", Engine.problem("{'nodes':[],'workloads':[]}"), "", false);
    steps.go();
    assertThat(created).isCompletedWithValueMatching(one -> one.outcome() == Outcome.CREATED);
  }

  /** The fleet is in the store, but memory ends before that is known here. */
  @Test
  void aCreationWhoseWriteFindsNoMemoryHasAnUnknownOutcome() throws StoreException {
    SharedMemory full =
        new SharedMemory() {
          @Override
          public synchronized void append(Head before, List<Entry> entries, Head after)
              throws StoreException {
            super.append(before, entries, after);
            throw new OutOfMemoryError("planted");
          }
        };
    Fleets fleets = shared(full, LIMITS, steps);
    Problem problem = Engine.problem("{'nodes':[],'workloads':[]}");
    CompletableFuture<Answer> created = fleets.create("f", problem, "", false);
    steps.go();
    assertThat(kind(created)).isEqualTo(Kind.OUTCOME_UNKNOWN);
    assertThat(full.heads()).hasSize(1);
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
}
