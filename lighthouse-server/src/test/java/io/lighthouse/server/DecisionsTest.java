package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Decisions are few at a time and bounded in time, whatever a plug-in does. */
class DecisionsTest {
  private static Path plugins;
  private TestService service;

  @BeforeAll
  static void compile(@TempDir Path directory) {
    plugins = PluginJar.directory(directory, PluginJar.misbehaving().toArray(new String[0]));
    PluginJar.addRule(directory, plugins, "unlucky", "return null;");
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private static String problem(String strategy) {
    return "{\"strategy\":\""
        + strategy
        + "\",\"nodes\":[{\"id\":\"n\",\"resources\":{\"cpu\":1}}],"
        + "\"workloads\":[{\"id\":\"w\",\"requirements\":{\"cpu\":1}}]}";
  }

  private static ServiceSettings quick() {
    return new ServiceSettings()
        .plugins(plugins)
        .limit(ServiceLimit.DECISION_TIMEOUT, Duration.ofMillis(2000))
        .limit(ServiceLimit.STOP_TIMEOUT, Duration.ofMillis(2000));
  }

  @Test
  void aPluginThatLoopsIsAnsweredForAbandonedCountedAndRefusedFromThenOn() {
    service =
        TestService.start(
            quick()
                .limit(ServiceLimit.DECISIONS, 1)
                .limit(ServiceLimit.QUEUE_TIMEOUT, Duration.ofSeconds(20)));
    var first = service.assign(problem("looping"));
    assertThat(first.status()).isEqualTo(503);
    assertThat(first.problem()).isEqualTo("decision-timeout");
    assertThat(first.at("/detail")).contains("'looping'");
    // It has the one place until it is given up.
    var second = service.assign(problem("looping"));
    assertThat(second.status()).isEqualTo(503);
    assertThat(second.problem()).isEqualTo("strategy-refused");
    assertThat(second.at("/detail")).contains("'looping'", "looping.jar");
    assertThat(service.assign(problem("Prioritized")).at("/successful")).isEqualTo("true");
    assertThat(service.metricsWith("lighthouse_threads_abandoned 1.0"))
        .contains(
            "lighthouse_threads_abandoned 1.0",
            "lighthouse_strategies_refused 1.0",
            "lighthouse_decisions_over_time_total 1.0");
    assertThat(service.get("/strategies").json().path("strategies"))
        .filteredOn(strategy -> strategy.path("refused").asBoolean())
        .extracting(strategy -> strategy.path("name").asText())
        .containsExactly("looping");
  }

  @Test
  void aPluginThatIsOnlyLateEndsAndStaysInUse() {
    service =
        TestService.start(
            quick()
                .limit(ServiceLimit.DECISIONS, 1)
                .limit(ServiceLimit.QUEUE_TIMEOUT, Duration.ofSeconds(20)));
    // It would query candidates forever, but the engine ends it: it is not refused as one that
    // loops.
    var late = service.assign(problem("asking"));
    assertThat(late.problem()).isEqualTo("decision-timeout");
    assertThat(late.at("/detail")).contains("'asking'");
    var small = service.assign(problem("asking").replace("\"w\"", "\"other\""));
    assertThat(small.at("/successful")).isEqualTo("true");
    assertThat(service.metricsWith("lighthouse_decisions_over_time_total 1.0"))
        .contains(
            "lighthouse_threads_abandoned 0.0",
            "lighthouse_strategies_refused 0.0",
            "lighthouse_decisions_over_time_total 1.0");
  }

  /**
   * Reading such a problem takes a number of steps linear in its size; placing it takes far more.
   * So on any machine there is a time in which it is read but not placed.
   */
  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aBuiltInStrategyOverItsTimeEndsAndStaysInUse() {
    String problem = hopeless(50_000);
    Duration time = Duration.ofMillis(100);
    TestService.Answer late = null;
    while (late == null || late.at("/detail").contains("was not read")) {
      if (service != null) {
        service.close();
      }
      time = time.multipliedBy(2);
      service =
          TestService.start(
              new ServiceSettings()
                  .limit(ServiceLimit.DECISION_TIMEOUT, time)
                  .limit(ServiceLimit.DECISIONS, 1)
                  .limit(ServiceLimit.QUEUE_TIMEOUT, Duration.ofMinutes(1)));
      late = service.tryAssign(problem);
    }
    assertThat(late.status()).isEqualTo(503);
    assertThat(late.problem()).isEqualTo("decision-timeout");
    assertThat(late.at("/detail")).contains("'bin-pack'");
    assertThat(late.header("Retry-After")).isEqualTo("1");
    // There is one place only: it is free again.
    assertThat(service.tryAssign(hopeless(2)).at("/failures")).isEqualTo("[\"w0\",\"w1\"]");
    assertThat(service.metricsWith("lighthouse_decisions_running 0.0"))
        .contains(
            "lighthouse_decisions_running 0.0",
            "lighthouse_threads_abandoned 0.0",
            "lighthouse_strategies_refused 0.0");
  }

  /** As many nodes as workloads, none of which fits anywhere. */
  private static String hopeless(int size) {
    StringBuilder nodes = new StringBuilder();
    StringBuilder workloads = new StringBuilder();
    for (int i = 0; i < size; i++) {
      String comma = i == 0 ? "" : ",";
      nodes.append(comma).append("{\"id\":\"n").append(i).append("\",\"resources\":{\"cpu\":1}}");
      workloads.append(comma).append("{\"id\":\"w").append(i);
      workloads.append("\",\"requirements\":{\"cpu\":").append(2 + i).append("}}");
    }
    return "{\"strategy\":\"BinPack\",\"rubric\":{\"cpu\":1},\"explain\":true,\"nodes\":["
        + nodes
        + "],\"workloads\":["
        + workloads
        + "]}";
  }

  @Test
  void aPluginThatInterruptsItselfHarmsNoAnswer() {
    service = TestService.start(new ServiceSettings().plugins(plugins));
    assertThat(service.assign(problem("interrupting")).at("/successful")).isEqualTo("true");
    String two = problem("interrupting").replace("]}", ",{\"id\":\"v\",\"requirements\":{}}]}");
    var answer = service.assign(two);
    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.problem()).isEqualTo("strategy");
    assertThat(answer.at("/detail")).contains("'interrupting'", "interrupting.jar", "interrupted");
  }

  @Test
  void aPluginThatThrowsIsNamedAndNobodysInputIsBlamed() {
    service = TestService.start(new ServiceSettings().plugins(plugins));
    var answer = service.assign(problem("throwing"));
    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.problem()).isEqualTo("strategy");
    assertThat(answer.at("/detail")).contains("'throwing'", "throwing.jar", "out of luck");
    assertThat(answer.text()).doesNotContain("\\tat ", ".java:");
    assertThat(service.metricsWith("lighthouse_decision_failures_total{type=\"strategy\"} 1.0"))
        .contains(
            "lighthouse_decision_failures_total{type=\"strategy\"} 1.0",
            "lighthouse_decision_failures_total{type=\"rule\"} 0.0",
            "lighthouse_decision_failures_total{type=\"internal\"} 0.0");
  }

  @Test
  void aRuleThatFailsIsNamedAndTheStrategyIsNotBlamed() {
    service = TestService.start(new ServiceSettings().plugins(plugins));
    String ruled =
        problem("Prioritized")
            .replace("{\"cpu\":1}}]}", "{\"cpu\":1},\"rules\":[{\"rule\":\"unlucky\"}]}]}");
    var answer = service.assign(ruled);
    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.problem()).isEqualTo("rule");
    assertThat(answer.at("/title")).isEqualTo("The rule is broken");
    assertThat(answer.at("/detail"))
        .contains("rule 'unlucky'", "unlucky.jar", "null", "'w'")
        .doesNotContain("strategy");
    assertThat(service.metricsWith("lighthouse_decision_failures_total{type=\"rule\"} 1.0"))
        .contains(
            "lighthouse_decision_failures_total{type=\"strategy\"} 0.0",
            "lighthouse_decision_failures_total{type=\"rule\"} 1.0",
            "lighthouse_decision_failures_total{type=\"internal\"} 0.0");
    assertThat(service.assign(problem("Prioritized")).at("/successful")).isEqualTo("true");
  }

  @Test
  void moreThanMayRunWaitBrieflyAndAreThenTurnedAway() {
    service =
        TestService.start(
            quick()
                .limit(ServiceLimit.DECISIONS, 1)
                .limit(ServiceLimit.QUEUE_TIMEOUT, Duration.ofMillis(700)));
    List<CompletableFuture<TestService.Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      answers.add(CompletableFuture.supplyAsync(() -> service.assign(problem("sleeping"))));
    }
    int served = 0;
    for (CompletableFuture<TestService.Answer> future : answers) {
      TestService.Answer answer = future.join();
      if (answer.status() == 200) {
        served++;
      } else {
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.problem()).isEqualTo("overload");
        assertThat(answer.header("Retry-After")).isEqualTo("1");
      }
    }
    // The first one ran at once; one that waited no longer than allowed came after it.
    assertThat(served).isBetween(1, 9);
    assertThat(service.assign(problem("Prioritized")).status()).isEqualTo(200);
  }

  @Test
  void aStopFinishesWhatRunsAndRefusesTheRest() throws IOException {
    service = TestService.start(quick());
    try (RawConnection running = new RawConnection(service.uri());
        RawConnection open = new RawConnection(service.uri())) {
      open.send("GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(open.status()).isEqualTo(200);
      String body = problem("sleeping");
      running.post("/assign-workloads", body.length()).send(body.substring(0, 20));
      awaitRunning();
      CompletableFuture<Boolean> stopped =
          CompletableFuture.supplyAsync(() -> service.service().stop());
      String refused = "";
      while (!refused.startsWith("HTTP/1.1 503")) {
        open.send("GET /strategies HTTP/1.1\r\nHost: localhost\r\n\r\n");
        refused = open.answer();
      }
      assertThat(refused).contains("problem:stopping", "Connection: close");
      running.send(body.substring(20));
      assertThat(running.answer()).startsWith("HTTP/1.1 200").contains("\"w\":\"n\"");
      assertThat(stopped.join()).isTrue();
    }
  }

  /** Until the service has seen that a second request runs. */
  private void awaitRunning() {
    String line = "lighthouse_bytes_in_flight 20.0";
    assertThat(service.metricsWith(line)).contains(line);
  }

  /** As where memory is lacking for its line. */
  @Test
  void aStopDoesNotWaitForARequestThatCouldNotBeLogged() {
    service =
        TestService.start(
            quick()
                .requestLog(
                    line -> {
                      throw new OutOfMemoryError("planted");
                    }));
    assertThat(service.get("/health/live").status()).isEqualTo(200);
    assertThat(service.service().stop()).isTrue();
  }

  @Test
  void aServerThatFailsToStopShows() throws Exception {
    service = TestService.start(quick());
    AbstractLifeCycle broken =
        new AbstractLifeCycle() {
          @Override
          protected void doStop() throws IOException {
            throw new IOException("planted: this error belongs to the test");
          }
        };
    broken.start();
    Field field = PlacementService.class.getDeclaredField("server");
    field.setAccessible(true);
    ((Server) field.get(service.service())).addBean(broken, true);
    assertThat(service.service().stop()).isFalse();
  }

  @Test
  void aStopDoesNotWaitForEver() throws IOException {
    service = TestService.start(quick().limit(ServiceLimit.STOP_TIMEOUT, Duration.ofMillis(200)));
    try (RawConnection running = new RawConnection(service.uri())) {
      running.post("/assign-workloads", 100).send("{".repeat(20));
      awaitRunning();
      assertThat(service.service().stop()).isFalse();
    }
  }
}
