package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.server.TestService.Answer;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends valid and randomly altered calls on fleets, in random order. None is answered with a 5xx.
 * Every answer matches the OpenAPI description, which {@link TestService} checks.
 */
class FleetNoiseTest {
  private static final int CALLS = 1_500;
  private static final List<String> METHODS = List.of("GET", "PUT", "POST", "DELETE");

  private static final List<String> PATHS =
      List.of(
          "",
          "/problem",
          "/nodes",
          "/nodes/n1",
          "/nodes/n2",
          "/nodes/n2/cordoned",
          "/nodes/x%C3%A4",
          "/workloads/a",
          "/workloads/b",
          "/workloads/a/groups",
          "/domains/zone/a",
          "/domains/zone/a/cordoned",
          "/domains/node/a",
          "/assign-workloads",
          "/try-assign-workloads",
          "/release-workloads",
          "/plan-drain",
          "/move-workloads",
          "/apply-plan",
          "/explain-workload",
          "/what-if",
          "/plan",
          "/size",
          "/headroom",
          "/picture");

  private static final List<String> BODIES =
      List.of(
          "{'nodes':[{'id':'n1','resources':{'cpu':4}}],'strategy':'RoundRobin'}",
          "{'resources':{'cpu':6,'tag':'-inf'},'cordoned':false}",
          "{'resources':{'cpu':{'total':8,'ratio':2}},'domains':{'zone':'a'}}",
          "{'requirements':{'cpu':1},'node':'n1'}",
          "{'requirements':{'cpu':0.25},'groups':['g'],'rules':[{'most':1,'group':'g'}]}",
          "{'workloads':[{'id':'a','requirements':{'cpu':1}},{'id':'c','requirements':{}}]}",
          "{'workloads':[{'id':'b','requirements':{'cpu':99}}],'explain':true}",
          "{'workloads':['a','b']}",
          "{'nodes':['n1']}",
          "{'moves':[{'workload':'a','from':'n1','to':'n2'}],'cordon':['n1'],'generation':3}",
          "{'resources':{'power':9},'cordoned':true}",
          "{'groups':['g','h']}",
          "{'cordoned':true}",
          "{'generation':4,'waves':[{'changes':[{'workload':'a','from':'n1','to':'n2'}]}]}",
          "{'goal':'drain n1','limits':{'max_moves':2}}",
          "{'changes':['cordon n1','scale a=3']}",
          "{'offers':['o: cpu=4,price=2']}",
          "{'mix':['cpu=1','2 x cpu=0.5']}",
          "{'moves':[]}");

  private static final List<String> HEADERS =
      List.of("Idempotency-Key: k", "If-Match: \"g2\"", "If-Match: *", "If-None-Match: \"g1\"");

  @TempDir private Path folder;

  @Test
  void isAnsweredWithoutATroubleOfOurs() {
    Random dice = new Random(14);
    Map<Integer, Integer> statuses = new TreeMap<>();
    ServiceSettings settings = new ServiceSettings().store(folder.resolve("fleets.db"));
    try (TestService service = TestService.start(settings)) {
      for (int i = 0; i < CALLS; i++) {
        if (i % 50 == 0) { // Otherwise most calls are on no fleet.
          service.put("/fleets/f0", BODIES.get(0).replace('\'', '"'));
        }
        String fleet = "/fleets/f" + dice.nextInt(2);
        String path = fleet + any(PATHS, dice) + (dice.nextInt(6) == 0 ? "?dry_run=true" : "");
        String method = any(METHODS, dice);
        String body = any(BODIES, dice).replace('\'', '"');
        body = dice.nextInt(4) == 0 ? altered(body, dice) : body;
        List<String> headers = new ArrayList<>();
        if (dice.nextInt(3) == 0) {
          headers.addAll(List.of(any(HEADERS, dice).split(": ")));
        }
        Answer answer =
            service.send(
                method,
                path,
                method.startsWith("P")
                    ? HttpRequest.BodyPublishers.ofByteArray(
                        body.getBytes(StandardCharsets.ISO_8859_1))
                    : HttpRequest.BodyPublishers.noBody(),
                headers.toArray(String[]::new));
        statuses.merge(answer.status(), 1, Integer::sum);
        assertThat(answer.status())
            .as("%s %s %s %s: %s", method, path, headers, body, answer.text())
            .isLessThan(500);
      }
    }
    // It came to something.
    assertThat(statuses.keySet()).contains(200, 201, 204, 400, 404, 405, 409, 412, 422, 428);
  }

  private static String any(List<String> of, Random dice) {
    return of.get(dice.nextInt(of.size()));
  }

  private static String altered(String body, Random dice) {
    StringBuilder text = new StringBuilder(body);
    for (int i = 0; i <= dice.nextInt(3); i++) {
      int at = dice.nextInt(text.length());
      switch (dice.nextInt(3)) {
        case 0 -> text.deleteCharAt(at);
        case 1 -> text.insert(at, "\"{}[]:,0-1e9null".charAt(dice.nextInt(16)));
        default -> text.setCharAt(at, (char) dice.nextInt(256));
      }
      if (text.isEmpty()) {
        text.append(' ');
      }
    }
    return text.toString();
  }
}
