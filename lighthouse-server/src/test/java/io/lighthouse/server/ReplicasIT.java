package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.Hold;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.fleets.store.Stores;
import io.lighthouse.postgres.PostgresServer;
import io.lighthouse.postgres.TestProxy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Three replicas of the service on one PostgreSQL, with 64 clients that call any of them, while one
 * replica is stopped, one is killed, and the database is killed. {@link History} checks the
 * answers.
 */
class ReplicasIT {
  private static final int REPLICAS = 3;
  private static final int CLIENTS = 64;
  private static final int HISTORIES = Integer.getInteger("lighthouse.fleets.histories", 1);
  private static final int FIRST = Integer.getInteger("lighthouse.fleets.first", 1);
  private static final int CALLS = Integer.getInteger("lighthouse.fleets.calls", 800);

  private static final String ASSIGN = "/fleets/f/assign-workloads";

  private static PostgresServer server;

  @BeforeAll
  static void startServer() throws Exception {
    server = PostgresServer.start();
  }

  @AfterAll
  static void stopServer() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void everyAnswerIsExplainedByOneOrderOfAllCalls() throws Exception {
    for (int seed = FIRST; seed < FIRST + HISTORIES; seed++) {
      live(seed);
    }
  }

  private static ServiceProcess replica(String store) throws Exception {
    return ServiceProcess.startQuickly("-Xmx256m", "-Dlighthouse.store=" + store);
  }

  private static void live(long seed) throws Exception {
    Random dice = new Random(seed);
    String store = server.database();
    List<ServiceProcess> processes = new ArrayList<>();
    ReplicasLoad load = new ReplicasLoad();
    try {
      for (int i = 0; i < REPLICAS; i++) {
        processes.add(replica(store));
        load.replicas.add(processes.get(i).uri());
      }
      load.create();
      load.faultsToCome = true;
      List<Thread> clients = load.start(CLIENTS, CALLS, seed);
      sleep(300 + dice.nextInt(700));
      AtomicInteger ill = new AtomicInteger(dice.nextInt(REPLICAS));
      Thread probe =
          load.probe(
              () -> {
                List<URI> well = new ArrayList<>(load.replicas);
                well.remove(ill.get());
                return well;
              });
      sleep(200);
      load.longestWaitMillis();
      load.awaitCall();
      processes.get(ill.get()).pause();
      sleep(2_500 + dice.nextInt(1_000));
      processes.get(ill.get()).goOn();
      final long whileStopped = load.longestWaitMillis();
      sleep(200);
      ill.set(dice.nextInt(REPLICAS));
      sleep(200);
      load.longestWaitMillis();
      load.awaitCall();
      processes.get(ill.get()).kill();
      sleep(300 + dice.nextInt(400));
      final long whileKilled = load.longestWaitMillis();
      processes.set(ill.get(), replica(store));
      load.replicas.set(ill.get(), processes.get(ill.get()).uri());
      load.awaitCall();
      server.killAndStart();
      load.faultsToCome = false;
      for (Thread client : clients) {
        client.join();
      }
      load.stop();
      probe.join();
      assertThat(History.faults(load.calls(), load.log(load.replicas.get(0)))).isEmpty();
      String problem = load.problem(load.replicas.get(0));
      for (URI replica : load.replicas) {
        assertThat(load.problem(replica)).isEqualTo(problem);
      }
      System.out.printf(
          "history %d: %d calls, %d repeated; a change on the others waited %d ms while one"
              + " was stopped, %d ms while one was killed%n",
          seed, load.calls().size(), load.repeated(), whileStopped, whileKilled);
    } finally {
      load.stop();
      for (ServiceProcess process : processes) {
        process.goOn();
        process.close();
      }
    }
  }

  private static void sleep(int millis) {
    LockSupport.parkNanos(millis * 1_000_000L);
  }

  /**
   * A service that is stopped (SIGSTOP) when it has received only a part: of a request, and of the
   * database's result at the beginning of a turn. That result is larger than the network's buffers.
   */
  @Test
  void aServiceStoppedWhileItReceivesHoldsNobodyUpAndGoesOn() throws Exception {
    String store = server.database();
    try (TestProxy proxy = TestProxy.before(store);
        TestService other = TestService.start(new ServiceSettings().store(store));
        ServiceProcess stopped = replica(proxy.url(store));
        RawConnection begun = new RawConnection(stopped.uri());
        RawConnection deciding = new RawConnection(stopped.uri())) {
      assertThat(
              other
                  .put(
                      "/fleets/f",
                      "{\"strategy\":\"RoundRobin\","
                          + "\"nodes\":[{\"id\":\"n\",\"resources\":{\"cpu\":100000}}]}")
                  .status())
          .isEqualTo(201);
      TestService.at(stopped.uri()).get("/fleets/f");
      for (int i = 0; i < 10; i++) {
        assertThat(other.post(ASSIGN, batch("large-" + i + "-" + "x".repeat(230), 1_000)).status())
            .isEqualTo(200);
      }
      String request = batch("begun", 1);
      begun.post(ASSIGN, request.length()).send(request.substring(0, 20));
      proxy.toClients().stallAfter(100_000);
      deciding.post(ASSIGN, batch("late", 1).length(), "Idempotency-Key: late");
      deciding.send(batch("late", 1));
      proxy.toClients().awaitStall();
      stopped.pause();
      proxy.goOn();
      assertThat(other.post(ASSIGN, batch("v", 1)).at("/successful")).isEqualTo("true");
      stopped.goOn();
      // It has lost its turn, or was done with it before the other's; asked again, it is done once.
      assertThat(deciding.status()).isIn(200, 503);
      assertThat(
              TestService.at(stopped.uri())
                  .post(ASSIGN, batch("late", 1), "Idempotency-Key", "late")
                  .at("/successful"))
          .isEqualTo("true");
      assertThat(begun.send(request.substring(20)).answer()).contains("\"begun-0\":\"n\"");
      String whole = other.get("/fleets/f/problem").text();
      assertThat(TestService.at(stopped.uri()).get("/fleets/f/problem").text()).isEqualTo(whole);
      for (String name : List.of("begun-0", "late-0", "v-0")) {
        assertThat(whole.split("\"" + name + "\"", -1)).as(name).hasSize(2);
      }
    }
  }

  private static String batch(String names, int count) {
    StringBuilder batch = new StringBuilder("{\"workloads\":[");
    for (int i = 0; i < count; i++) {
      batch.append(i == 0 ? "" : ",").append("{\"id\":\"").append(names).append('-').append(i);
      batch.append("\",\"requirements\":{\"cpu\":1}}");
    }
    return batch.append("]}").toString();
  }

  /** Stores that break a promise: the same judge must see each of them. */
  @Nested
  class Planted {
    /** What one call of the journal does instead. */
    private interface Instead {
      Object of(Journal journal, String method, Object[] arguments) throws Exception;
    }

    private static final Object AS_IT_IS = new Object();

    private List<String> faults(Instead instead) throws Exception {
      String store = server.database();
      ReplicasLoad load = new ReplicasLoad();
      List<TestService> services = new ArrayList<>();
      for (int i = 0; i < REPLICAS; i++) {
        Journal wrong = wrong(Stores.open(store), instead);
        services.add(TestService.start(new ServiceSettings().journal(wrong)));
        load.replicas.add(services.get(i).uri());
      }
      load.create();
      for (Thread client : load.start(16, 400, 14)) {
        client.join();
      }
      services.forEach(TestService::close);
      // The log itself is read from a sound store: a broken one breaks the stream of it off.
      try (TestService sound =
          TestService.start(new ServiceSettings().journal(Stores.open(store)))) {
        return History.faults(load.calls(), load.log(sound.uri()));
      }
    }

    private Journal wrong(Journal journal, Instead instead) {
      return (Journal)
          Proxy.newProxyInstance(
              Journal.class.getClassLoader(),
              new Class<?>[] {Journal.class},
              (proxy, method, arguments) -> {
                Object done = instead.of(journal, method.getName(), arguments);
                try {
                  return done == AS_IT_IS ? method.invoke(journal, arguments) : done;
                } catch (InvocationTargetException thrown) {
                  throw thrown.getCause();
                }
              });
    }

    @Test
    void noneIsASoundHistory() throws Exception {
      assertThat(faults((journal, method, arguments) -> AS_IT_IS)).isEmpty();
    }

    @Test
    void readsThatDoNotAskTheStoreAreCaught() throws Exception {
      AtomicInteger asked = new AtomicInteger();
      Head[] old = new Head[1];
      assertThat(
              faults(
                  (journal, method, arguments) -> {
                    if (!method.equals("head")) {
                      return AS_IT_IS;
                    }
                    synchronized (old) {
                      // What was so some reads ago.
                      if (old[0] == null || asked.incrementAndGet() % 8 == 0) {
                        old[0] = journal.head((Long) arguments[0]).orElse(null);
                      }
                      return Optional.ofNullable(old[0]);
                    }
                  }))
          .isNotEmpty();
    }

    @Test
    void answersBeforeTheCommitAreCaught() throws Exception {
      AtomicInteger writes = new AtomicInteger();
      assertThat(
              faults(
                  (journal, method, arguments) ->
                      method.equals("hold")
                          ? new Hasty(
                              journal.hold((Long) arguments[0], (Long) arguments[1], List.of()),
                              writes)
                          : AS_IT_IS))
          .isNotEmpty();
    }

    /** A turn that says it has written and sometimes has not. */
    private record Hasty(Hold hold, AtomicInteger writes) implements Hold {
      @Override
      public Optional<Head> head() throws StoreException {
        return hold.head();
      }

      @Override
      public List<Entry> entries(long after, int most) throws StoreException {
        return hold.entries(after, most);
      }

      @Override
      public Optional<Entry> byKey(String token, String key) throws StoreException {
        return hold.byKey(token, key);
      }

      @Override
      public boolean isFirst(String name, long fleet) throws StoreException {
        return hold.isFirst(name, fleet);
      }

      @Override
      public Optional<Entry> byKeyOfGone(String name, String token, String key, byte[] request)
          throws StoreException {
        return hold.byKeyOfGone(name, token, key, request);
      }

      @Override
      public void append(Head before, List<Entry> entries, Head after) throws StoreException {
        if (writes.incrementAndGet() % 20 != 0) {
          hold.append(before, entries, after);
        }
      }

      @Override
      public void keep() {
        hold.keep();
      }

      @Override
      public void close() {
        hold.close();
      }
    }
  }
}
