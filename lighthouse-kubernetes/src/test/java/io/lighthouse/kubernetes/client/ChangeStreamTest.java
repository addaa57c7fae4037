package io.lighthouse.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.FaultyProxy;
import io.lighthouse.kubernetes.control.ScriptedServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each line that a watch may hold, and each end that it may have. */
class ChangeStreamTest {
  private static final String LINE =
      "{'type':'%s','object':{'metadata':{'name':'%s','resourceVersion':'%s'}}}\n";

  private final List<String> seen = new CopyOnWriteArrayList<>();
  @AutoClose private final ScriptedServer server = new ScriptedServer();
  private ChangeStream watch;

  @BeforeEach
  void start() throws IOException {
    ApiServer client = server.client(Duration.ofSeconds(5));
    watch =
        new ChangeStream(
            client, "/api/v1/nodes", "5", Duration.ofSeconds(9), Duration.ofMillis(400));
  }

  private void run() throws IOException {
    watch.run((type, object) -> seen.add(type + " " + Bench.name(object)));
  }

  @Test
  void handsOverChangesAndGoesOnFromTheLastVersionAlsoOfABookmark() throws Exception {
    server.then(
        200,
        LINE.formatted("ADDED", "a", "6")
            + LINE.formatted("MODIFIED", "a", "7")
            + LINE.formatted("DELETED", "a", "8")
            + LINE.formatted("BOOKMARK", "", "9"));
    run();
    assertThat(seen).containsExactly("ADDED a", "MODIFIED a", "DELETED a");
    assertThat(watch.version()).isEqualTo("9");
    server.then(200, "");
    run();
    assertThat(server.calls())
        .containsExactly(
            "GET /api/v1/nodes?watch=true&allowWatchBookmarks=true&timeoutSeconds=9"
                + "&resourceVersion=5",
            "GET /api/v1/nodes?watch=true&allowWatchBookmarks=true&timeoutSeconds=9"
                + "&resourceVersion=9");
  }

  @Test
  void isOpenForAMinuteAtMostHoweverSeldomListsAre() throws Exception {
    ChangeStream usual =
        new ChangeStream(
            server.client(Duration.ofSeconds(5)), "/api/v1/nodes", "5", Duration.ofMinutes(30));
    server.then(200, "");
    usual.run((type, object) -> seen.add(type));
    assertThat(server.calls())
        .containsExactly(
            "GET /api/v1/nodes?watch=true&allowWatchBookmarks=true&timeoutSeconds=60"
                + "&resourceVersion=5");
  }

  @Test
  void aConnectionThatFallsSilentIsGivenUpAQuarterAfterItsTime() throws Exception {
    ApiServer direct = server.client(Duration.ofSeconds(5));
    try (FaultyProxy proxy = new FaultyProxy(direct.uri())) {
      ApiServer through =
          new ApiServer(
              new ClusterAccess(
                  proxy.uri(),
                  ServerTrust.STANDARD,
                  new StoredCredentials(() -> new Credential("t", null), false),
                  Optional.empty()),
              Duration.ofSeconds(5));
      ChangeStream silenced =
          new ChangeStream(through, "/api/v1/nodes", "5", Duration.ofSeconds(2));
      server.then(ScriptedServer.HANGS, LINE.formatted("ADDED", "a", "6"));
      assertThatThrownBy(
              () ->
                  silenced.run(
                      (type, object) -> {
                        seen.add(type);
                        proxy.silence();
                      }))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("nothing came for PT2.5S");
      assertThat(seen).containsExactly("ADDED");
      assertThat(silenced.version()).isEqualTo("6");
    }
  }

  @Test
  void aBookmarkOfBeforeIsThatOfAServerThatWasPutBack() {
    server.then(200, LINE.formatted("ADDED", "a", "12") + LINE.formatted("BOOKMARK", "", "9"));
    assertThatThrownBy(this::run)
        .isInstanceOfSatisfying(
            ApiException.class, refused -> assertThat(refused.isExpired()).isTrue())
        .hasMessageContaining("the server is at 9, and was at 12");
  }

  @Test
  void anErrorInTheStreamIsTheServersRefusal() {
    server.then(
        200,
        LINE.formatted("ADDED", "a", "6")
            + "{'type':'ERROR','object':{'code':410,'reason':'Expired','message':'too old'}}\n");
    assertThatThrownBy(this::run)
        .isInstanceOfSatisfying(
            ApiException.class,
            refused -> {
              assertThat(refused.isExpired()).isTrue();
              assertThat(refused).hasMessageContaining("410 Expired: too old");
            });
    assertThat(watch.version()).isEqualTo("6");
  }

  @Test
  void aRefusalBeforeTheStreamIsOne() {
    server.then(403, "{'reason':'Forbidden','message':'no'}");
    assertThatThrownBy(this::run)
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("403 Forbidden: no");
  }

  @Test
  void aLineThatIsCutOrNoneBreaksTheStreamAndLosesNothing() {
    server.then(200, LINE.formatted("ADDED", "a", "6") + "{'type':'ADDED','obj");
    assertThatThrownBy(this::run)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the stream broke");
    assertThat(watch.version()).isEqualTo("6");
    server.then(200, "[]");
    assertThatThrownBy(this::run)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("holds no object");
    server.then(200, LINE.formatted("CHANGED", "a", "7"));
    assertThatThrownBy(this::run)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the type 'CHANGED'");
    assertThat(watch.version()).isEqualTo("6");
  }

  @Test
  void aSilentStreamIsGivenUp() {
    server.then(ScriptedServer.HANGS, LINE.formatted("ADDED", "a", "6"));
    assertThatThrownBy(this::run)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nothing came for PT0.4S");
    assertThat(seen).containsExactly("ADDED a");
    assertThat(watch.version()).isEqualTo("6");
  }

  @Test
  void closingEndsAStreamThatIsOpen() throws Exception {
    ApiServer client = server.client(Duration.ofSeconds(5));
    ChangeStream patient =
        new ChangeStream(
            client, "/api/v1/nodes", "5", Duration.ofSeconds(9), Duration.ofSeconds(60));
    server.then(ScriptedServer.HANGS, LINE.formatted("ADDED", "a", "6"));
    Thread reading =
        new Thread(
            () -> {
              try {
                patient.run((type, object) -> seen.add(type));
              } catch (IOException closed) {
                seen.add("closed");
              }
            });
    reading.start();
    Bench.until(() -> seen.contains("ADDED"), () -> "nothing came");
    patient.close();
    reading.join(10_000);
    assertThat(reading.isAlive()).isFalse();
    // One that is opened afterwards ends at once.
    server.then(ScriptedServer.HANGS, "");
    patient.run((type, object) -> seen.add("late"));
    assertThat(seen).doesNotContain("late");
  }
}
