package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the service again and again while clients assign and release. Answered changes are there
 * afterwards. Calls without an answer are repeated with their keys, and take effect once. Two
 * services run side by side, each with its own file: while one starts, clients call the other.
 */
class FleetKillIT {
  private static final int CLIENTS = 64;
  private static final int NODES = 50;
  private static final int CPU = 10_000;
  private static final int KILLS = Integer.getInteger("lighthouse.fleets.kills", 10);
  private static final long SEED = Long.getLong("lighthouse.fleets.kills.seed", 14);

  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir private Path folder;

  private final AtomicLong answers = new AtomicLong();
  private final AtomicLong repeated = new AtomicLong();

  @Test
  void nothingThatWasAnsweredIsLostAndNothingIsDoneTwice() throws Exception {
    QuickStart.options();
    int half = KILLS / 2;
    CompletableFuture<Void> one = CompletableFuture.runAsync(() -> live(1, half), FleetKillIT::go);
    CompletableFuture<Void> two =
        CompletableFuture.runAsync(() -> live(2, KILLS - half), FleetKillIT::go);
    CompletableFuture.allOf(one, two).join();
    assertThat(answers.get()).isGreaterThanOrEqualTo((long) KILLS * CLIENTS);
    System.out.printf(
        "%d kills from seed %d: %d calls answered, %d asked again%n",
        KILLS, SEED, answers.get(), repeated.get());
  }

  private static void go(Runnable work) {
    new Thread(work).start();
  }

  private void live(int number, int kills) {
    try {
      new KeptFile(folder.resolve("fleets-" + number + ".db"), new Random(SEED * 2 + number))
          .live(kills);
    } catch (IOException | InterruptedException broken) {
      throw new CompletionException(broken);
    }
  }

  private static String fleet() {
    StringBuilder nodes = new StringBuilder();
    for (int i = 0; i < NODES; i++) {
      nodes.append(i == 0 ? "" : ",").append("{\"id\":\"n").append(i);
      nodes.append("\",\"resources\":{\"cpu\":").append(CPU).append("}}");
    }
    return "{\"strategy\":\"RoundRobin\",\"nodes\":[" + nodes + "]}";
  }

  /** What a client asks. */
  private record OpenCall(String workload, boolean assigns) {
    String request() {
      String body =
          assigns
              ? "{\"workloads\":[{\"id\":\"" + workload + "\",\"requirements\":{\"cpu\":1}}]}"
              : "{\"workloads\":[\"" + workload + "\"]}";
      return "POST /fleets/f/"
          + (assigns ? "assign" : "release")
          + "-workloads HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: "
          + (assigns ? "a-" : "r-")
          + workload
          + "\r\nContent-Length: "
          + body.length()
          + "\r\n\r\n"
          + body;
    }
  }

  /** One file, the services that keep it one after another, and what they answered. */
  private final class KeptFile {
    private final Path file;
    private final Random dice;

    /** What the answers say: the node of each workload that was not released. */
    private final Map<String, String> where = new ConcurrentHashMap<>();

    /** Calls without an answer, by their client. */
    private final Map<Integer, OpenCall> open = new ConcurrentHashMap<>();

    /** Answers of no kind that is expected. */
    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();

    private final AtomicInteger number = new AtomicInteger();

    KeptFile(Path file, Random dice) {
      this.file = file;
      this.dice = dice;
    }

    void live(int kills) throws IOException, InterruptedException {
      for (int round = 0; round <= kills; round++) {
        try (ServiceProcess process =
            ServiceProcess.startQuickly("-Xmx256m", "-Dlighthouse.store=" + file)) {
          if (round == 0) {
            TestService service = TestService.at(process.uri());
            assertThat(service.put("/fleets/f", fleet()).status()).isEqualTo(201);
          }
          repeat(process.uri());
          check(process.uri());
          if (round < kills) {
            killUnderLoad(process);
          }
        }
      }
    }

    /** Repeats the calls without an answer, with the same keys; all clients at once. */
    private void repeat(URI uri) throws InterruptedException {
      repeated.addAndGet(open.size());
      for (Thread client : clients(one -> askAgain(uri, one))) {
        client.join();
      }
      assertThat(open).isEmpty();
      assertThat(wrong).isEmpty();
    }

    private void askAgain(URI uri, int client) {
      OpenCall call = open.get(client);
      if (call != null) {
        try (RawConnection connection = new RawConnection(uri)) {
          answer(client, call, connection);
        } catch (IOException broken) {
          wrong.add(call + " was not answered: " + broken);
        }
      }
    }

    /** Kills it at a random moment after a random number of answers. */
    private void killUnderLoad(ServiceProcess process) throws InterruptedException {
      Semaphore heard = new Semaphore(0);
      List<Thread> clients = clients(one -> ask(process.uri(), one, heard));
      boolean enough = heard.tryAcquire(CLIENTS + dice.nextInt(4 * CLIENTS), 2, TimeUnit.MINUTES);
      LockSupport.parkNanos(dice.nextInt(10_000_000));
      process.kill();
      for (Thread client : clients) {
        client.join();
      }
      assertThat(wrong).isEmpty();
      assertThat(enough).as("it did answer").isTrue();
    }

    private List<Thread> clients(Consumer<Integer> work) {
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int mine = i;
        Thread client = new Thread(() -> work.accept(mine));
        client.start();
        clients.add(client);
      }
      return clients;
    }

    /** Sends calls until no answer comes any more. One of three workloads is not released. */
    private void ask(URI uri, int client, Semaphore heard) {
      try (RawConnection connection = new RawConnection(uri)) {
        while (true) {
          int mine = number.incrementAndGet();
          OpenCall assign = new OpenCall("w" + mine, true);
          open.put(client, assign);
          if (!answer(client, assign, connection)) {
            return;
          }
          heard.release();
          if (mine % 3 != 0) {
            OpenCall release = new OpenCall("w" + mine, false);
            open.put(client, release);
            if (!answer(client, release, connection)) {
              return;
            }
            heard.release();
          }
        }
      } catch (IOException nobodyThere) {
        // It was killed: the call stays open.
      }
    }

    /**
     * Sends a call; returns whether it was answered. Then it is no longer open, and its effect is
     * recorded.
     */
    private boolean answer(int client, OpenCall call, RawConnection connection) throws IOException {
      String answer = connection.send(call.request()).answer();
      int head = answer.indexOf("\r\n\r\n");
      if (head < 0) {
        return false; // It was killed before the answer was complete.
      }
      JsonNode said = OpenApi.JSON.readTree(answer.substring(head));
      if (said.path("generation").isMissingNode()) {
        return false;
      }
      String node = said.at("/assignments/" + call.workload).asText();
      boolean done =
          answer.startsWith("HTTP/1.1 200")
              && (call.assigns
                  ? !node.isEmpty() && where.put(call.workload, node) == null
                  : where.remove(call.workload) != null);
      if (!done) {
        wrong.add(call + " was answered " + answer);
        return false;
      }
      open.remove(client);
      answers.incrementAndGet();
      return true;
    }

    private void check(URI uri) throws IOException, InterruptedException {
      HttpRequest request = HttpRequest.newBuilder(uri.resolve("/fleets/f/problem")).build();
      byte[] text = HTTP.send(request, HttpResponse.BodyHandlers.ofByteArray()).body();
      JsonNode problem = OpenApi.JSON.readTree(text);
      Map<String, String> found = new TreeMap<>();
      for (JsonNode node : problem.path("nodes")) {
        int on = 0;
        for (JsonNode workload : node.path("workloads")) {
          String name = workload.path("name").asText();
          assertThat(found.put(name, node.path("name").asText())).as("twice: %s", name).isNull();
          on++;
        }
        assertThat(node.at("/resources/cpu").asInt() + on).isEqualTo(CPU);
      }
      assertThat(found).isEqualTo(new TreeMap<>(where));
    }
  }
}
