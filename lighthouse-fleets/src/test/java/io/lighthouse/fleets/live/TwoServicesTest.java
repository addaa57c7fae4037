package io.lighthouse.fleets.live;

import static io.lighthouse.fleets.live.FleetDeadlinesTest.DECISION;
import static io.lighthouse.fleets.live.FleetDeadlinesTest.LIMITS;
import static io.lighthouse.fleets.live.FleetDeadlinesTest.assign;
import static io.lighthouse.fleets.live.FleetDeadlinesTest.kind;
import static io.lighthouse.fleets.live.FleetDeadlinesTest.question;
import static io.lighthouse.fleets.live.StoreQueuesTest.shared;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.LogPlace;
import io.lighthouse.fleets.NodeCommands;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.live.StoreQueuesTest.SharedMemory;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.LogEvent;
import io.lighthouse.fleets.store.MemoryJournal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.Problem;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two services on one store in memory: what one knows while the other changes it. */
class TwoServicesTest {
  private static final Problem NOTHING = Engine.problem("{'nodes':[],'workloads':[]}");
  private static final Problem NODE =
      Engine.problem("{'nodes':[{'name':'m','resources':{'cpu':1}}],'workloads':[]}");

  /** A service that others share the store with. */
  private static Fleets service(MemoryJournal store) throws StoreException {
    return shared(store, LIMITS, Runnable::run);
  }

  private static FleetCall delete() {
    return FleetCall.of(NodeCommands.deleteFleet());
  }

  /** Otherwise a stream of its events would be silent: nothing comes after its end. */
  @Test
  void theLogOfAFleetIsNotThatOfADeletedOneOfItsName() throws StoreException {
    MemoryJournal store = new SharedMemory();
    Fleets one = service(store);
    one.create("f", NOTHING, "", false).join();
    Fleets other = service(store);
    one.submit("f", delete()).join();
    assertThatThrownBy(() -> other.log("f"))
        .isInstanceOfSatisfying(
            FleetException.class, none -> assertThat(none.kind()).isEqualTo(Kind.NO_SUCH_FLEET));
    one.create("f", NOTHING, "", false).join();
    FleetLog log = other.log("f");
    assertThat(log.life()).isEqualTo(2);
    assertThat(log.newest()).isEqualTo(1);
  }

  @Test
  void aFleetOnWhichAsManyCallsWaitAsMayIsListedAsItIsKnown() throws StoreException {
    MemoryJournal store = new SharedMemory();
    Fleets one = service(store);
    one.create("f", NOTHING, "", false).join();
    List<Runnable> threads = new ArrayList<>();
    Fleets other = shared(store, LIMITS, threads::add);
    one.submit("f", FleetCall.of(NodeCommands.put(Node.of("n", Resources.of("cpu", 1))))).join();
    for (int i = 0; i < LIMITS.waitingOfOne(); i++) {
      other.submit("f", question());
    }
    CompletableFuture<List<Fleets.Listed>> list = other.list(name -> true, false);
    threads.get(1).run(); // The list is read before the questions have their turn.
    assertThat(list.join()).containsExactly(new Fleets.Listed("f", 1, 0, 0));
  }

  /** As when a standby is promoted that was behind. */
  @Test
  void aFleetThatTheStoreHasLostIsNotListed() throws StoreException {
    MemoryJournal store = new SharedMemory();
    Fleets one = service(store);
    one.create("f", NOTHING, "", false).join();
    one.create("g", NOTHING, "", false).join();
    MemoryJournal standby = new SharedMemory();
    service(standby).create("g", NOTHING, "", false).join();
    store.become(standby);
    assertThat(one.list()).containsExactly(new Fleets.Listed("g", 1, 0, 0));
  }

  @Test
  void aFleetThatTheStoreHasLostDoesNotCount() throws StoreException {
    MemoryJournal store = new SharedMemory();
    Fleets one = shared(store, LIMITS.withSizes(2, 10, 10), Runnable::run);
    one.create("f", NOTHING, "", false).join();
    one.create("g", NOTHING, "", false).join();
    MemoryJournal standby = new SharedMemory();
    service(standby).create("g", NOTHING, "", false).join();
    store.become(standby);
    assertThat(one.create("h", NOTHING, "", false).join().outcome()).isEqualTo(Outcome.CREATED);
    assertThat(one.create("i", NOTHING, "", false))
        .failsWithin(Duration.ofSeconds(5))
        .withThrowableOfType(ExecutionException.class)
        .withMessageContaining("the limit of 2 fleets is reached");
  }

  /** A fleet that another service creates after they were counted counts, too. */
  @Test
  void twoServicesKeepTheLimitTogether() throws StoreException {
    MemoryJournal store = new SharedMemory();
    Fleets one = shared(store, LIMITS.withSizes(2, 10, 10), Runnable::run);
    Fleets other = shared(store, LIMITS.withSizes(2, 10, 10), Runnable::run);
    one.create("f", NOTHING, "", false).join();
    Runnable between = () -> other.create("h", NOTHING, "", false).join();
    assertThat(one.create("g", NOTHING, "", false, between))
        .failsWithin(Duration.ofSeconds(5))
        .withThrowableOfType(ExecutionException.class)
        .withMessageContaining("the limit of 2 fleets is reached");
    assertThat(store.heads()).extracting(Head::name).containsExactly("f", "h");
  }

  /** Its followers may not see the other fleet. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1})
  void theLogOfAFleetThatTheStoreHasLostIsNotThatOfAnotherFleetOfItsNumber(long after)
      throws StoreException {
    MemoryJournal store = new SharedMemory();
    Fleets one = service(store);
    one.create("f", NOTHING, "", false).join();
    FleetLog log = one.log("f");
    assertThat(log.page(new LogPlace(1, ""), 9, 1_000)).isEmpty();
    store.become(withFleetG());
    assertThatThrownBy(() -> log.page(new LogPlace(after, ""), 9, 1_000))
        .isInstanceOfSatisfying(
            FleetException.class, lost -> assertThat(lost.kind()).isEqualTo(Kind.STALE));
  }

  @ParameterizedTest
  @CsvSource({"false,1", "true,2"})
  void aFleetThatIsLostWhileItsLogIsReadHasNoEntryOfAnotherOne(boolean marked, int lost)
      throws StoreException {
    MemoryJournal standby = withFleetG();
    AtomicInteger readings = new AtomicInteger();
    MemoryJournal store =
        new SharedMemory() {
          @Override
          public synchronized List<LogEvent> events(long fleet, long after, int most, long bytes)
              throws StoreException {
            if (readings.incrementAndGet() == lost) {
              become(standby);
            }
            return super.events(fleet, after, most, bytes);
          }
        };
    Fleets one = service(store);
    one.create("f", NODE, "", false).join();
    FleetLog log = one.log("f");
    readings.set(Integer.MIN_VALUE);
    LogEvent creation = store.events(1, 0, 1, 0).get(0);
    readings.set(0);
    LogPlace place = marked ? LogPlace.of(creation) : new LogPlace(1, "");
    assertThatThrownBy(() -> log.page(place, 9, 1_000))
        .isInstanceOfSatisfying(
            FleetException.class, stale -> assertThat(stale.kind()).isEqualTo(Kind.STALE));
  }

  @Test
  void theEffectOfAnEntryIsNotThatOfAnotherFleetOfItsNumber() throws StoreException {
    MemoryJournal store = new SharedMemory();
    Fleets one = service(store);
    one.create("f", NODE, "", false).join();
    FleetLog log = one.log("f");
    LogEvent creation = log.page(new LogPlace(0, ""), 9, 0).get(0);
    assertThat(creation.body()).isEmpty();
    assertThat(log.effect(creation)).hasSize(creation.bytes());
    store.become(withFleetG());
    assertThatThrownBy(() -> log.effect(creation))
        .isInstanceOfSatisfying(
            FleetException.class, lost -> assertThat(lost.kind()).isEqualTo(Kind.STALE));
  }

  /** A store with another fleet of the number of the first one, at generation 2. */
  private static MemoryJournal withFleetG() throws StoreException {
    MemoryJournal standby = new SharedMemory();
    Fleets other = service(standby);
    other.create("g", NOTHING, "", false).join();
    other.submit("g", FleetCall.of(NodeCommands.put(Node.of("n", Resources.of("cpu", 1))))).join();
    return standby;
  }

  /** Nothing but another entry mends it. */
  @Test
  void aDamagedFleetIsReadForTheFirstListOnly() throws StoreException {
    AtomicInteger read = new AtomicInteger();
    MemoryJournal store =
        new SharedMemory() {
          @Override
          public synchronized List<Entry> entries(long fleet, long after, int most)
              throws StoreException {
            read.incrementAndGet();
            List<Entry> found = super.entries(fleet, after, most);
            return found.stream().map(one -> one.chained(one.hash())).toList();
          }
        };
    service(store).create("f", NOTHING, "", false).join();
    Fleets other = service(store);
    List<Fleets.Listed> listed = List.of(new Fleets.Listed("f", 1, 0, 0));
    assertThat(other.list()).isEqualTo(listed);
    int first = read.get();
    assertThat(other.list()).isEqualTo(listed);
    assertThat(read).hasValue(first);
  }

  /** Nothing is known of it that could be listed. */
  @Test
  void aFleetThatIsNotReadYetIsNotListedWhereAsManyCallsWaitAsMay() throws StoreException {
    MemoryJournal store = new SharedMemory();
    Fleets one = service(store);
    List<Runnable> threads = new ArrayList<>();
    Fleets other = shared(store, LIMITS, threads::add);
    one.create("f", NOTHING, "", false).join();
    other.take(store.named("f").orElseThrow());
    for (int i = 0; i < LIMITS.waitingOfOne(); i++) {
      other.submit("f", question());
    }
    CompletableFuture<List<Fleets.Listed>> list = other.list(name -> true, false);
    threads.get(1).run();
    assertThat(kind(list.thenApply(fleets -> null))).isEqualTo(Kind.OVERLOAD);
  }

  @Test
  void aListThatWouldNeedMoreCallsThanMayWaitIsRefused() throws StoreException {
    MemoryJournal store = new SharedMemory();
    Fleets one = service(store);
    one.create("f", NOTHING, "", false).join();
    one.create("g", NOTHING, "", false).join();
    List<Runnable> threads = new ArrayList<>();
    Fleets other = shared(store, LIMITS.withTurns(10, 1, DECISION), threads::add);
    one.submit("f", FleetCall.of(NodeCommands.put(Node.of("n", Resources.of("cpu", 1))))).join();
    one.submit("g", FleetCall.of(NodeCommands.put(Node.of("n", Resources.of("cpu", 1))))).join();
    CompletableFuture<List<Fleets.Listed>> list = other.list(name -> true, false);
    threads.get(0).run();
    assertThat(kind(list.thenApply(fleets -> null))).isEqualTo(Kind.OVERLOAD);
  }

  @Test
  void whoWatchesAFleetThatIsReplacedIsTold() throws StoreException {
    MemoryJournal store = new SharedMemory();
    Fleets one = service(store);
    one.create("f", NOTHING, "", false).join();
    Fleets other = service(store);
    List<Long> told = new ArrayList<>();
    other.log("f").watch(() -> told.add(other.live().get("f").id()));
    one.submit("f", delete()).join();
    one.create("f", NOTHING, "", false).join();
    other.take(store.named("f").orElseThrow());
    assertThat(told).containsExactly(2L);
  }

  @Test
  void aCreationThatIsLateIsAnsweredAlsoWhereNoOtherThreadCanDoIt() throws StoreException {
    Fleets one = shared(new SharedMemory(), LIMITS, work -> {});
    FleetCreation creation = new FleetCreation(one);
    long now = System.nanoTime();
    CompletableFuture<Answer> answer =
        creation.create(new FleetCreation.Wanted("f", NOTHING, 0, "", false, () -> {}, now));
    one.threads()
        .answerBy(
            work -> {
              throw new IllegalStateException("planted failure");
            });
    creation.checkDeadlines(now + 2 * DECISION.toNanos());
    assertThat(kind(answer)).isEqualTo(Kind.DECISION_TIMEOUT);
  }

  @Test
  void oneThreadPollsAllFleetsThatAreWatchedInOneQuery() throws StoreException {
    List<Collection<Long>> polled = new ArrayList<>();
    MemoryJournal store =
        new SharedMemory() {
          @Override
          public List<Head> heads(Collection<Long> fleets) throws StoreException {
            polled.add(List.copyOf(fleets));
            return super.heads(fleets);
          }
        };
    Fleets one = service(store);
    List<Runnable> threads = new ArrayList<>();
    one.create("f", NOTHING, "", false).join();
    one.create("g", NOTHING, "", false).join();
    Fleets other = shared(store, LIMITS, threads::add);
    List<String> told = new ArrayList<>();
    Runnable leaveF = other.log("f").watch(() -> told.add("f"));
    Runnable leaveG = other.log("g").watch(() -> told.add("g"));
    FleetDeadlines deadlines = deadlines(other);
    for (int i = 0; i < 2 * FleetDeadlines.POLL; i++) {
      deadlines.check();
    }
    assertThat(threads).hasSize(1);
    threads.remove(0).run();
    assertThat(polled).containsExactly(List.of(1L, 2L));
    told.clear();
    one.submit("g", delete()).join();
    for (int i = 0; i < FleetDeadlines.POLL; i++) {
      deadlines.check();
    }
    threads.remove(0).run();
    assertThat(told).containsExactly("g");
    assertThat(polled).hasSize(2);
    for (int i = 0; i < FleetDeadlines.POLL; i++) {
      deadlines.check();
    }
    leaveF.run();
    leaveG.run();
    threads.remove(0).run();
    assertThat(polled).as("none is watched any more").hasSize(2);
  }

  /** As where memory is lacking for a watcher, and for the log of that. */
  @Test
  void aFleetWhoseWatcherFailsKeepsNoOtherFromBeingPolled() throws StoreException {
    MemoryJournal store = new SharedMemory();
    Fleets one = service(store);
    one.create("f", NOTHING, "", false).join();
    one.create("g", NOTHING, "", false).join();
    List<String> told = new ArrayList<>();
    one.log("f")
        .watch(
            () -> {
              told.add("f");
              throw new OutOfMemoryError("planted");
            });
    one.log("g").watch(() -> told.add("g"));
    FleetDeadlines deadlines = deadlines(one);
    Logger logger = Logger.getLogger("io.lighthouse.fleets");
    logger.setLevel(Level.WARNING);
    logger.setFilter(
        line -> {
          if (line.getMessage().equals("a watcher of a fleet failed")) {
            throw new OutOfMemoryError("planted");
          }
          return false;
        });
    try {
      for (int i = 0; i < 2 * FleetDeadlines.POLL; i++) {
        deadlines.check();
      }
    } finally {
      logger.setFilter(null);
      logger.setLevel(null);
    }
    assertThat(told).as("what failed is called again").containsExactly("f", "g", "f");
  }

  private static FleetDeadlines deadlines(Fleets fleets) throws StoreException {
    OldLogs none = new OldLogs(fleets);
    none.delete(List.of());
    return new FleetDeadlines(fleets, new FleetCreation(fleets), none);
  }

  /** The caller waits for such a question, as it does not for a fleet that is looked up. */
  @Test
  void aNameThatNoFleetCanHaveIsNotLookedUp() throws StoreException {
    MemoryJournal store =
        new SharedMemory() {
          @Override
          public Optional<Entry> byKeyOfGone(String name, String token, String key, byte[] request)
              throws StoreException {
            throw new StoreException("planted failure", null);
          }
        };
    Fleets one = service(store);
    assertThatThrownBy(() -> one.submit("no name", delete().withKey("k", new byte[1])))
        .isInstanceOfSatisfying(
            FleetException.class, none -> assertThat(none.kind()).isEqualTo(Kind.NO_SUCH_FLEET));
  }

  /** A store that has gone back loses entries, too. */
  @Test
  void aLogThatIsDeletedInTimeIsNotTakenForALostOne() throws StoreException {
    MemoryJournal store = new SharedMemory();
    Fleets one = service(store);
    one.create("f", NOTHING, "", false).join();
    AtomicInteger rewinds = new AtomicInteger();
    FleetObserver observer =
        new FleetObserver() {
          @Override
          public void rewound() {
            rewinds.incrementAndGet();
          }
        };
    Fleets other =
        new Fleets(store, Engine::of, LIMITS, observer, Clock.systemUTC(), Runnable::run, 1 << 20);
    one.submit("f", delete()).join();
    store.forget(1);
    other.live().get("f").drop();
    assertThat(kind(other.submit("f", question()))).isEqualTo(Kind.NO_SUCH_FLEET);
    assertThat(rewinds).hasValue(0);
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
    one.create("f", NOTHING, "", false).join();
    shared(shared, LIMITS, Runnable::run)
        .submit("f", FleetCall.of(NodeCommands.deleteFleet()))
        .join();
    fails[0] = true;
    assertThat(kind(one.submit("f", FleetCall.of(FleetQuestions.summary())))).isEqualTo(Kind.STORE);
  }
}
