package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lighthouse.server.TestService.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The service is killed, again and again, while clients assign and release. What was answered is
 * there afterwards; what was not is asked again with its key, and is done once.
 */
class FleetKillIT {
  private static final int CLIENTS = 16;
  private static final int NODES = 50;
  private static final int CPU = 1_000;
  private static final int KILLS = Integer.getInteger("lighthouse.fleets.kills", 10);

  @TempDir private Path folder;

  /** What the answers say: the node of each workload, or that it was released. */
  private final Map<String, String> answered = new ConcurrentHashMap<>();

  /** Calls without an answer: the workload, by the call's key. */
  private final Map<String, String> open = new ConcurrentHashMap<>();

  private final AtomicInteger number = new AtomicInteger();
  private final AtomicInteger repeated = new AtomicInteger();

  @Test
  void nothingThatWasAnsweredIsLostAndNothingIsDoneTwice() throws Exception {
    Random dice = new Random(14);
    for (int round = 0; round <= KILLS; round++) {
      try (ServiceProcess process =
          ServiceProcess.start("-Xmx256m", "-Dlighthouse.store=" + folder.resolve("fleets.db"))) {
        TestService service = TestService.at(process.uri());
        if (round == 0) {
          assertThat(service.put("/fleets/f", fleet()).status()).isEqualTo(201);
        }
        repeat(service);
        check(service);
        if (round < KILLS) {
          killUnderLoad(process, 50 + dice.nextInt(350));
        }
      }
    }
    assertThat(answered.size()).isGreaterThan(KILLS * CLIENTS);
    System.out.println(
        KILLS + " kills, " + answered.size() + " workloads answered, " + repeated + " asked again");
  }

  private static String fleet() {
    StringBuilder nodes = new StringBuilder();
    for (int i = 0; i < NODES; i++) {
      nodes.append(i == 0 ? "" : ",").append("{\"id\":\"n").append(i);
      nodes.append("\",\"resources\":{\"cpu\":").append(CPU).append("}}");
    }
    return "{\"strategy\":\"RoundRobin\",\"nodes\":[" + nodes + "]}";
  }

  private void killUnderLoad(ServiceProcess process, int millis) throws InterruptedException {
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Thread client = new Thread(() -> ask(TestService.at(process.uri())));
      client.start();
      clients.add(client);
    }
    LockSupport.parkNanos(millis * 1_000_000L);
    process.kill();
    for (Thread client : clients) {
      client.join();
    }
  }

  /** Asks until nobody answers any more. */
  private void ask(TestService service) {
    while (true) {
      int mine = number.incrementAndGet();
      String name = "w" + mine;
      try {
        if (!assigned(service, name)) {
          return;
        }
        if (mine % 3 == 0 && !released(service, name)) {
          return;
        }
      } catch (AssertionError nobodyThere) {
        return;
      }
    }
  }

  private boolean assigned(TestService service, String name) {
    open.put("a-" + name, name);
    Answer answer =
        service.post(
            "/fleets/f/assign-workloads",
            "{\"workloads\":[{\"id\":\"" + name + "\",\"requirements\":{\"cpu\":1}}]}",
            "Idempotency-Key",
            "a-" + name);
    if (answer.status() != 200) {
      return false;
    }
    String node = answer.at("/assignments/" + name);
    assertThat(node).isNotEmpty();
    answered.put(name, node);
    open.remove("a-" + name);
    return true;
  }

  private boolean released(TestService service, String name) {
    open.put("r-" + name, name);
    Answer answer =
        service.post(
            "/fleets/f/release-workloads",
            "{\"workloads\":[\"" + name + "\"]}",
            "Idempotency-Key",
            "r-" + name);
    if (answer.status() != 200) {
      return false;
    }
    answered.put(name, "released");
    open.remove("r-" + name);
    return true;
  }

  /** What nobody answered is asked again, with the same key. */
  private void repeat(TestService service) {
    for (Map.Entry<String, String> call : Map.copyOf(open).entrySet()) {
      boolean done =
          call.getKey().startsWith("a-")
              ? assigned(service, call.getValue())
              : released(service, call.getValue());
      assertThat(done).as(call.getKey()).isTrue();
      repeated.incrementAndGet();
    }
  }

  private void check(TestService service) throws IOException {
    JsonNode problem = service.get("/fleets/f/problem").json();
    Map<String, String> found = new ConcurrentHashMap<>();
    for (JsonNode node : problem.path("nodes")) {
      int on = 0;
      for (JsonNode workload : node.path("workloads")) {
        String name = workload.path("name").asText();
        assertThat(found.put(name, node.path("name").asText())).as("twice: %s", name).isNull();
        on++;
      }
      assertThat(node.at("/resources/cpu").asInt() + on).isEqualTo(CPU);
    }
    Map<String, String> wanted = new ConcurrentHashMap<>(answered);
    wanted.values().removeIf("released"::equals);
    assertThat(found).isEqualTo(wanted);
  }
}
