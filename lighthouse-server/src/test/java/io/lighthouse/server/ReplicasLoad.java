package io.lighthouse.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.lighthouse.server.History.Call;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Clients of several replicas of one fleet, with all of their calls and answers. */
final class ReplicasLoad {
  private static final int NODES = 20;
  private static final int CPU = 16;
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  /** Where the replicas are at present; a test may replace one. */
  final List<URI> replicas = new CopyOnWriteArrayList<>();

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();
  private final List<Call> calls = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger number = new AtomicInteger();
  private final AtomicLong repeated = new AtomicLong();

  private final AtomicLong longestWait = new AtomicLong();

  /** When the change that waits at present was sent; 0 where none does. */
  private volatile long waitingSince;

  private long lastLook;

  private volatile boolean stopped;

  /** Whether a test still brings faults about: clients go on until the last. */
  volatile boolean faultsToCome;

  List<Call> calls() {
    return List.copyOf(calls);
  }

  long repeated() {
    return repeated.get();
  }

  /**
   * The longest time that a change waited on the healthy replicas, in milliseconds, since the last
   * call of this method.
   */
  long longestWaitMillis() {
    long now = System.nanoTime();
    long present = waitingSince == 0 ? 0 : now - Math.max(waitingSince, lastLook);
    lastLook = now;
    return Math.max(longestWait.getAndSet(0), present) / 1_000_000;
  }

  void create() throws IOException, InterruptedException {
    StringBuilder nodes = new StringBuilder();
    for (int i = 0; i < NODES; i++) {
      nodes.append(i == 0 ? "" : ",").append("{\"id\":\"n").append(i);
      nodes.append("\",\"resources\":{\"cpu\":").append(CPU).append("}}");
    }
    HttpResponse<String> created =
        client.send(
            HttpRequest.newBuilder(replicas.get(0).resolve("/fleets/f"))
                .PUT(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"strategy\":\"RoundRobin\",\"nodes\":[" + nodes + "]}"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (created.statusCode() != 201) {
      throw new AssertionError(created.body());
    }
  }

  /**
   * Starts clients, which send calls until they are stopped, or have sent {@code most} of them
   * together and no faults are to come.
   */
  List<Thread> start(int clients, int most, long seed) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      Random dice = new Random(seed * 1_000 + i);
      Thread thread = new Thread(() -> ask(dice, most), "client-" + i);
      thread.start();
      threads.add(thread);
    }
    return threads;
  }

  /** Waits until a client sends another call; fails where none does any more. */
  void awaitCall() {
    int before = number.get();
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (number.get() == before) {
      if (System.nanoTime() > end) {
        throw new AssertionError("no client sends a call after number " + before);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  void stop() {
    stopped = true;
  }

  /** Starts a thread that makes changes again and again on the healthy replicas. */
  Thread probe(Supplier<List<URI>> well) {
    Thread thread =
        new Thread(
            () -> {
              for (int i = 0; !stopped; i++) {
                String name = "p" + i;
                String assign =
                    "{\"workloads\":[{\"id\":\"" + name + "\",\"requirements\":{\"cpu\":1}}]}";
                String release = "{\"workloads\":[\"" + name + "\"]}";
                String path = "/fleets/f/assign-workloads";
                long began = System.nanoTime();
                waitingSince = began;
                boolean there =
                    note(well.get(), "assign", name, 1, "POST", path, assign, "a-" + name);
                waitingSince = 0;
                longestWait.accumulateAndGet(System.nanoTime() - began, Math::max);
                if (there) {
                  path = "/fleets/f/release-workloads";
                  note(well.get(), "release", name, 0, "POST", path, release, "r-" + name);
                }
              }
            },
            "probe");
    thread.start();
    return thread;
  }

  private void ask(Random dice, int most) {
    List<String> mine = new ArrayList<>();
    while (!stopped && (faultsToCome || number.get() < most)) {
      int choice = dice.nextInt(20);
      int asked = number.incrementAndGet();
      if (choice < 10) {
        String name = "w" + asked;
        int need = 1 + dice.nextInt(5);
        String body =
            "{\"workloads\":[{\"id\":\"" + name + "\",\"requirements\":{\"cpu\":" + need + "}}]}";
        if (note("assign", name, need, "POST", "/fleets/f/assign-workloads", body, "a-" + name)) {
          mine.add(name);
        }
      } else if (choice < 15 && !mine.isEmpty()) {
        String name = mine.remove(dice.nextInt(mine.size()));
        String body = "{\"workloads\":[\"" + name + "\"]}";
        note("release", name, 0, "POST", "/fleets/f/release-workloads", body, "r-" + name);
      } else if (choice < 18) {
        String name = "w" + (1 + dice.nextInt(asked));
        note("where", name, 0, "GET", "/fleets/f/workloads/" + name, null, null);
      } else {
        note("sum", "", 0, "GET", "/fleets/f", null, null);
      }
    }
  }

  private boolean note(
      String kind, String about, int need, String method, String path, String body, String key) {
    return note(replicas, kind, about, need, method, path, body, key);
  }

  /**
   * Repeats a call until its outcome is known; returns whether it changed the fleet. For about half
   * of the workloads, repetitions are final ({@code Lighthouse-Final}).
   */
  private boolean note(
      List<URI> replicas,
      String kind,
      String about,
      int need,
      String method,
      String path,
      String body,
      String key) {
    long start = System.nanoTime();
    boolean onItsWay = false;
    for (int attempt = 0; attempt < 40; attempt++) {
      URI replica = replicas.get(ThreadLocalRandom.current().nextInt(replicas.size()));
      HttpRequest.Builder request = HttpRequest.newBuilder(replica.resolve(path)).timeout(PATIENCE);
      request.method(
          method,
          body == null
              ? HttpRequest.BodyPublishers.noBody()
              : HttpRequest.BodyPublishers.ofString(body));
      boolean last = key != null && attempt > 0 && about.hashCode() % 2 == 0;
      if (key != null) {
        request.header("Idempotency-Key", key);
        request.header("Lighthouse-Final", Boolean.toString(last));
      }
      try {
        HttpResponse<byte[]> answer =
            client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        if (answer.statusCode() != 503) {
          JsonNode json = OpenApi.JSON.readTree(answer.body());
          long end = System.nanoTime();
          Call call = new Call(kind, about, need, start, end, answer.statusCode(), json);
          calls.add(call);
          boolean forGood = last && call.status() == 200;
          if (onItsWay && !call.changed() && !forGood) {
            // It was refused, but a stopped replica may have an earlier attempt, and carry it out
            // when it wakes: after the generation of the refusal.
            calls.add(new Call(kind, about, need, start, Long.MAX_VALUE, 0, json));
          }
          return call.changed();
        }
        onItsWay |= new String(answer.body(), StandardCharsets.UTF_8).contains("outcome-unknown");
      } catch (IOException nobodyThere) {
        onItsWay = true; // Another replica is tried.
      } catch (InterruptedException hurry) {
        break;
      }
      repeated.incrementAndGet();
      LockSupport.parkNanos(20_000_000L * Math.min(attempt + 1, 10));
    }
    calls.add(new Call(kind, about, need, start, Long.MAX_VALUE, 0, null));
    return false;
  }

  /** The whole log of the fleet. */
  List<JsonNode> log(URI replica) throws IOException, InterruptedException {
    List<JsonNode> log = new ArrayList<>();
    for (String line : get(replica.resolve("/fleets/f/events"), "application/jsonl").split("\n")) {
      log.add(OpenApi.JSON.readTree(line));
    }
    return log;
  }

  /** The whole fleet, as it is written. */
  String problem(URI replica) throws IOException, InterruptedException {
    return get(replica.resolve("/fleets/f/problem"), "application/json");
  }

  /** Asks again where the service says that its store is away, as it may after a kill. */
  private String get(URI uri, String accept) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri).header("Accept", accept).build();
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    for (int i = 0; i < 40 && answer.statusCode() == 503; i++) {
      LockSupport.parkNanos(100_000_000);
      answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    }
    return answer.body();
  }
}
