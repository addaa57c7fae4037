package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.fleets.store.Stores;
import io.lighthouse.server.TestService.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.Thread.UncaughtExceptionHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The limits of the calls on fleets, where the store is slow or fails, or answers are large. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FleetLimitsTest {
  /** Does something before a call of the journal; throws what the call is to throw. */
  private interface Before {
    void call(String method, Object[] arguments) throws StoreException, InterruptedException;
  }

  private static final Before NOTHING = (method, arguments) -> {};

  @TempDir private Path folder;

  private volatile Before before = NOTHING;
  private Journal journal;
  private TestService service;

  @BeforeEach
  void open() throws StoreException {
    Journal real = Stores.open(folder.resolve("fleets.db").toString());
    journal =
        (Journal)
            Proxy.newProxyInstance(
                Journal.class.getClassLoader(),
                new Class<?>[] {Journal.class},
                (proxy, method, arguments) -> {
                  before.call(method.getName(), arguments);
                  try {
                    return method.invoke(real, arguments);
                  } catch (InvocationTargetException thrown) {
                    throw thrown.getCause();
                  }
                });
  }

  @AfterEach
  void close() {
    before = NOTHING;
    service.close();
  }

  private void start(Consumer<ServiceSettings> how) {
    ServiceSettings settings = new ServiceSettings().journal(journal);
    how.accept(settings);
    service = TestService.start(settings);
  }

  private static String fleet(int nodes) {
    StringBuilder text = new StringBuilder("{\"nodes\":[");
    for (int i = 0; i < nodes; i++) {
      text.append(i == 0 ? "" : ",").append("{\"id\":\"n").append(i);
      text.append("\",\"resources\":{\"cpu\":9}}");
    }
    return text.append("]}").toString();
  }

  private Answer assign(String fleet, String name) {
    return service.post(
        "/fleets/" + fleet + "/assign-workloads",
        "{\"workloads\":[{\"id\":\"" + name + "\",\"requirements\":{\"cpu\":1}}]}");
  }

  @Test
  void theWorkloadsOfTheFleetCountInAQuestion() {
    start(settings -> settings.limit(ServiceLimit.WORKLOADS, 2));
    service.put("/fleets/f", fleet(1));
    assertThat(assign("f", "a").status()).isEqualTo(200);
    String two =
        "\"workloads\":[{\"id\":\"b\",\"requirements\":{}},{\"id\":\"c\",\"requirements\":{}}]}";

    Answer placed = service.post("/fleets/f/assign-workloads", "{" + two);
    Answer asked = service.post("/fleets/f/plan", "{\"goal\":\"place\"," + two);

    assertThat(placed.status()).isEqualTo(413);
    assertThat(asked.status()).isEqualTo(413);
    assertThat(asked.text()).contains("at most 2 workloads, with the 1 on the fleet's nodes");
    assertThat(service.post("/fleets/f/plan", "{\"goal\":\"repair\"}").status()).isEqualTo(200);
  }

  /** As where the memory ends again and again when its end is to be logged. */
  @Test
  void aCallWhoseFailureCannotBeLoggedIsAnsweredAllTheSame() throws IOException {
    start(settings -> {});
    service.put("/fleets/f", fleet(1));
    before =
        (method, arguments) -> {
          if (method.equals("hold")) {
            throw new Error() {
              private static final long serialVersionUID = 1L;

              @Override
              public String toString() {
                throw this;
              }
            };
          }
        };
    byte[] body = "{\"workloads\":[]}".getBytes(StandardCharsets.UTF_8);
    try (RawConnection raw = new RawConnection(service.uri())) {
      raw.post("/fleets/f/assign-workloads", body.length).out().write(body);
      assertThat(raw.status()).as("0 where the connection ends").isIn(0, 500);
    }
    before = NOTHING;
    Answer after = assign("f", "a");
    assertThat(after.status()).as(after.text()).isEqualTo(200);
    assertThat(service.service().stop()).as("all requests are over").isTrue();
  }

  /** As where memory ends when its call was just put into the queue of the fleet. */
  @Test
  void onlyACallThatMayHaveChangedSomethingHasAnUnknownOutcome() throws Exception {
    start(settings -> {});
    service.put("/fleets/f", fleet(1));
    String batch = "{\"workloads\":[{\"id\":\"w\",\"requirements\":{\"cpu\":1}}]}";
    String path = "/fleets/f/assign-workloads";
    BlockingQueue<String> logged = new LinkedBlockingQueue<>();
    Logger logger = Logger.getLogger("io.lighthouse.server");
    Level level = logger.getLevel();
    logger.setLevel(Level.SEVERE);
    logger.setFilter(line -> !logged.add(line.getMessage()));
    before =
        (method, arguments) -> {
          if (method.equals("isShared") && isCalledByARequest()) {
            throw new OutOfMemoryError("planted");
          }
        };
    try {
      assertThat(service.post("/fleets/f/what-if", "{}").problem()).isEqualTo("overload");
      assertThat(service.post(path + "?dry_run=true", batch).problem()).isEqualTo("overload");

      Answer keyed = service.post(path, batch, "Idempotency-Key", "k");
      Answer plain = service.delete("/fleets/f/workloads/w");

      assertThat(keyed.problem()).isEqualTo("outcome-unknown");
      assertThat(keyed.text()).contains("ask again, with the same Idempotency-Key\"");
      assertThat(plain.problem()).isEqualTo("outcome-unknown");
      assertThat(plain.text()).contains("ask again\"");
      for (int i = 0; i < 4; i++) { // A line comes after its answer.
        assertThat(logged.poll(1, TimeUnit.MINUTES)).startsWith("out of memory");
      }
    } finally {
      logger.setFilter(null);
      logger.setLevel(level);
    }
    before = NOTHING;
    // Memory ended before the calls were in the queue, which the service cannot know.
    assertThat(service.get("/fleets/f").at("/generation")).isEqualTo("1");
    assertThat(service.post(path, batch, "Idempotency-Key", "k").at("/generation")).isEqualTo("2");
  }

  private static boolean isCalledByARequest() {
    return StackWalker.getInstance()
        .walk(calls -> calls.anyMatch(call -> call.getClassName().endsWith(".FleetDecision")));
  }

  /** An append that has begun is waited for; one that has not begun in time never happens. */
  @Test
  void aCreationThatIsToldItIsTooLateDoesNotHappen() throws Exception {
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    before =
        (method, arguments) -> {
          if (method.equals("append") && ((Head) arguments[2]).name().equals("slow")) {
            writing.countDown();
            goOn.await();
          }
        };
    start(
        settings ->
            settings
                .limit(ServiceLimit.DECISIONS, 4)
                .limit(ServiceLimit.DECISION_TIMEOUT, Duration.ofSeconds(3)));
    CompletableFuture<Answer> slow =
        CompletableFuture.supplyAsync(() -> service.put("/fleets/slow", fleet(1)));
    writing.await();
    Answer late = service.put("/fleets/late", fleet(1));
    assertThat(late.problem()).isEqualTo("decision-timeout");
    assertThat(slow).isNotDone();
    goOn.countDown();
    assertThat(slow.join().status()).isEqualTo(201);
    // The one that was late had its turn to write before this one.
    assertThat(service.put("/fleets/last", fleet(1)).status()).isEqualTo(201);
    assertThat(service.get("/fleets").json().path("fleets"))
        .extracting(fleet -> fleet.path("fleet").asText())
        .containsExactly("last", "slow");
  }

  @Test
  void aFollowerThatCannotBeginIsNotCounted() throws Exception {
    start(settings -> settings.limit(ServiceLimit.WATCHERS, 1));
    service.put("/fleets/f", fleet(1));
    before =
        (method, arguments) -> {
          if (method.equals("head")) {
            throw new StoreException("planted failure", null);
          }
        };
    assertThat(service.get("/fleets/f/events?after=0").problem()).isEqualTo("store");
    before = NOTHING;
    try (BufferedReader lines = follow("f")) {
      assertThat(lines.readLine()).isEqualTo(": at 1");
      assertThat(service.get("/fleets/f/events").at("/detail"))
          .contains("the limit of 1 follower is reached");
    }
  }

  @Test
  void aFollowerWhoseStreamFailsIsNotCounted() throws Exception {
    start(settings -> settings.limit(ServiceLimit.WATCHERS, 1));
    service.put("/fleets/f", fleet(1));
    try (BufferedReader lines = follow("f")) {
      assertThat(lines.readLine()).isEqualTo(": at 1");
      before =
          (method, arguments) -> {
            if (method.equals("events") || method.equals("entries")) {
              throw new OutOfMemoryError("planted");
            }
          };
      assertThat(assign("f", "w").status()).isEqualTo(200);
      assertThat(service.metricsWith("lighthouse_fleet_followers 0.0"))
          .contains("lighthouse_fleet_followers 0.0");
    }
  }

  @Test
  void aLogThatIsReadSlowlyTakesNoPlaceOfADecision() throws Exception {
    CountDownLatch reading = new CountDownLatch(2);
    CountDownLatch goOn = new CountDownLatch(1);
    start(settings -> settings.limit(ServiceLimit.DECISIONS, 2));
    service.put("/fleets/f", fleet(1));
    before =
        (method, arguments) -> {
          if (method.equals("events") || method.equals("entries")) {
            reading.countDown();
            goOn.await();
          }
        };
    List<CompletableFuture<BufferedReader>> streams = new ArrayList<>();
    try {
      for (int i = 0; i < 2; i++) {
        streams.add(CompletableFuture.supplyAsync(() -> followed("f")));
      }
      reading.await();
      assertThat(assign("f", "w").status()).isEqualTo(200);
    } finally {
      goOn.countDown();
      for (CompletableFuture<BufferedReader> stream : streams) {
        stream.join().close();
      }
    }
  }

  private BufferedReader followed(String fleet) {
    try {
      return follow(fleet);
    } catch (IOException | InterruptedException broken) {
      throw new AssertionError(broken);
    }
  }

  @Test
  void aLogThatIsReadSlowlyDelaysItsOwnFollowersAlone() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    start(settings -> {});
    service.put("/fleets/slow", fleet(1));
    service.put("/fleets/other", fleet(1));
    List<BufferedReader> streams = new ArrayList<>();
    try {
      for (int i = 0; i < 6; i++) {
        streams.add(follow("slow"));
        assertThat(streams.get(i).readLine()).isEqualTo(": at 1");
      }
      BufferedReader other = follow("other");
      streams.add(other);
      assertThat(other.readLine()).isEqualTo(": at 1");
      CountDownLatch reading = new CountDownLatch(4);
      before =
          (method, arguments) -> {
            boolean reads = method.equals("events") || method.equals("entries");
            if (reads && arguments[0].equals(1L)) {
              reading.countDown();
              goOn.await();
            }
          };
      assertThat(assign("slow", "w").status()).isEqualTo(200);
      reading.await();
      assertThat(assign("other", "w").status()).isEqualTo(200);
      String line = other.readLine();
      while (!line.startsWith("id: 2-")) {
        line = other.readLine();
      }
    } finally {
      goOn.countDown();
      for (BufferedReader stream : streams) {
        stream.close();
      }
    }
  }

  /** As where memory is lacking for the log, too. */
  @Test
  void aStreamThatBreaksOffEndsAlsoWhereThatCannotBeLogged() throws Exception {
    start(settings -> {});
    service.put("/fleets/f", fleet(1));
    Logger logger = Logger.getLogger("io.lighthouse.server");
    Level level = logger.getLevel();
    logger.setLevel(Level.WARNING);
    logger.setFilter(
        line -> {
          throw new OutOfMemoryError("planted");
        });
    CompletableFuture<Throwable> thrown = new CompletableFuture<>(); // It would be printed.
    UncaughtExceptionHandler printing = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, why) -> thrown.complete(why));
    try (BufferedReader stream = follow("f")) {
      assertThat(stream.readLine()).isEqualTo(": at 1");
      before =
          (method, arguments) -> {
            if (method.equals("events")) {
              throw new OutOfMemoryError("planted");
            }
          };
      assertThat(assign("f", "w").status()).isEqualTo(200);
      assertThatThrownBy(() -> stream.lines().toList()).isInstanceOf(UncheckedIOException.class);
      assertThat(thrown.join()).isInstanceOf(OutOfMemoryError.class);
    } finally {
      logger.setFilter(null);
      logger.setLevel(level);
      Thread.setDefaultUncaughtExceptionHandler(printing);
    }
  }

  private BufferedReader follow(String fleet) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(service.uri().resolve("/fleets/" + fleet + "/events?after=1"))
            .build();
    return new BufferedReader(
        new InputStreamReader(
            HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofInputStream())
                .body(),
            StandardCharsets.UTF_8));
  }

  /** The effect of its creation has 19 kB, and the bytes in flight are 18. */
  @Test
  void answersThatAreTooLargeAreRefusedAndChargeNothing() {
    start(settings -> settings.limit(ServiceLimit.IN_FLIGHT, 18_000));
    assertThat(service.put("/fleets/f", fleet(500)).status()).isEqualTo(201);
    for (String path : List.of("/problem", "/nodes?limit=1000", "/events")) {
      assertThat(service.get("/fleets/f" + path).problem()).as(path).isEqualTo("overload");
    }
    String batch = "{\"workloads\":[{\"id\":\"w\",\"requirements\":{\"cpu\":1}}]}";
    assertThat(service.post("/fleets/f/assign-workloads?record=true", batch).problem())
        .isEqualTo("overload");
    assertThat(service.get("/fleets/f").at("/generation")).isEqualTo("1");
    assertThat(service.get("/fleets/f/nodes?limit=10").status()).isEqualTo(200);
    assertThat(assign("f", "w").at("/generation")).isEqualTo("2");
    assertThat(service.metricsWith("lighthouse_bytes_in_flight 0.0"))
        .contains("lighthouse_bytes_in_flight 0.0", "lighthouse_fleet_followers 0.0");
  }
}
