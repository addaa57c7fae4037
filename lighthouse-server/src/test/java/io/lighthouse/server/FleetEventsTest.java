package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.server.TestService.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The log of a fleet as its followers get it. */
class FleetEventsTest extends KeptFleet {
  /** A follower is counted until its answer has been sent, and then a moment longer. */
  private static final String NO_FOLLOWER = "lighthouse_fleet_followers 0.0";

  private String stream(String query, String... headers) throws IOException, InterruptedException {
    return read(follow(query, headers));
  }

  private static String read(HttpResponse<InputStream> answer) throws IOException {
    try (InputStream in = answer.body()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Begins to follow the fleet. */
  private HttpResponse<InputStream> follow(String query, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(service.uri().resolve(PROD + "/events" + query));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HttpClient.newHttpClient()
        .send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
  }

  @Test
  void areEveryEntryOnceInOrderAsLines() throws IOException, InterruptedException {
    assign("vm-1", 2);
    post("release-workloads", "{'workloads':['vm-1']}");
    String text = stream("?after=1", "Accept", "application/jsonl, */*");
    assertThat(text.lines()).hasSize(2);
    assertThat(text)
        .startsWith("{\"generation\":2,\"at\":\"20")
        .contains(
            json(
                "'kind':'placed','changes':[{'change':'assign','assigned':{'name':'vm-1',"
                    + "'requirements':{'cpu':2}},'node':'n1'}]}"))
        .contains(json("'changes':[{'change':'release','workload':'vm-1'}]}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*/*|text/event-stream; charset=utf-8",
        "text/event-stream, application/jsonl;q=0|text/event-stream; charset=utf-8",
        "application/jsonl;q=0.5, text/event-stream|text/event-stream; charset=utf-8",
        "text/event-stream;q=0.5, application/jsonl|application/jsonl",
        "application/*|application/jsonl"
      })
  void areOfTheTypeThatTheClientPrefers(String accept, String type) throws Exception {
    HttpResponse<InputStream> following = follow("", "Accept", accept);
    assertThat(following.headers().firstValue("Content-Type")).contains(type);
    following.body().close();
  }

  @Test
  void followTheFleetToItsEnd() throws Exception {
    HttpResponse<InputStream> following = follow("", "Last-Event-ID", "1");
    assign("vm-1", 2);
    assign("vm-2", 2);
    assertThat(service.delete(PROD, "If-Match", "*").status()).isEqualTo(204);
    String text = read(following);
    assertThat(ids(text))
        .extracting(id -> id.replaceFirst("-[0-9a-f]{16}$", ""))
        .containsExactly("2", "3", "4");
    assertThat(text).contains("event: placed\n", "event: deleted\n");
  }

  private static List<String> ids(String text) {
    return text.lines().filter(line -> line.startsWith("id: ")).map(id -> id.substring(4)).toList();
  }

  /** The id of the first event behind a generation. */
  private String id(int after) throws IOException, InterruptedException {
    HttpResponse<InputStream> answer = follow("?after=" + after);
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
      return ids(in.readLine()).get(0);
    }
  }

  /**
   * A backup was restored, or a fleet created anew, while no client followed; then it got new
   * entries.
   */
  @Test
  void goOnBehindAnEntryAndNotBehindAnotherOfItsGeneration() throws Exception {
    assign("vm-1", 2);
    assign("vm-2", 2);
    String second = id(1);
    assertThat(second).matches("2-[0-9a-f]{16}");
    assertThat(stream("?after=" + second, "Accept", "application/jsonl").lines()).hasSize(1);
    assertThat(stream("", "Accept", "application/jsonl", "Last-Event-ID", id(2))).isEmpty();

    service.delete(PROD, "If-Match", "*");
    put(PROD, NODES);
    assign("vm-3", 2);
    assign("vm-4", 2);
    Answer refused = service.get(PROD + "/events", "Last-Event-ID", second);
    assertThat(refused.problem()).isEqualTo("stale");
    assertThat(refused.at("/detail")).contains("another entry at generation 2", "it is at 3");
    assertThat(refused.at("/generation")).isEqualTo("3");
    // A client that gives only a generation cannot notice it.
    assertThat(stream("?after=2", "Accept", "application/jsonl").lines()).hasSize(1);
  }

  /** The events that a client gets whose token is revoked before something happens. */
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  @ParameterizedTest
  @CsvSource({
    "'boss admin', true",
    "'boss admin', false",
    "'boss admin\nspy reader other*', true",
  })
  void endWhenTheTokenIsRevoked(String newTokens, boolean somethingHappens) throws Exception {
    service.close();
    Path tokens = Files.writeString(folder.resolve("tokens"), "boss admin\nspy reader\n");
    service = TestService.start(settings().tokens(tokens));
    String[] spy = {"Authorization", "Bearer spy"};
    HttpResponse<InputStream> answer = follow("?after=1", spy);
    assertThat(answer.statusCode()).isEqualTo(200);

    Files.writeString(tokens, newTokens);
    Files.setLastModifiedTime(tokens, FileTime.from(Instant.now().plusSeconds(2)));
    while (service.get(PROD, spy).status() == 200) {
      Thread.onSpinWait();
    }
    if (somethingHappens) {
      assertThat(assign("vm-1", 2, "Authorization", "Bearer boss").status()).isEqualTo(200);
    }
    // What is quiet ends at the next beat.
    assertThat(read(answer)).isEqualTo(": at 1\n\n");
    assertThat(service.metricsWith(NO_FOLLOWER, "Authorization", "Bearer boss"))
        .contains(NO_FOLLOWER);
  }

  @Test
  void haveAHeadThatIsAnsweredAlone() throws IOException {
    try (RawConnection raw = new RawConnection(service.uri())) {
      for (String query : List.of("", "?after=1")) {
        raw.send("HEAD " + PROD + "/events" + query + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(raw.answer())
            .startsWith("HTTP/1.1 200")
            .contains("Content-Type: text/event-stream", "ETag: \"g1\"")
            .doesNotContain("Content-Length");
        assertThat(service.metricsWith(NO_FOLLOWER)).contains(NO_FOLLOWER);
      }
      raw.send("HEAD " + PROD + "/events?after=9 HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(raw.answer()).startsWith("HTTP/1.1 409");
    }
  }

  @Test
  void endWhenTheServiceStops() throws Exception {
    Thread later =
        new Thread(
            () -> {
              while (!service.get("/metrics").text().contains("lighthouse_fleet_followers 1.0")) {
                Thread.onSpinWait();
              }
              service.close();
            });
    later.start();
    assertThat(stream("?after=1")).startsWith(": at 1");
    later.join();
  }

  @Test
  void thatAreNotThereAreRefusedBeforeTheStreamBegins() {
    assertThat(service.get(PROD + "/events?after=9").problem()).isEqualTo("stale");
    assertThat(service.get(PROD + "/events?after=x").problem()).isEqualTo("query");
    assertThat(service.get(PROD + "/events", "Last-Event-ID", "x").problem()).isEqualTo("header");
    assertThat(service.get("/fleets/nope/events").problem()).isEqualTo("no-such-fleet");
  }
}
