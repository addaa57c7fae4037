package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Change;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.Command;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.LogPlace;
import io.lighthouse.fleets.NodeCommands;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.store.Hold;
import io.lighthouse.fleets.store.LogEvent;
import io.lighthouse.fleets.store.PostgresJournal;
import io.lighthouse.fleets.store.Sql;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.fleets.store.Watched;
import io.lighthouse.json.WantedPlan;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several services on one database: each has its own fleets in memory, and one truth. */
class ReplicasTest extends SharedStore {
  @Test
  void eachDecidesOnWhatTheOthersHaveWritten() throws StoreException {
    Fleets one = replica();
    Fleets other = replica();
    one.create("f", problem(), "", false).join();
    for (int i = 0; i < 10; i++) {
      String on = "n" + (i % 2 + 1); // Round robin continues, whichever replica decides.
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
  void aRepeatedCallNeedsNoConnectionButThatOfItsTurn() throws StoreException {
    PostgresJournal journal = PostgresJournal.open(url);
    try (Fleets fleets = Engine.fleets(journal, 1 << 20)) {
      fleets.create("f", problem(), "", false).join();
      String answer = ask(fleets, "f", assign("w"));
      Watched.withoutConnectionsForCalls(
          journal,
          () -> {
            assertThat(ask(fleets, "f", assign("w"))).isEqualTo(answer);
            assertThat(ask(fleets, "f", assign("x"))).contains("\"generation\":3");
          });
    }
  }

  /** As behind a pooler that has one connection. A second one would wait for the first. */
  @Test
  void aServiceWithOneConnectionDoesWhatOneWithManyDoes() throws StoreException {
    Sql.execute(url, "CREATE ROLE small LOGIN CONNECTION LIMIT 1");
    Sql.execute(
        url,
        "DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' OWNER TO small'; END $$");
    Fleets fleets = replica(url.replace("user=lighthouse", "user=small"), step -> {}, 1_000);
    FleetCall delete = FleetCall.of(NodeCommands.deleteFleet());
    fleets.create("f", problem(), "", false).join();
    for (int i = 0; i < 9; i++) {
      assertThat(ask(fleets, "f", assign("w" + i))).contains("w" + i);
    }
    assertThat(fleets.submit("f", delete.withKey("k", new byte[1])).join().replayed()).isFalse();
    assertThat(fleets.submit("f", delete.withKey("k", new byte[1])).join().replayed()).isTrue();
    fleets.create("f", problem(), "", false).join();
    assertThat(fleets.submit("f", delete.withKey("k", new byte[1])).join().replayed()).isTrue();
    Sql.execute(url, "UPDATE entry SET at = at + 1 WHERE fleet = 2");
    fleets.close();
    // A role of its own: the server may take time to notice that the first service has ended.
    Sql.execute(url, "CREATE ROLE later LOGIN CONNECTION LIMIT 1 IN ROLE small");
    Fleets later = replica(url.replace("user=lighthouse", "user=later"), step -> {}, 1_000);
    assertThat(kind(later, "f", assign("w"))).isEqualTo(Kind.DAMAGED);
    assertThat(later.submit("f", delete.withKey("k2", new byte[1])).join().generation())
        .isEqualTo(2);
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
    assertThat(one.create("f", problem(), "", false).join().outcome()).isEqualTo(Outcome.CREATED);
    assertThat(other.create("f", problem(), "", false).join().outcome()).isEqualTo(Outcome.DONE);
    assertThat(ask(other, "f", assign("w"))).contains("\"w\":\"n1\"");
    assertThat(one.list()).containsExactly(new Fleets.Listed("f", 2, 2, 1));
    ask(one, "f", FleetCall.of(NodeCommands.deleteFleet()));
    assertThat(kind(other, "f", assign("x"))).isEqualTo(Kind.NO_SUCH_FLEET);
    assertThat(other.list()).isEmpty();
    assertThat(other.create("f", problem(), "", false).join().outcome()).isEqualTo(Outcome.CREATED);
    assertThat(ask(one, "f", assign("w"))).contains("\"generation\":2");
    ask(other, "f", FleetCall.of(NodeCommands.deleteFleet()));
    other.create("f", problem(), "", false).join();
    // That one still had the fleet before in memory.
    assertThat(ask(one, "f", assign("y"))).contains("\"generation\":2");
    assertThat(one.list()).hasSize(1);
  }

  /** The row of the other fleet is damaged, so that whatever reads it fails. */
  @Test
  void aDeletionWithAKeyReadsNoOtherFleet() throws StoreException {
    Fleets one = replica();
    one.create("f", problem(), "", false).join();
    one.create("g", problem(), "", false).join();
    Sql.execute(url, "UPDATE fleet SET generation = 7 WHERE name = 'g'");
    FleetCall deletion = FleetCall.of(NodeCommands.deleteFleet()).withKey("k", new byte[] {1});
    assertThat(one.submit("f", deletion).join().outcome()).isEqualTo(Outcome.EMPTY);
    assertThat(one.submit("f", deletion).join().replayed()).isTrue();
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
                  Answer answer = replica.create("f" + i, problem(), "", false).join();
                  created.addAndGet(answer.outcome() == Outcome.CREATED ? 1 : 0);
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
  void aPlanIsCarriedOutOnlyWhereNoOtherHasChangedTheFleet() throws StoreException {
    Fleets one = replica();
    Fleets other = replica();
    one.create("f", problem(), "", false).join();
    ask(one, "f", assign("w"));
    WantedPlan plan = new WantedPlan(2, List.of(new Change.Move("w", "n1", "n2")));
    assertThat(ask(other, "f", FleetCall.of(NodeCommands.cordon("n1", true))))
        .contains("\"cordoned\":true")
        .endsWith("\"generation\":3}");
    assertThat(kind(one, "f", FleetCall.of(FleetCommands.apply(plan)))).isEqualTo(Kind.STALE);
    WantedPlan later = new WantedPlan(3, plan.changes());
    assertThat(ask(one, "f", FleetCall.of(FleetCommands.apply(later))))
        .isEqualTo("{\"generation\":4}");
    assertThat(kind(other, "f", FleetCall.of(FleetCommands.apply(later)))).isEqualTo(Kind.STALE);
    assertThat(whole(one, "f")).isEqualTo(whole(other, "f"));
    judge(4);
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
          for (LogEvent entry : log.page(new LogPlace(seen, ""), 10, Long.MAX_VALUE)) {
            assertThat(entry.generation()).isEqualTo(++seen);
          }
          if (seen < i + 2) {
            assertThat(told.tryAcquire(10, TimeUnit.SECONDS)).as("told of entry %s", i).isTrue();
          }
        }
      }
      unwatch.run();
      assertThatThrownBy(() -> log.page(new LogPlace(99, ""), 1, Long.MAX_VALUE))
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
        Clock.systemUTC(),
        Runnable::run);
  }

  @Test
  @Timeout(120)
  void aListWaitsForNoFleetThatAnotherHasAndReadsOnlyVisibleOnes() throws Exception {
    replica().create("f", problem(), "", false).join();
    replica().create("g", problem(), "", false).join();
    try (Fleets one = live();
        PostgresJournal other = PostgresJournal.open(url)) {
      Hold held = other.hold(1, 1, List.of());
      // The turn of f here waits for the row of f, and the question of the list behind it.
      CompletableFuture<Answer> waits = one.submit("f", assign("w"));
      while (Sql.number(url, "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
          == 0) {
        Thread.onSpinWait();
      }
      List<CompletableFuture<List<Fleets.Listed>>> lists = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        lists.add(one.list(name -> true, false));
      }
      assertThat(one.list(name -> name.equals("g"), false).join())
          .containsExactly(new Fleets.Listed("g", 1, 2, 0));
      assertThat(ask(one, "g", assign("x"))).contains("\"generation\":2");
      assertThat(waits).isNotDone();
      held.close();
      waits.join();
      for (CompletableFuture<List<Fleets.Listed>> list : lists) {
        assertThat(list.join()).extracting(Fleets.Listed::name).containsExactly("f", "g");
      }
    }
  }

  @Test
  void aDeletionIsRepeatedOnAnotherAndDeletesNoLaterFleet() throws StoreException {
    Fleets one = replica();
    Fleets other = replica();
    FleetCall delete = FleetCall.of(NodeCommands.deleteFleet()).withKey("k", new byte[] {1});
    one.create("f", problem(), "", false).join();
    ask(other, "f", FleetCall.of(FleetQuestions.summary())); // It has the fleet in memory.
    assertThat(one.submit("f", delete).join().replayed()).isFalse();
    assertThat(other.submit("f", delete).join().replayed()).isTrue();
    one.create("f", problem(), "", false).join();
    assertThat(other.submit("f", delete).join().replayed()).isTrue();
    assertThat(one.submit("f", delete).join().replayed()).isTrue();
    assertThat(ask(other, "f", assign("w"))).contains("\"generation\":2");
    one.submit("f", FleetCall.of(NodeCommands.deleteFleet())).join();
    one.create("f", problem(), "", false).join();
    assertThat(other.submit("f", delete).join().replayed()).isTrue(); // It has the second one.
    assertThat(replica().list()).containsExactly(new Fleets.Listed("f", 1, 2, 0));
  }

  /** Everything runs in the calling thread; work for other threads runs on demand. */
  @Test
  void oneThreadAtATimeShowsTheStoreThatATurnGoesOn() throws StoreException {
    Deque<Runnable> works = new ArrayDeque<>();
    AtomicReference<LiveFleet> fleet = new AtomicReference<>();
    Runnable looking =
        () -> {
          for (int i = 1; i <= 5; i++) {
            fleet.get().checkDeadlines(System.nanoTime() + i * 600_000_000L);
          }
        };
    List<Integer> inTheCommit = new ArrayList<>();
    PostgresJournal journal =
        Watched.open(
            url,
            step -> {
              if (step.startsWith("before INSERT") && fleet.get() != null) {
                looking.run();
                inTheCommit.add(works.size());
              }
            });
    List<Integer> inTheDecision = new ArrayList<>();
    Command deciding =
        new Command() {
          private final Command assigning = assign("w").command();

          @Override
          public String kind() {
            return assigning.kind();
          }

          @Override
          public Reply decide(View view) {
            for (int i = 0; i < 2; i++) {
              looking.run();
              inTheDecision.add(works.size());
              works.remove().run();
            }
            return assigning.decide(view);
          }
        };
    try (Fleets one = Engine.fleets(journal, works::add, 1 << 20)) {
      create(one, works);
      fleet.set(one.live().get("f"));
      CompletableFuture<Answer> answer = one.submit("f", FleetCall.of(deciding));
      works.remove().run();
      assertThat(answer.join().generation()).isEqualTo(2);
    }
    assertThat(inTheDecision).containsExactly(1, 1);
    assertThat(inTheCommit).containsExactly(1);
  }
}
