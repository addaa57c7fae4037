package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * 64 clients at once with good, bad, huge and slow requests, against a service in a process of its
 * own. For five seconds; {@code -Dlighthouse.soak.seconds=120} makes it two minutes. On a busy
 * machine most requests are answered with 503. It goes on, then, until each sort had an answer of
 * its own.
 */
class SoakIT {
  private static final int CLIENTS = 64;
  private static final int SECONDS = Integer.getInteger("lighthouse.soak.seconds", 5);
  private static final int PROBLEMS = 24;

  /** What must be seen while the service is busy. */
  private static final Set<String> ANSWERS =
      Set.of("good 200", "bad 400", "nonsense 400", "nonsense 422", "huge 413");

  /** How much longer it may go on for the last of {@link #ANSWERS}. */
  private static final Duration AT_MOST = Duration.ofMinutes(3);

  private final Map<String, AtomicLong> statuses = new ConcurrentSkipListMap<>();
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();

  @Test
  void mixedClientsGetRightAnswersAndLeaveNothingBehind() throws Exception {
    List<String> problems = new ArrayList<>();
    Map<String, String> right = new TreeMap<>();
    for (int i = 0; i < PROBLEMS; i++) {
      String problem = Load.problem(i, 5 + 10 * i, 10 + 15 * i);
      problems.add(problem);
      right.put(problem, Load.answer(problem));
    }
    try (ServiceProcess process = ServiceProcess.start("-Xmx256m")) {
      TestService service = TestService.at(process.uri());
      long before = process.liveHeap();
      run(process, problems, right);
      assertThat(wrong).isEmpty();
      assertThat(process.isAlive()).isTrue();
      assertThat(service.metricsWith("lighthouse_decisions_running 0.0"))
          .contains(
              "lighthouse_bytes_in_flight 0.0",
              "lighthouse_decisions_waiting 0.0",
              "lighthouse_decisions_running 0.0",
              "lighthouse_threads_abandoned 0.0");
      // What is live after a collection: the same as when it was warm, but for caches that fill.
      assertThat(process.liveHeap() - before).isLessThan(12L << 20);
      assertThat(service.assign(problems.get(0)).status()).isEqualTo(200);
    }
    assertThat(statuses.keySet()).containsAll(ANSWERS);
    if (SECONDS > 10) {
      System.out.println("soak of " + SECONDS + " s: " + statuses);
    }
  }

  private void run(ServiceProcess process, List<String> problems, Map<String, String> right)
      throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
    long lastEnd = end + AT_MOST.toNanos();
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Random random = new Random(i);
      Thread client =
          new Thread(
              () -> {
                while (System.nanoTime() < end
                    || !statuses.keySet().containsAll(ANSWERS) && System.nanoTime() < lastEnd) {
                  one(process, problems.get(random.nextInt(PROBLEMS)), right, random.nextInt(20));
                }
              });
      client.start();
      clients.add(client);
    }
    for (Thread client : clients) {
      client.join();
    }
  }

  /** One connection with one sort of request on it. */
  private void one(ServiceProcess process, String problem, Map<String, String> right, int sort) {
    try (RawConnection raw = new RawConnection(process.uri())) {
      switch (sort) {
        case 0 -> send(raw, "bad", problem.substring(0, problem.length() / 2), 400);
        case 1 -> send(raw, "nonsense", problem.replaceFirst("\"cpu\":[0-9]", "\"cpu\":\"x"), 400);
        case 2 -> send(raw, "nonsense", problem.replaceFirst("node-1\"", "node-0\""), 422);
        case 3 -> {
          raw.post("/try-assign-workloads", 1L << 30);
          count("huge", raw.status(), 413);
        }
        case 4 -> {
          // The answer is not waited for.
          raw.post("/try-assign-workloads", problem.length()).send(problem.substring(0, 50));
          count("gone", 0, 0);
        }
        case 5 -> slow(raw, problem, right.get(problem));
        default -> {
          for (int i = 0; i < 5; i++) {
            good(raw, problem, right.get(problem));
          }
        }
      }
    } catch (IOException broken) {
      wrong.add(sort + ": " + broken);
    }
  }

  private void send(RawConnection raw, String sort, String body, int status) throws IOException {
    raw.post("/try-assign-workloads", body.length()).send(body);
    count(sort, raw.status(), status);
  }

  private void good(RawConnection raw, String problem, String right) throws IOException {
    raw.post("/try-assign-workloads", problem.length()).send(problem);
    check("good", raw.answer(), right);
  }

  private void slow(RawConnection raw, String problem, String right) throws IOException {
    raw.post("/try-assign-workloads", problem.length());
    int piece = problem.length() / 10 + 1;
    for (int from = 0; from < problem.length(); from += piece) {
      raw.send(problem.substring(from, Math.min(problem.length(), from + piece)));
      java.util.concurrent.locks.LockSupport.parkNanos(50_000_000);
    }
    check("slow", raw.answer(), right);
  }

  private void check(String sort, String answer, String right) {
    int status = Integer.parseInt(answer.substring(9, 12));
    count(sort, status, 200);
    if (status == 200 && !answer.endsWith(right)) {
      wrong.add("a wrong answer: " + answer);
    }
  }

  private void count(String sort, int status, int allowed) {
    statuses.computeIfAbsent(sort + " " + status, key -> new AtomicLong()).incrementAndGet();
    if (status != allowed && status != 503) {
      wrong.add(sort + " was answered " + status);
    }
  }
}
