package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.core.Distributors;
import io.lighthouse.json.Limits;
import io.lighthouse.json.Problem;
import io.lighthouse.json.ProblemDistributor;
import io.lighthouse.json.read.ProblemReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans over HTTP: each goal and limit, carried out here; and what is refused, with its place. */
class PlansTest {
  private static final String FLEET =
      """
      {"nodes": [
        {"id": "n1", "resources": {"cpu": 4, "mem": 4}, "domains": {"zone": "a"}, "workloads": [
          {"id": "db", "requirements": {"cpu": 2, "mem": 1}},
          {"id": "w1", "requirements": {"cpu": 1}, "aversion_groups": ["w"]}]},
        {"id": "n2", "resources": {"cpu": 4, "mem": 4}, "domains": {"zone": "b"}, "workloads": [
          {"id": "w2", "requirements": {"cpu": 1}, "aversion_groups": ["w"]},
          {"id": "w3", "requirements": {"cpu": 1}, "aversion_groups": ["w"]}]},
        {"id": "n3", "resources": {"cpu": 4, "mem": 4}, "domains": {"zone": "b"}, "workloads": [
          {"id": "old", "requirements": {"cpu": 2}}]},
        {"id": "n4", "resources": {"cpu": 4, "mem": 4}, "domains": {"zone": "c"}}],
       "workloads": [{"id": "new", "requirements": {"cpu": 3, "mem": 1}}],
      """;

  private static TestService service;

  @BeforeAll
  static void start() {
    service = TestService.start();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static TestService.Answer plan(String members) {
    return service.post("/plan", FLEET + members + "}");
  }

  /** The fleet of a problem after the plan of an answer, each change carried out at its turn. */
  private static Distributor carriedOut(String text, JsonNode plan) {
    Problem problem =
        ProblemReader.standard().withPlan().read(text.getBytes(StandardCharsets.UTF_8)).problem();
    Distributor fleet =
        ProblemDistributor.of(Distributors.installed().strategy("prioritized"), problem);
    for (JsonNode wave : plan.path("waves")) {
      for (JsonNode change : wave.path("changes")) {
        String workload = change.path("workload").asText();
        String to = change.path("to").asText();
        if (change.has("from")) {
          assertThat(fleet.snapshot().nodeOf(workload)).contains(change.path("from").asText());
          fleet.apply(new Change.Move(workload, change.path("from").asText(), to));
        } else {
          problem.workloads().stream()
              .filter(one -> one.name().equals(workload))
              .forEach(one -> fleet.apply(new Change.Assign(one, to)));
        }
      }
    }
    return fleet;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"place\" | place | 6",
        "{\"goal\": \"place\"} | place | 6",
        "\"drain n3\" | drain | 5",
        "{\"goal\": \"drain\", \"nodes\": [\"n3\", \"n3\"]} | drain | 5",
        "\"drain zone=b\" | drain | 5",
        "\"evacuate n2  zone=a\" | evacuate | 5",
        "{\"goal\": \"evacuate\", \"level\": \"zone\", \"domain\": \"b\"} | evacuate | 5",
        "\"consolidate\" | consolidate | 5",
        "{\"goal\": \"rebalance\"} | rebalance | 5",
        "\"repair\" | repair | 5"
      })
  void reachesEveryGoalByMovesThatCanBeCarriedOut(String goal, String word, int placed) {
    String members = "\"goal\": " + goal;
    var answer = plan(members);

    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.at("/goal")).isEqualTo(word);
    assertThat(answer.at("/unmet")).isEqualTo("[]");
    assertThat(answer.at("/waves")).isNotEqualTo("[]");
    var after = carriedOut(FLEET + members + "}", answer.json()).snapshot();
    assertThat(after.nodes().stream().mapToInt(node -> node.workloads().size()).sum())
        .isEqualTo(placed);
    assertThat(answer.at("/after/placed")).isEqualTo(String.valueOf(placed));
    assertThat(after.nodes().stream().filter(node -> !node.workloads().isEmpty()).count())
        .isEqualTo(Long.parseLong(answer.at("/after/nodes_in_use")));
  }

  @Test
  void namesWhatIsInTheWay() {
    var pinned = plan("\"goal\": \"drain n3\", \"limits\": {\"pin\": [\"old\"]}");
    assertThat(pinned.at("/obstacles"))
        .isEqualTo("[{\"workload\":\"old\",\"node\":\"n3\",\"why\":\"it may not be moved\"}]");

    var closed = plan("\"goal\": \"drain n3\", \"limits\": {\"avoid\": [\"n1\",\"n2\",\"n4\"]}");
    assertThat(closed.at("/unmet")).isEqualTo("[\"n3\"]");
    assertThat(closed.at("/obstacles/0/workload")).isEqualTo("old");
    assertThat(closed.at("/obstacles/0/why")).isEqualTo("every node is cordoned");
    assertThat(closed.at("/obstacles/0/refusal/counts/0/nodes")).as("not n3").isEqualTo("3");
    assertThat(plan("\"goal\": \"drain n3\"").at("/obstacles")).isEqualTo("[]");
  }

  @Test
  void emptiesTheNodesOfADomain() {
    for (String goal :
        new String[] {
          "\"drain zone=b\"", "{\"goal\":\"drain\",\"level\":\"zone\",\"domain\":\"b\"}"
        }) {
      String members = "\"goal\": " + goal;
      var after = carriedOut(FLEET + members + "}", plan(members).json()).snapshot();
      assertThat(after.nodes().get(1).workloads()).isEmpty();
      assertThat(after.nodes().get(2).workloads()).isEmpty();
    }
  }

  @Test
  void keepsToItsLimits() {
    String goal = "\"goal\": \"drain n2 n3\", \"limits\": ";
    assertThat(plan(goal + "{\"max_moves\": 1}").at("/unmet")).isEqualTo("[\"n2\"]");
    assertThat(plan(goal + "{\"max_moves\": 0}").at("/unmet")).isEqualTo("[\"n2\",\"n3\"]");
    assertThat(plan(goal + "{\"max_moved\": {\"cpu\": 3}}").at("/unmet")).isEqualTo("[\"n2\"]");
    assertThat(plan(goal + "{\"max_moved\": {\"mem\": 0}}").at("/unmet")).isEqualTo("[]");
    assertThat(plan(goal + "{\"pin\": [\"old\"]}").at("/unmet")).isEqualTo("[\"n3\"]");
    assertThat(plan(goal + "{\"avoid\": [\"n4\", \"n1\"]}").at("/unmet"))
        .isEqualTo("[\"n2\",\"n3\"]");
    for (JsonNode wave : plan(goal + "{\"max_of_group\": 1}").json().path("waves")) {
      assertThat(wave.path("changes").findValuesAsText("workload"))
          .doesNotContainSequence("w2", "w3");
    }
    assertThat(plan(goal + "{}").text()).isEqualTo(plan("\"goal\": \"drain n2 n3\"").text());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"strategy\": \"Prioritized\" | /goal | missing",
        "\"goal\": 7 | /goal | 7",
        "\"goal\": \"\" | /goal | ''",
        "\"goal\": \"shuffle\" | /goal | 'shuffle'",
        "\"goal\": \"drain\" | /goal | drain without a node",
        "\"goal\": \"repair n1\" | /goal | 'n1', one word too many",
        "\"goal\": \"drain n1 n9\" | /goal | 'n9'",
        "\"goal\": \"evacuate zone=x\" | /goal | 'zone=x'",
        "\"goal\": {} | /goal/goal | missing",
        "\"goal\": {\"goal\": \"shuffle\"} | /goal/goal | 'shuffle'",
        "\"goal\": {\"goal\": \"drain\"} | /goal | an object without nodes or level",
        "\"goal\": {\"goal\": \"drain\", \"nodes\": \"n1\"} | /goal/nodes | 'n1'",
        "\"goal\": {\"goal\": \"drain\", \"nodes\": [\"n1\", 2]} | /goal/nodes/1 | 2",
        "\"goal\": {\"goal\": \"drain\", \"nodes\": [\"n1\", \"n9\"]} | /goal/nodes/1 | 'n9'",
        "\"goal\": {\"goal\": \"drain\", \"nodes\": [], \"level\": \"zone\"} | /goal/level | given"
            + " beside 'nodes'",
        "\"goal\": {\"goal\": \"drain\", \"level\": \"zone\"} | /goal/domain | missing",
        "\"goal\": {\"goal\": \"drain\", \"level\": \"zone\", \"domain\": \"x\"} | /goal/domain |"
            + " 'x'",
        "\"goal\": {\"goal\": \"repair\", \"nodes\": []} | /goal/nodes | given beside 'repair'",
        "\"goal\": {\"goal\": \"repair\", \"more\": 1} | /goal/more | an unknown field",
        "\"goal\": \"repair\", \"goal\": \"repair\" | /goal | given twice",
        "\"goal\": \"repair\", \"changes\": [] | /changes | an unknown field",
        "\"goal\": \"repair\", \"limits\": [] | /limits | an array",
        "\"goal\": \"repair\", \"limits\": {\"moves\": 1} | /limits/moves | an unknown field",
        "\"goal\": \"repair\", \"limits\": {\"max_moves\": -1} | /limits/max_moves | -1",
        "\"goal\": \"repair\", \"limits\": {\"max_moves\": 1.5} | /limits/max_moves | 1.5",
        "\"goal\": \"repair\", \"limits\": {\"max_of_group\": 0} | /limits/max_of_group | 0",
        "\"goal\": \"repair\", \"limits\": {\"max_moved\": {\"cpu\": -1}} | /limits/max_moved/cpu |"
            + " -1",
        "\"goal\": \"repair\", \"limits\": {\"max_moved\": 3} | /limits/max_moved | 3",
        "\"goal\": \"repair\", \"limits\": {\"max_moved\": {\"cp\": 1}} | /limits/max_moved/cp |"
            + " an unknown resource",
        "\"goal\": \"repair\", \"limits\": {\"pin\": [\"new\"]} | /limits/pin/0 | 'new'",
        "\"goal\": \"repair\", \"limits\": {\"avoid\": [\"n1\", \"w1\"]} | /limits/avoid/1 | 'w1'",
        "\"goal\": \"repair\", \"strategy\": \"none\" | /strategy | 'none'"
      })
  void refusesWhatMakesNoSense(String members, String pointer, String found) {
    var answer = plan(members);

    assertThat(answer.status()).as(answer.text()).isEqualTo(422);
    assertThat(answer.problem()).isEqualTo("meaning");
    assertThat(answer.at("/pointer")).isEqualTo(pointer);
    assertThat(answer.at("/errors/0/found")).isEqualTo(found);
    assertThat(answer.at("/errors/0/allowed")).isNotEmpty();
  }

  @Test
  void namesAllThatIsNotThereAtOnce() {
    var answer =
        plan(
            "\"goal\": {\"goal\": \"drain\", \"nodes\": [\"x\", \"y\"]},"
                + " \"limits\": {\"pin\": [\"z\"]}");
    assertThat(answer.json().path("errors").findValuesAsText("pointer"))
        .containsExactlyInAnyOrder("/goal/nodes/0", "/goal/nodes/1", "/limits/pin/0");
  }

  @Test
  void otherCallsKnowNoGoal() {
    for (String path : new String[] {"/assign-workloads", "/try-assign-workloads", "/what-if"}) {
      var answer = service.post(path, FLEET + "\"goal\": \"repair\"}");
      assertThat(answer.status()).isEqualTo(422);
      assertThat(answer.at("/pointer")).isEqualTo("/goal");
    }
  }

  @Test
  void hangsOnNoStrategy() {
    String goal = "\"goal\": \"drain n2\", \"strategy\": ";
    assertThat(plan(goal + "\"RoundRobin\"").text()).isEqualTo(plan(goal + "\"spread\"").text());
  }

  @Test
  void listsAreLimitedAsTheFleetIs() {
    try (TestService small =
        TestService.start(new ServiceSettings().content(new Limits(8, 20, 20, 2, 3, 5, 9)))) {
      String problem = "{\"nodes\":[{\"id\":\"n\",\"resources\":{}}],\"workloads\":[],\"goal\":";
      String drain = problem + "{\"goal\":\"drain\",\"nodes\":[\"n\",\"n\"%s]}}";
      assertThat(small.post("/plan", drain.formatted("")).status()).isEqualTo(200);
      var many = small.post("/plan", drain.formatted(",\"n\""));
      assertThat(many.status()).isEqualTo(413);
      assertThat(many.at("/errors/0/allowed")).isEqualTo("at most 2 entries");
    }
  }

  @Test
  void isCountedAsEveryCallIs() {
    plan("\"goal\": \"repair\"");
    assertThat(service.metricsWith("route=\"/plan\"")).contains("route=\"/plan\"");
  }

  /**
   * Reading such a problem takes a number of steps linear in its size; the plan checks all nodes
   * for each workload. So on any machine there is a time in which it is read but not planned.
   */
  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aPlanOverItsTimeEndsAndNobodyIsBlamed() {
    StringBuilder nodes = new StringBuilder();
    for (int i = 0; i < 4_000; i++) {
      nodes.append(i == 0 ? "" : ",").append("{\"id\":\"n").append(i);
      nodes.append("\",\"resources\":{\"cpu\":8},\"workloads\":[");
      for (int j = 0; j < 3; j++) {
        nodes.append(j == 0 ? "" : ",").append("{\"id\":\"w").append(i).append('-').append(j);
        nodes.append("\",\"requirements\":{\"cpu\":1},\"aversion_groups\":[\"g\"]}");
      }
      nodes.append("]}");
    }
    String problem = "{\"nodes\":[" + nodes + "],\"workloads\":[],\"goal\":\"repair\"}";
    Duration time = Duration.ofMillis(100);
    while (true) {
      time = time.multipliedBy(3).dividedBy(2);
      try (TestService one =
          TestService.start(
              new ServiceSettings()
                  .limit(ServiceLimit.DECISION_TIMEOUT, time)
                  .limit(ServiceLimit.DECISIONS, 1)
                  .limit(ServiceLimit.QUEUE_TIMEOUT, Duration.ofMinutes(1)))) {
        var late = one.post("/plan", problem);
        assertThat(late.status()).isEqualTo(503);
        assertThat(late.problem()).isEqualTo("decision-timeout");
        if (!late.at("/detail").contains("the plan was not found")) {
          continue;
        }
        assertThat(late.at("/detail")).doesNotContain("strategy");
        // There is one place only: it is free again, and the strategy in use.
        assertThat(one.post("/plan", FLEET + "\"goal\": \"repair\"}").status()).isEqualTo(200);
        assertThat(one.metricsWith("lighthouse_decisions_running 0.0"))
            .contains(
                "lighthouse_decisions_running 0.0",
                "lighthouse_threads_abandoned 0.0",
                "lighthouse_strategies_refused 0.0",
                "lighthouse_decisions_over_time_total 1.0");
        return;
      }
    }
  }
}
