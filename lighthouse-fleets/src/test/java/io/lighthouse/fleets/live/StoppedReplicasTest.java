package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.Command;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.store.PostgresJournal;
import io.lighthouse.fleets.store.Sql;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.fleets.store.Watched;
import io.lighthouse.postgres.TestProxy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Services on one database that end, or stand still, at some step of a turn. */
class StoppedReplicasTest extends SharedStore {
  /** A replica on which the thread named so stands still at a step, until it is woken. */
  private Fleets stopping(String at, CountDownLatch there, CountDownLatch woken) {
    return replica(
        step -> {
          if (step.equals(at) && Thread.currentThread().getName().equals("stopping")) {
            there.countDown();
            try {
              woken.await();
            } catch (InterruptedException hurry) {
              throw new AssertionError(hurry);
            }
          }
        },
        1 << 20);
  }

  /** Asks it in that thread; the outcome is its answer, or why there is none. */
  private static CompletableFuture<Object> asked(Fleets stopping, String fleet, FleetCall call) {
    CompletableFuture<Object> outcome = new CompletableFuture<>();
    Runnable asking =
        () -> {
          try {
            outcome.complete(ask(stopping, fleet, call));
          } catch (CompletionException refused) {
            outcome.complete(refused.getCause());
          }
        };
    new Thread(asking, "stopping").start();
    return outcome;
  }

  /** Also one that waited in the queue when the turn began. It gets nothing that is not durable. */
  @Test
  void aStaleQuestionDoesNotWaitForTheStore() throws Exception {
    BlockingQueue<String> steps = new LinkedBlockingQueue<>();
    Semaphore goOn = new Semaphore(0);
    Fleets fleets =
        replica(
            step -> {
              if (Thread.currentThread().getName().equals("stopping")) {
                steps.add(step);
                goOn.acquireUninterruptibly();
              }
            },
            1 << 20);
    fleets.create("f", problem(), "", false).join();
    FleetCall stale = FleetCall.of(FleetQuestions.summary()).asStale();
    CompletableFuture<Object> first = asked(fleets, "f", assign("v"));
    await("before BEGIN", steps, goOn);
    assertThat(fleets.submit("f", stale).get(20, TimeUnit.SECONDS).generation()).isEqualTo(1);
    goOn.release();
    await("before INSERT entries and COMMIT", steps, goOn);
    CompletableFuture<Answer> queued = fleets.submit("f", stale);
    CompletableFuture<Answer> second = fleets.submit("f", assign("w"));
    assertThat(queued).isNotDone();
    goOn.release();
    await("before BEGIN", steps, goOn);
    assertThat(queued.get(20, TimeUnit.SECONDS).generation()).isEqualTo(2);
    assertThat(second).isNotDone();
    goOn.release(1_000);
    assertThat(second.get(20, TimeUnit.SECONDS).generation()).isEqualTo(3);
    assertThat(first.get(20, TimeUnit.SECONDS)).asString().contains("\"generation\":2}");
  }

  /** Questions that take too long while a turn of their fleet waits for the store. */
  @Nested
  class ASlowStaleQuestion {
    private final CountDownLatch there = new CountDownLatch(1);
    private final CountDownLatch woken = new CountDownLatch(1);
    private final AtomicBoolean armed = new AtomicBoolean();

    private Fleets opened() throws StoreException {
      replica().create("f", problem(), "", false).join();
      return Fleets.open(
          Watched.open(
              url,
              step -> {
                if (armed.get() && step.equals("before BEGIN")) {
                  there.countDown();
                  awaitQuietly(woken);
                }
              }),
          Engine::of,
          FleetLimits.STANDARD.withTurns(10, 100, Duration.ofSeconds(4)),
          FleetObserver.NONE,
          Clock.systemUTC(),
          Runnable::run);
    }

    private static void awaitQuietly(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException hurry) {
        throw new CancellationException();
      }
    }

    /** Submits a stale question, with a trial, in a thread that it must not keep. */
    private static CompletableFuture<Answer> submitted(Fleets fleets, Runnable deciding)
        throws Exception {
      FleetCall call =
          FleetCall.of(
              FleetQuestions.question(
                  fleet ->
                      fleet
                          .distributor()
                          .tryOut(
                              List.of(),
                              tried -> {
                                deciding.run();
                                return Command.Reply.EMPTY;
                              })));
      return CompletableFuture.supplyAsync(() -> fleets.submit("f", call.asStale()))
          .get(20, TimeUnit.SECONDS);
    }

    private static Kind kind(CompletableFuture<Answer> answer) throws Exception {
      try {
        answer.get(60, TimeUnit.SECONDS);
        throw new AssertionError("it was answered");
      } catch (ExecutionException refused) {
        return ((FleetException) refused.getCause()).kind();
      }
    }

    @Test
    void isRefusedInTimeAndKeepsNoCallerWaiting() throws Exception {
      try (Fleets fleets = opened()) {
        armed.set(true);
        fleets.submit("f", assign("w"));
        assertThat(there.await(20, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Answer> slow =
            submitted(fleets, () -> awaitQuietly(new CountDownLatch(1)));
        CompletableFuture<Answer> next = submitted(fleets, () -> {});
        assertThat(kind(slow)).isEqualTo(Kind.DECISION_TIMEOUT);
        assertThat(next.get(20, TimeUnit.SECONDS).generation()).isEqualTo(1);
        woken.countDown();
      }
    }

    @Test
    void doesNotKeepTheTurnWaitingWhereItDoesNotEnd() throws Exception {
      AtomicBoolean ends = new AtomicBoolean();
      try (Fleets fleets = opened()) {
        armed.set(true);
        CompletableFuture<Answer> turn = fleets.submit("f", assign("w"));
        assertThat(there.await(20, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Answer> slow =
            submitted(
                fleets,
                () -> {
                  while (!ends.get()) {
                    Thread.onSpinWait();
                  }
                });
        assertThat(kind(slow)).isEqualTo(Kind.DECISION_TIMEOUT);
        woken.countDown();
        assertThat(turn.get(60, TimeUnit.SECONDS).generation()).isEqualTo(2);
        ends.set(true);
      }
    }
  }

  /** Lets a thread go on to a step. */
  private static void await(String step, BlockingQueue<String> steps, Semaphore goOn)
      throws InterruptedException {
    for (String at = steps.poll(20, TimeUnit.SECONDS);
        !step.equals(at);
        at = steps.poll(20, TimeUnit.SECONDS)) {
      assertThat(at).isNotNull();
      goOn.release();
    }
  }

  /** A replica that ends, or is stopped, at every step of a turn. */
  @Nested
  class AtEveryStep {
    private static final List<String> STEPS =
        List.of(
            "before BEGIN",
            "after SELECT FOR UPDATE",
            "before INSERT entries and COMMIT",
            "after COMMIT");

    /** Where one stands still whose connection to the database does so, behind the steps. */
    private static final List<String> UNDER_WAY =
        List.of("while it sends", "while it receives a little", "while it receives much");

    /**
     * Ends a replica like the end of its process: nothing that it does afterwards has an effect.
     */
    private static final class Ended extends Error {
      private static final long serialVersionUID = 1L;
    }

    @Test
    void itsEndLeavesItsCallDoneOrNot() throws StoreException {
      Fleets other = replica();
      for (int i = 0; i < STEPS.size(); i++) {
        String at = STEPS.get(i);
        String fleet = "f" + i;
        other.create(fleet, problem(), "", false).join();
        boolean[] armed = new boolean[1];
        Fleets ending =
            replica(
                step -> {
                  if (armed[0] && step.equals(at)) {
                    throw new Ended();
                  }
                },
                1 << 20);
        ask(ending, fleet, FleetCall.of(FleetQuestions.summary()));
        armed[0] = true;
        assertThatThrownBy(() -> ask(ending, fleet, assign("w")))
            .as(at)
            .isInstanceOf(CompletionException.class);
        boolean done = at.equals("after COMMIT");
        assertThat(whole(other, fleet).contains("\"w\"")).as(at).isEqualTo(done);
        // Asked again, wherever, it is done once.
        assertThat(ask(other, fleet, assign("w"))).as(at).contains("\"generation\":2");
      }
      judge(2);
    }

    @Test
    void itsStandstillHoldsOthersUpForABoundedTimeAndItChangesNothingLater() throws Exception {
      Fleets other = replica();
      ExecutorService threads = Executors.newCachedThreadPool();
      CountDownLatch woken = new CountDownLatch(1);
      List<CompletableFuture<Object>> stopped = new ArrayList<>();
      List<CompletableFuture<String>> others = new ArrayList<>();
      for (int i = 0; i < STEPS.size(); i++) {
        String at = STEPS.get(i);
        String fleet = "f" + i;
        other.create(fleet, problem(), "", false).join();
        CountDownLatch there = new CountDownLatch(1);
        stopped.add(asked(stopping(at, there, woken), fleet, assign("w")));
        assertThat(there.await(60, TimeUnit.SECONDS)).as(at).isTrue();
      }
      List<TestProxy> proxies = new ArrayList<>();
      for (int i = 0; i < UNDER_WAY.size(); i++) {
        proxies.add(TestProxy.before(url));
      }
      stopped.add(stoppedWhileItSends(other, proxies.get(0)));
      stopped.add(stoppedWhileItReceives(other, proxies.get(1), 0, 100));
      stopped.add(stoppedWhileItReceives(other, proxies.get(2), 20, 200_000));
      int all = STEPS.size() + UNDER_WAY.size();
      for (int i = 0; i < all; i++) {
        String fleet = "f" + i;
        Fleets going = replica();
        others.add(CompletableFuture.supplyAsync(() -> ask(going, fleet, assign("v")), threads));
      }
      for (CompletableFuture<String> one : others) {
        assertThat(one.get(60, TimeUnit.SECONDS)).contains("\"v\":");
      }
      woken.countDown();
      proxies.forEach(TestProxy::goOn);
      for (int i = 0; i < all; i++) {
        String at = i < STEPS.size() ? STEPS.get(i) : UNDER_WAY.get(i - STEPS.size());
        Object outcome = stopped.get(i).get(60, TimeUnit.SECONDS);
        String now = whole(replica(), "f" + i);
        boolean inside = i == 1 || i == 2 || i >= STEPS.size();
        assertThat(now.contains("\"w\"")).as("%s: %s", at, outcome).isEqualTo(!inside);
        if (inside) {
          assertThat(((FleetException) outcome).kind()).isEqualTo(Kind.STORE);
        } else {
          assertThat((String) outcome).contains("\"w\":");
        }
      }
      threads.shutdown();
      proxies.forEach(TestProxy::close);
      try (PostgresJournal journal = PostgresJournal.openToRead(url)) {
        assertThat(new Verification(journal, Engine::of).verify())
            .hasSize(all)
            .allSatisfy(found -> assertThat(found.faults()).isEmpty());
      }
    }

    /**
     * The database by way of a proxy, for a replica that does not give up a connection before the
     * test lets it go on, however long that takes.
     */
    private String patient(TestProxy proxy) {
      return proxy.url(url) + "&socketTimeout=600";
    }

    /** One whose group is too large for one write, and of which the database has got a part. */
    private CompletableFuture<Object> stoppedWhileItSends(Fleets other, TestProxy proxy)
        throws InterruptedException {
      String fleet = "f" + STEPS.size();
      other.create(fleet, problem(), "", false).join();
      Fleets sending =
          replica(
              patient(proxy),
              step -> {
                if (step.equals("before INSERT entries and COMMIT")) {
                  proxy.toService().stallAfter(140_000);
                }
              },
              1 << 20);
      CompletableFuture<Object> outcome = asked(sending, fleet, FleetCall.of(large("w")));
      proxy.toService().awaitStall();
      return outcome;
    }

    /** Adds 160 KB or more to the log. */
    private static Command large(String first) {
      List<Workload> batch = new ArrayList<>(List.of(Workload.of(first, Resources.of("cpu", 1))));
      for (int i = 0; i < 40; i++) {
        batch.add(Workload.of(first.repeat(4_000) + i, Resources.of("cpu", 1)));
      }
      return FleetCommands.assign(batch);
    }

    /**
     * One that has got a part of what the database answers when it has its turn: the log since it
     * looked last.
     *
     * @param behind how many large entries it lacks
     * @param bytes how much of the answer it gets
     */
    private CompletableFuture<Object> stoppedWhileItReceives(
        Fleets other, TestProxy proxy, int behind, int bytes) throws InterruptedException {
      String fleet = "f" + (STEPS.size() + (behind == 0 ? 1 : 2));
      other
          .create(
              fleet,
              Engine.problem(
                  "{'strategy':'round-robin','nodes':[{'name':'n1','resources':{'cpu':9000}}],"
                      + "'workloads':[]}"),
              "",
              false)
          .join();
      AtomicBoolean asks = new AtomicBoolean();
      Fleets receiving =
          replica(
              patient(proxy),
              step -> {
                if (asks.get() && step.equals("before BEGIN")) {
                  proxy.toClients().stallAfter(bytes);
                }
              },
              1 << 20);
      for (int i = 0; i < behind; i++) {
        ask(other, fleet, FleetCall.of(large("b" + (char) ('a' + i))));
      }
      asks.set(true);
      final CompletableFuture<Object> outcome = asked(receiving, fleet, assign("w"));
      proxy.toClients().awaitStall();
      String full = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'ClientWrite'";
      long start = System.nanoTime();
      while (behind > 0 && Sql.number(url, full) == 0) {
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.MINUTES.toNanos(1));
      }
      return outcome;
    }
  }

  /** The connection to the database is cut when the database has committed, before it says so. */
  @Nested
  class ACommitWithoutAnAnswer {
    private final AtomicBoolean armed = new AtomicBoolean();

    private Object outcome(TestProxy proxy, Fleets one, boolean staysAway) throws Exception {
      one.create("f", problem(), "", false).join();
      armed.set(true);
      CompletableFuture<Object> outcome = asked(one, "f", assign("w"));
      while (Sql.number(url, "SELECT count(*) FROM entry") < 2) {
        Thread.onSpinWait();
      }
      proxy.away(true);
      proxy.away(staysAway);
      proxy.goOn();
      return outcome.get(60, TimeUnit.SECONDS);
    }

    private Fleets by(TestProxy proxy) {
      return replica(
          proxy.url(url),
          step -> {
            if (step.startsWith("before INSERT") && armed.getAndSet(false)) {
              proxy.toClients().stallAfter(0);
            }
          },
          1 << 20);
    }

    @Test
    void isAnsweredAsTheDatabaseHasIt() throws Exception {
      try (TestProxy proxy = TestProxy.before(url)) {
        Fleets one = by(proxy);
        assertThat(outcome(proxy, one, false)).asString().contains("\"generation\":2}");
        assertThat(one.submit("f", assign("w")).join().replayed()).isTrue();
      }
      judge(2);
    }

    @Test
    void isUnknownWhereTheDatabaseCannotBeAsked() throws Exception {
      try (TestProxy proxy = TestProxy.before(url)) {
        Fleets one = by(proxy);
        assertThat(outcome(proxy, one, true))
            .isInstanceOfSatisfying(
                FleetException.class,
                why -> {
                  assertThat(why.kind()).isEqualTo(Kind.OUTCOME_UNKNOWN);
                  assertThat(why.generation()).isEqualTo(1);
                });
        proxy.away(false);
        assertThat(one.submit("f", assign("w")).join().replayed()).isTrue();
      }
      judge(2);
    }
  }

  /**
   * An attempt without an answer, on a stopped replica, while another replica refuses a later
   * attempt with the same key.
   */
  @Nested
  class ALateAttempt {
    private final CountDownLatch there = new CountDownLatch(1);
    private final CountDownLatch woken = new CountDownLatch(1);
    private Fleets other;

    /** Sends an attempt that stands still at a step, once the fleet has room for one. */
    private CompletableFuture<Object> attempt(String at, FleetCall call) throws Exception {
      other = replica();
      other
          .create(
              "f",
              Engine.problem(
                  "{'strategy':'round-robin','nodes':[{'name':'n1','resources':{'cpu':1}}],"
                      + "'workloads':[]}"),
              "",
              false)
          .join();
      final CompletableFuture<Object> outcome = asked(stopping(at, there, woken), "f", call);
      assertThat(there.await(20, TimeUnit.SECONDS)).isTrue();
      return outcome;
    }

    /**
     * Another workload takes the room, the later attempt is refused, and then there is room again.
     */
    private void toldNo(FleetCall later) {
      assertThat(ask(other, "f", assign("v"))).contains("\"v\":\"n1\"");
      assertThat(ask(other, "f", later)).contains("\"successful\":false");
      ask(other, "f", FleetCall.of(FleetCommands.release("v")));
    }

    private Object wake(CompletableFuture<Object> outcome) throws Exception {
      woken.countDown();
      return outcome.get(20, TimeUnit.SECONDS);
    }

    private boolean isDone() {
      return whole(other, "f").contains("\"w\"");
    }

    /** What fleets.md says of keys: a "no" is not remembered, and a late attempt is a new one. */
    @Test
    void thatHadNotBegunItsTurnIsDecidedAnew() throws Exception {
      CompletableFuture<Object> late = attempt("before BEGIN", assign("w"));
      toldNo(assign("w"));
      assertThat((String) wake(late)).contains("\"w\":\"n1\"");
      assertThat(isDone()).isTrue();
      judge(4);
    }

    @Test
    void thatHadDecidedHasLostItsTurnAndChangesNothing() throws Exception {
      CompletableFuture<Object> late = attempt("before INSERT entries and COMMIT", assign("w"));
      toldNo(assign("w"));
      assertThat(((FleetException) wake(late)).kind()).isEqualTo(Kind.STORE);
      assertThat(isDone()).isFalse();
      judge(3);
    }

    @Test
    void isNotDoneWhereTheLaterOneWasTheLast() throws Exception {
      CompletableFuture<Object> late = attempt("before BEGIN", assign("w"));
      toldNo(assign("w").asLast());
      assertThat((String) wake(late)).contains("\"successful\":false");
      assertThat(isDone()).isFalse();
      assertThat(other.submit("f", assign("w")).join().replayed()).isTrue();
      judge(4);
    }

    @Test
    void isNotDoneWhereItNamesTheGenerationItIsFor() throws Exception {
      CompletableFuture<Object> late = attempt("before BEGIN", assign("w").at(1));
      toldNo(assign("w"));
      assertThat(((FleetException) wake(late)).kind()).isEqualTo(Kind.GENERATION);
      assertThat(isDone()).isFalse();
      judge(3);
    }
  }
}
