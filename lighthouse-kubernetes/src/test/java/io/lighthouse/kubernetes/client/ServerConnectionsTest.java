package io.lighthouse.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.kubernetes.control.Bench;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** What a request has, how a call ends, and when a connection is kept. */
class ServerConnectionsTest extends ConnectionsBench {
  @Test
  void sendsWhatTheServerHasToKnow() throws Exception {
    then("HTTP/1.1 200 OK|Content-Length: 2||{}");
    try (ApiServer client = client()) {
      client.post("/a?b=c%2Fd", JsonNodeFactory.instance.objectNode().put("x", "é"));
      assertThat(requests.get(0).replaceFirst("timeout=[0-9]+ms", "timeout=LEFT").split("\r\n"))
          .containsExactly(
              "POST /a?b=c%2Fd&timeout=LEFT HTTP/1.1",
              "Host: 127.0.0.1:" + listener.port(),
              "User-Agent: lighthouse",
              "Authorization: Bearer t",
              "Accept: application/json",
              "Content-Type: application/json",
              "Content-Length: 10",
              "",
              "{\"x\":\"é\"}");
      assertThatThrownBy(() -> client.get("/a\r\nb: c"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** The server counts from when the request arrives, which may be late in the call. */
  @Test
  void aWriteMayTakeEffectForWhatIsLeftOfItsCall() throws Exception {
    then("HTTP/1.1 200 OK|Content-Length: 2||{}");
    Credentials slow =
        new Credentials() {
          @Override
          public Credential current(long end) throws IOException {
            try {
              TimeUnit.SECONDS.sleep(1);
            } catch (InterruptedException stopped) {
              throw new InterruptedIOException();
            }
            return new Credential("t", null);
          }

          @Override
          public boolean renew(Credential refused) {
            return false;
          }
        };
    try (ApiServer client = client(60_000, slow)) {
      client.post("/x", JsonNodeFactory.instance.objectNode());
      String line = requests.get(0).lines().findFirst().orElseThrow();
      assertThat(line).matches("POST /x\\?timeout=[0-9]+ms HTTP/1.1");
      assertThat(Long.parseLong(line.replaceAll("HTTP/1.1|[^0-9]", "")))
          .isBetween(30_000L, 59_000L);
    }
  }

  @Test
  void keepsAConnectionForTheNextCallAndClosesItAtTheEnd() throws Exception {
    ApiServer client = client();
    for (int i = 0; i < 3; i++) {
      then("HTTP/1.1 200 OK|Content-Length: 2||{}");
      client.get("/" + i);
    }
    assertThat(sockets).hasSize(1);
    then("HTTP/1.1 200 OK|Content-Length: 2|Connection: close||{}");
    client.get("/3");
    then("HTTP/1.1 404 Not Found|Content-Length: 2||{}");
    assertThatThrownBy(() -> client.get("/4")).isInstanceOf(ApiException.class);
    then("HTTP/1.1 200 OK|Content-Length: 2||{}");
    client.get("/5");
    assertThat(sockets).hasSize(2);
    client.close();
    Bench.until(() -> sockets.get(1).isClosed(), () -> "still open");
  }

  @Test
  void aKeptConnectionThatHasDiedIsReplacedWhereTheCallDoesNoHarmTwice() throws Exception {
    try (ApiServer client = client()) {
      then("HTTP/1.1 200 OK|Content-Length: 2||{}");
      client.get("/0");
      answers.add(CUT);
      then("HTTP/1.1 200 OK|Content-Length: 2||{}");
      client.get("/1");
      assertThat(requests).hasSize(3);
      assertThat(sockets).hasSize(2);
      answers.add(CUT);
      then("HTTP/1.1 200 OK|Content-Length: 2||{}");
      JsonNode nothing = JsonNodeFactory.instance.objectNode();
      // Whether it took effect is unknown: the caller must find out.
      assertThatThrownBy(() -> client.post("/2", nothing))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(ApiException.class);
      assertThat(requests).hasSize(4);
      client.get("/3");
    }
  }

  /** The system's own table says which timer of a connection runs, and when it rings. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void theSystemLooksAfterAQuarterOfAMinuteWhetherTheOtherSideIsThere() throws Exception {
    try (ApiServer client = client()) {
      answers.add(SILENCE);
      SocketServer.inBackground(() -> client.get("/held"));
      String keptAlive = "02:";
      Bench.until(() -> !sockets.isEmpty() && timer().startsWith(keptAlive), this::timer);
      // In hundredths of a second; two hours where the system is left to itself.
      assertThat(Integer.parseInt(timer().substring(3), 16)).isBetween(0, 1_500);
    }
  }

  private String timer() {
    String client = ":%04X".formatted(sockets.get(0).getPort());
    String server = ":%04X".formatted(listener.port());
    try {
      for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
        for (String line : Files.readAllLines(Path.of(table))) {
          String[] words = line.strip().split(" +");
          if (words[1].endsWith(client) && words[2].endsWith(server)) {
            return words[5];
          }
        }
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return "no such connection";
  }

  @Test
  void aStreamTakesAKeptConnectionOrAnother() throws Exception {
    String change =
        "{'type':'ADDED','object':{'metadata':{'resourceVersion':'6'}}}".replace('\'', '"');
    String stream = "HTTP/1.1 200 OK|Content-Length: " + change.length() + "||" + change;
    try (ApiServer client = client()) {
      ChangeStream watch = new ChangeStream(client, "/pods", "5", Duration.ofMinutes(1));
      List<String> seen = new ArrayList<>();
      then("HTTP/1.1 200 OK|Content-Length: 2||{}");
      client.get("/0");
      then(stream);
      watch.run((type, object) -> seen.add(type));
      assertThat(sockets).hasSize(1);
      Bench.until(() -> sockets.get(0).isClosed(), () -> "kept after the stream");
      then("HTTP/1.1 200 OK|Content-Length: 2||{}");
      client.get("/1");
      answers.add(CUT);
      then(stream);
      watch.run((type, object) -> seen.add(type));
      assertThat(sockets).hasSize(3);
      assertThat(seen).containsExactly("ADDED", "ADDED");
    }
  }

  @Test
  void aKeptConnectionThatSaysWhatNobodyAskedForIsNotUsedAgain() throws Exception {
    try (ApiServer client = client()) {
      then("HTTP/1.1 200 OK|Content-Length: 2||{}");
      client.get("/0");
      sockets
          .get(0)
          .getOutputStream()
          .write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.UTF_8));
      Thread.sleep(50);
      then("HTTP/1.1 200 OK|Content-Length: 7||{\"a\":1}");
      assertThat(client.get("/1").path("a").asInt()).isEqualTo(1);
      assertThat(sockets).hasSize(2);
    }
  }

  @Test
  void aServerThatDoesNotAnswerToTlsHoldsNobodyLongerThanHisTime() throws Exception {
    URI uri = URI.create("https://127.0.0.1:" + listener.port());
    ClusterAccess access =
        new ClusterAccess(
            uri,
            ServerTrust.STANDARD,
            new StoredCredentials(() -> new Credential("t", null), false),
            Optional.empty());
    try (ApiServer client = new ApiServer(access, Duration.ofMillis(300))) {
      assertThatThrownBy(() -> client.get("/x")).hasMessage("GET /x: no answer within PT0.3S");
      Bench.until(() -> sockets.get(0).isClosed(), () -> "still open");
    }
  }

  @Test
  void aCallThatIsCutAmidItsAnswerIsNotSentAgain() throws Exception {
    try (ApiServer client = client()) {
      then("HTTP/1.1 200 OK|Content-Length: 2||{}");
      client.get("/0");
      then("HTTP/1.1 200 OK|Content-Length: 20|Connection: close||{}");
      SocketServer.inBackground(
          () -> {
            try {
              Bench.until(() -> requests.size() == 2, () -> "no call");
              Thread.sleep(100);
            } catch (Exception late) {
              throw new IOException(late);
            }
            sockets.get(0).close();
          });
      assertThatThrownBy(() -> client.get("/1")).isInstanceOf(IOException.class);
      assertThat(requests).hasSize(2);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {"silence", "HTTP/1.1 200 OK|", "HTTP/1.1 200 OK|Content-Length: 5||{"})
  void aCallEndsWithItsTime(String start) throws Exception {
    answers.add(
        start.equals("silence")
            ? SILENCE
            : start.replace("|", "\r\n").getBytes(StandardCharsets.UTF_8));
    try (ApiServer client = client(300)) {
      assertThatThrownBy(() -> client.get("/x"))
          .isInstanceOf(IOException.class)
          .hasMessage("GET /x: no answer within PT0.3S");
      then("HTTP/1.1 200 OK|Content-Length: 2||{}");
      client.get("/y");
      assertThat(sockets).hasSize(2);
    }
  }

  @Test
  void aThreadThatIsInterruptedEndsItsCallAndStaysInterrupted() throws Exception {
    List<Object> ends = new CopyOnWriteArrayList<>();
    try (ApiServer client = client()) {
      answers.add(SILENCE);
      Thread caller =
          new Thread(
              () -> {
                try {
                  client.get("/x");
                } catch (IOException ended) {
                  ends.add(ended);
                  ends.add(Thread.currentThread().isInterrupted());
                }
              });
      caller.start();
      Bench.until(() -> requests.size() == 1, () -> "no call");
      caller.interrupt();
      caller.join(10_000);
      assertThat(ends).hasSize(2);
      assertThat(ends.get(0)).isInstanceOf(InterruptedIOException.class);
      assertThat(ends.get(1)).isEqualTo(true);
    }
  }

  @Test
  void manyCallAtATime() throws Exception {
    List<Object> ends = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 400; i++) {
      then("HTTP/1.1 200 OK|Content-Length: 2||{}");
    }
    try (ApiServer client = client()) {
      List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Thread caller =
            new Thread(
                () -> {
                  for (int k = 0; k < 50; k++) {
                    try {
                      client.get("/x");
                    } catch (IOException failed) {
                      ends.add(failed);
                    }
                  }
                });
        callers.add(caller);
        caller.start();
      }
      for (Thread caller : callers) {
        caller.join();
      }
      assertThat(ends).isEmpty();
      assertThat(sockets.size()).isLessThanOrEqualTo(8);
    }
  }
}
