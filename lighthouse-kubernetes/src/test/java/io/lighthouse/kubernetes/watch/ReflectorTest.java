package io.lighthouse.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.kubernetes.client.LeaderElection;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.ScriptedServer;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** The calls to the server after each way in which a list or a watch may end. */
class ReflectorTest {
  private static final String LIST = "{'metadata':{'resourceVersion':'%d'},'items':[]}";
  private static final String EXPIRED =
      "{'type':'ERROR','object':{'kind':'Status','code':410,'reason':'Expired'}}";

  /** Follows nodes until the script has been read; returns the calls to the server. */
  private static List<String> calls(ScriptedServer server) throws Exception {
    BlockingQueue<WatchEvent> inbox = new LinkedBlockingQueue<>();
    Reflector reflector =
        new Reflector(
            server.client(Duration.ofSeconds(20)),
            Resource.NODES,
            inbox::put,
            Duration.ofMinutes(10),
            new SchedulerMetrics(),
            new JsonLog(line -> {}, Clock.systemUTC()));
    Thread thread = new Thread(reflector);
    int expected = server.left();
    thread.start();
    try {
      Bench.until(() -> server.calls().size() >= expected, () -> server.calls().toString());
    } finally {
      reflector.close();
      thread.interrupt();
      thread.join(10_000);
    }
    assertThat(thread.isAlive()).isFalse();
    return server.calls().stream()
        .map(call -> call.replaceFirst("GET .*&resourceVersion=", "watch "))
        .map(call -> call.startsWith("GET ") ? "list" : call)
        .toList();
  }

  @Test
  void goesOnWhereAStreamEndedAndListsAgainWhereTheVersionIsForgotten() throws Exception {
    try (ScriptedServer server = new ScriptedServer()) {
      server
          .then(ScriptedServer.CUT, "")
          .then(200, LIST.formatted(7))
          .then(
              200,
              "{'type':'BOOKMARK','object':{'kind':'Node','metadata':{'resourceVersion':'9'}}}")
          .then(429, "{'reason':'TooManyRequests'}")
          .then(ScriptedServer.CUT, "")
          .then(200, EXPIRED)
          .then(200, LIST.formatted(12))
          .then(410, "{'reason':'Expired'}")
          .then(200, LIST.formatted(15))
          .then(ScriptedServer.HANGS, "");
      assertThat(calls(server))
          .containsExactly(
              "list",
              "list",
              "watch 7",
              "watch 9",
              "watch 9",
              "watch 9",
              "list",
              "watch 12",
              "list",
              "watch 15");
    }
  }

  /** Twice, as the first list does not show which of equal versions mean equal objects. */
  @Test
  void listsAgainWhereTheVersionsOfTheServerWentBack() throws Exception {
    try (ScriptedServer server = new ScriptedServer()) {
      server
          .then(200, LIST.formatted(12))
          .then(200, EXPIRED)
          .then(200, LIST.formatted(7))
          .then(200, LIST.formatted(8))
          .then(200, EXPIRED)
          .then(200, LIST.formatted(9))
          .then(ScriptedServer.HANGS, "");
      assertThat(calls(server))
          .containsExactly("list", "watch 12", "list", "list", "watch 8", "list", "watch 9");
    }
  }

  @Test
  void anEmptyAnswerOfAProxyIsAFailedCallAndNoLease() throws Exception {
    try (ScriptedServer server = new ScriptedServer()) {
      server.then(200, "").then(200, "{'kind':'Lease','metadata':{},'spec':{}}").then(200, "[]");
      LeaderElection election =
          new LeaderElection(
              server.client(Duration.ofSeconds(20)),
              "kube-system",
              "lighthouse",
              "one",
              Duration.ofSeconds(15),
              Duration.ofSeconds(5),
              Clock.systemUTC());
      assertThatThrownBy(election::attempt)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the answer is empty; allowed: an object");
      assertThatThrownBy(election::attempt)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the answer is ARRAY; allowed: an object");
      assertThat(election.mayAct()).isFalse();
    }
  }

  @Test
  void waitsAsLongAsABusyServerAsks() throws Exception {
    try (ScriptedServer server = new ScriptedServer()) {
      server.thenBusy(1).then(200, LIST.formatted(7)).thenBusy(1).then(ScriptedServer.HANGS, "");
      long began = System.nanoTime();
      assertThat(calls(server)).containsExactly("list", "list", "watch 7", "watch 7");
      // By themselves the two pauses are less than half a second together.
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofSeconds(2));
    }
  }
}
