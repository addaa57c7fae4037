package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The log of a fleet as its followers get it. */
class FleetEventsTest extends KeptFleet {
  private String stream(String query, String... headers) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(service.uri().resolve(PROD + "/events" + query));
    if (headers.length > 0) {
      request.headers(headers);
    }
    HttpResponse<InputStream> answer =
        HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream in = answer.body()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void areEveryEntryOnceInOrderAsLines() throws IOException, InterruptedException {
    assign("vm-1", 2);
    post("release-workloads", "{'workloads':['vm-1']}");
    String text = stream("?after=1", "Accept", "application/jsonl");
    assertThat(text.lines()).hasSize(2);
    assertThat(text)
        .startsWith("{\"generation\":2,\"at\":\"20")
        .contains(
            json(
                "'kind':'placed','changes':[{'change':'assign','assigned':{'name':'vm-1',"
                    + "'requirements':{'cpu':2}},'node':'n1'}]}"))
        .contains(json("'changes':[{'change':'release','workload':'vm-1'}]}"));
  }

  @Test
  void followTheFleetToItsEnd() throws Exception {
    Thread later =
        new Thread(
            () -> {
              assign("vm-1", 2);
              assign("vm-2", 2);
              service.delete(PROD, "If-Match", "*");
            });
    later.start();
    String text = stream("", "Last-Event-ID", "1");
    later.join();
    assertThat(text.lines().filter(line -> line.startsWith("id: ")))
        .containsExactly("id: 2", "id: 3", "id: 4");
    assertThat(text).contains("event: placed\n", "event: deleted\n");
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
    assertThat(service.get(PROD + "/events?after=x").problem()).isEqualTo("header");
    assertThat(service.get("/fleets/nope/events").problem()).isEqualTo("no-such-fleet");
  }
}
