package io.lighthouse.fleets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.PostgresJournal;
import io.lighthouse.fleets.store.Sql;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.fleets.store.Watched;
import io.lighthouse.json.Problem;
import io.lighthouse.postgres.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Several services on one database: each has its own fleets in memory, and one truth. */
class ReplicasTest {
  private static PostgresServer server;

  private final List<Fleets> opened = new ArrayList<>();
  private String url;

  @BeforeAll
  static void start() {
    server = PostgresServer.start();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void create() {
    url = server.database();
  }

  @AfterEach
  void close() {
    opened.forEach(Fleets::close);
  }

  private static Problem problem() {
    return Engine.problem(
        "{'strategy':'round-robin','nodes':[{'name':'n1','resources':{'cpu':40}},"
            + "{'name':'n2','resources':{'cpu':40}}],'workloads':[]}");
  }

  /** A replica that does what it is asked in the calling thread, and never says that it lives. */
  private Fleets replica(Consumer<String> onStep, long snapshotAfter) {
    try {
      Fleets fleets =
          new Fleets(
              Watched.open(url, onStep),
              Engine::of,
              FleetLimits.STANDARD,
              FleetObserver.NONE,
              Clock.systemUTC(),
              Runnable::run,
              snapshotAfter);
      opened.add(fleets);
      return fleets;
    } catch (StoreException failed) {
      throw new AssertionError(failed);
    }
  }

  private Fleets replica() {
    return replica(step -> {}, 1 << 20);
  }

  private static FleetCall assign(String name) {
    return FleetCall.of(FleetCommands.assign(List.of(Workload.of(name, Resources.of("cpu", 1)))))
        .withKey("key-" + name, name.getBytes(StandardCharsets.UTF_8));
  }

  private static String ask(Fleets fleets, String fleet, FleetCall call) {
    return new String(fleets.submit(fleet, call).join().body(), StandardCharsets.UTF_8);
  }

  private static Kind kind(Fleets fleets, String fleet, FleetCall call) {
    try {
      fleets.submit(fleet, call).join();
      throw new AssertionError("it was answered");
    } catch (CompletionException refused) {
      return ((FleetException) refused.getCause()).kind();
    } catch (FleetException refused) {
      return refused.kind();
    }
  }

  private static String whole(Fleets fleets, String fleet) {
    Problem[] taken = new Problem[1];
    ask(fleets, fleet, FleetCall.of(FleetQuestions.problem(problem -> taken[0] = problem)));
    return new String(Recovery.json(taken[0]), StandardCharsets.UTF_8);
  }

  private void judge(int entries) throws StoreException {
    try (PostgresJournal journal = PostgresJournal.openToRead(url)) {
      for (Verification.Found found : new Verification(journal, Engine::of).verify()) {
        assertThat(found.faults()).isEmpty();
        assertThat(found.generation()).isEqualTo(entries);
      }
    }
  }

  @Test
  void eachDecidesOnWhatTheOthersHaveWritten() throws StoreException {
    Fleets one = replica();
    Fleets other = replica();
    one.create("f", problem(), "", false).join();
    for (int i = 0; i < 10; i++) {
      String on = "n" + (i % 2 + 1); // Round robin goes on, whoever decides.
      assertThat(ask(i % 3 == 0 ? one : other, "f", assign("w" + i))).contains("\":\"" + on);
      assertThat(ask(i % 2 == 0 ? one : other, "f", FleetCall.of(FleetQuestions.summary())))
          .contains("\"workloads\":" + (i + 1))
          .endsWith("\"generation\":" + (i + 2) + "}");
    }
    assertThat(whole(one, "f")).isEqualTo(whole(other, "f"));
    assertThat(whole(replica(), "f")).isEqualTo(whole(other, "f"));
    judge(11);
  }

  @Test
  void aKeyHasOneEffectOnWhicheverItComes() throws StoreException {
    Fleets one = replica();
    Fleets other = replica();
    one.create("f", problem(), "", false).join();
    String answer = ask(one, "f", assign("w"));
    assertThat(ask(other, "f", assign("w"))).isEqualTo(answer);
    assertThat(other.submit("f", assign("w")).join().replayed()).isTrue();
    FleetCall reused = assign("x").withKey("key-w", new byte[] {7});
    assertThat(kind(other, "f", reused)).isEqualTo(Kind.KEY_REUSED);
    judge(2);
  }

  @Test
  void aKeySentSixteenTimesAtOnceToThreeHasOneEffect() throws Exception {
    List<Fleets> replicas = List.of(replica(), replica(), replica());
    replicas.get(0).create("f", problem(), "", false).join();
    ExecutorService threads = Executors.newFixedThreadPool(16);
    CyclicBarrier together = new CyclicBarrier(16);
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      Fleets replica = replicas.get(i % 3);
      answers.add(
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  together.await();
                } catch (Exception broken) {
                  throw new AssertionError(broken);
                }
                return ask(replica, "f", assign("w"));
              },
              threads));
    }
    assertThat(answers.stream().map(CompletableFuture::join).distinct()).hasSize(1);
    threads.shutdown();
    judge(2);
  }

  @Test
  void fleetsComeAndGoOnAll() throws StoreException {
    Fleets one = replica();
    Fleets other = replica();
    assertThat(one.create("f", problem(), "", false).join().status()).isEqualTo(201);
    assertThat(other.create("f", problem(), "", false).join().status()).isEqualTo(200);
    assertThat(ask(other, "f", assign("w"))).contains("\"w\":\"n1\"");
    assertThat(one.list()).containsExactly(new Fleets.Listed("f", 2, 2, 1));
    ask(one, "f", FleetCall.of(NodeCommands.deleteFleet()));
    assertThat(kind(other, "f", assign("x"))).isEqualTo(Kind.NO_SUCH_FLEET);
    assertThat(other.list()).isEmpty();
    assertThat(other.create("f", problem(), "", false).join().status()).isEqualTo(201);
    assertThat(ask(one, "f", assign("w"))).contains("\"generation\":2");
    ask(other, "f", FleetCall.of(NodeCommands.deleteFleet()));
    other.create("f", problem(), "", false).join();
    // That one still had the fleet before in memory.
    assertThat(ask(one, "f", assign("y"))).contains("\"generation\":2");
    assertThat(one.list()).hasSize(1);
  }

  @Test
  void whoTakesAStaleAnswerDoesNotAskTheStore() throws StoreException {
    Fleets one = replica();
    Fleets other = replica();
    one.create("f", problem(), "", false).join();
    FleetCall question = FleetCall.of(FleetQuestions.summary());
    assertThat(ask(other, "f", question)).contains("\"generation\":1}");
    ask(one, "f", assign("w"));
    assertThat(ask(other, "f", question.asStale())).contains("\"generation\":1}");
    assertThat(other.list(true)).containsExactly(new Fleets.Listed("f", 1, 2, 0));
    assertThat(ask(other, "f", question)).contains("\"generation\":2}");
    assertThat(ask(other, "f", question.asStale())).contains("\"generation\":2}");
    // What changes something is decided on the newest state all the same.
    ask(one, "f", assign("x"));
    assertThat(ask(other, "f", assign("y").asStale())).contains("\"generation\":4}");
    judge(4);
  }

  @Test
  void manyCreateAtOnceAndEachFleetIsThereOnce() throws Exception {
    List<Fleets> replicas = List.of(replica(), replica(), replica());
    ExecutorService threads = Executors.newFixedThreadPool(3);
    AtomicInteger created = new AtomicInteger();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (Fleets replica : replicas) {
      all.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 12; i++) {
                  int status = replica.create("f" + i, problem(), "", false).join().status();
                  created.addAndGet(status == 201 ? 1 : 0);
                }
              },
              threads));
    }
    all.forEach(CompletableFuture::join);
    threads.shutdown();
    assertThat(created).hasValue(12);
    assertThat(replicas.get(1).list()).hasSize(12);
    judge(1);
  }

  @Test
  void whatIsFarBehindCatchesUpAlsoWhereTheLogIsGone() throws StoreException {
    Fleets one = replica(step -> {}, 1_500); // Writes snapshots, after which entries may go.
    Fleets other = replica();
    one.create("f", problem(), "", false).join();
    ask(other, "f", assign("first"));
    for (int i = 0; i < 30; i++) {
      ask(one, "f", assign("w" + i));
    }
    Sql.execute(
        url,
        "DELETE FROM entry WHERE generation <="
            + " (SELECT min(generation) FROM snapshot HAVING count(*) = 2)");
    assertThat(Sql.number(url, "SELECT min(generation) FROM entry")).isGreaterThan(3);
    assertThat(ask(other, "f", assign("last"))).contains("\"generation\":33");
    assertThat(whole(one, "f")).isEqualTo(whole(other, "f"));
    judge(33);
  }

  @Test
  void theLogOfAnotherIsFollowed() throws Exception {
    replica().create("f", problem(), "", false).join();
    try (Fleets one = live();
        Fleets other = live()) {
      FleetLog log = one.log("f");
      Semaphore told = new Semaphore(0);
      Runnable unwatch = log.watch(told::release);
      long seen = 0;
      for (int i = 0; i < 5; i++) {
        ask(other, "f", assign("w" + i));
        while (seen < i + 2) {
          for (Entry entry : log.entries(seen, 10)) {
            assertThat(entry.generation()).isEqualTo(++seen);
          }
          if (seen < i + 2) {
            assertThat(told.tryAcquire(10, TimeUnit.SECONDS)).as("told of entry %s", i).isTrue();
          }
        }
      }
      unwatch.run();
      assertThatThrownBy(() -> log.entries(99, 1))
          .isInstanceOfSatisfying(
              FleetException.class, stale -> assertThat(stale.kind()).isEqualTo(Kind.STALE));
    }
  }

  private Fleets live() throws StoreException {
    return Fleets.open(
        PostgresJournal.open(url),
        Engine::of,
        FleetLimits.STANDARD,
        FleetObserver.NONE,
        Clock.systemUTC());
  }

  @Test
  void aStoreThatLostWhatItHadSaidIsNoticed() throws StoreException {
    Fleets one = replica();
    one.create("f", problem(), "", false).join();
    ask(one, "f", assign("a"));
    // As when a standby is promoted that was one entry behind: its row and log are sound.
    Sql.execute(url, "CREATE TABLE row_before AS SELECT * FROM fleet");
    ask(one, "f", assign("b"));
    FleetLog log = one.log("f");
    Sql.execute(url, "DELETE FROM entry WHERE generation = 3");
    Sql.execute(
        url,
        "UPDATE fleet SET generation = b.generation, hash = b.hash, digest = b.digest"
            + " FROM row_before AS b WHERE fleet.id = b.id");
    assertThat(ask(one, "f", FleetCall.of(FleetQuestions.summary()))).endsWith("\"generation\":2}");
    assertThat(log.rewinds()).isEqualTo(1);
    assertThat(ask(one, "f", assign("c"))).contains("\"c\":\"n2\"", "\"generation\":3");
    judge(3);
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

    /** Ends a replica as a process ends: nothing it does afterwards reaches anybody. */
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
        Fleets stopping =
            replica(
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
        CompletableFuture<Object> outcome = new CompletableFuture<>();
        Thread thread =
            new Thread(
                () -> {
                  try {
                    outcome.complete(ask(stopping, fleet, assign("w")));
                  } catch (CompletionException refused) {
                    outcome.complete(refused.getCause());
                  }
                },
                "stopping");
        thread.start();
        stopped.add(outcome);
        assertThat(there.await(20, TimeUnit.SECONDS)).as(at).isTrue();
      }
      for (int i = 0; i < STEPS.size(); i++) {
        String fleet = "f" + i;
        Fleets going = replica();
        others.add(CompletableFuture.supplyAsync(() -> ask(going, fleet, assign("v")), threads));
      }
      for (CompletableFuture<String> one : others) {
        assertThat(one.get(20, TimeUnit.SECONDS)).contains("\"v\":");
      }
      woken.countDown();
      for (int i = 0; i < STEPS.size(); i++) {
        Object outcome = stopped.get(i).get(20, TimeUnit.SECONDS);
        String now = whole(replica(), "f" + i);
        boolean inside = i == 1 || i == 2;
        assertThat(now.contains("\"w\"")).as("%s: %s", STEPS.get(i), outcome).isEqualTo(!inside);
        if (inside) {
          assertThat(((FleetException) outcome).kind()).isEqualTo(Kind.STORE);
        } else {
          assertThat((String) outcome).contains("\"w\":");
        }
      }
      threads.shutdown();
      try (PostgresJournal journal = PostgresJournal.openToRead(url)) {
        assertThat(new Verification(journal, Engine::of).verify())
            .hasSize(STEPS.size())
            .allSatisfy(found -> assertThat(found.faults()).isEmpty());
      }
    }
  }
}
