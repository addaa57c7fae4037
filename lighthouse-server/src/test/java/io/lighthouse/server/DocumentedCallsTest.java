package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The calls of the HTTP tour; where its quantities forbid its answer, the corrected one. */
class DocumentedCallsTest {
  private static final String NO = "{\"successful\":false,\"assignments\":{}}";
  private static TestService service;

  @BeforeAll
  static void start() {
    service = TestService.start();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static String basic(String cpu) {
    return "{\"nodes\":[{\"id\":\"node-1\",\"resources\":{\"cpu\":1.0,\"mem\":8.0}},"
        + "{\"id\":\"secondnode\",\"resources\":{\"cpu\":5.0,\"mem\":4.0}}],"
        + "\"workloads\":[{\"id\":\"firstreq\",\"requirements\":{\"cpu\":"
        + cpu
        + "}}]}";
  }

  /** The example of the strategies, with the given resources of the first node. */
  private static String strategies(String firstNode, String more) {
    return "{\"nodes\":[{\"id\":\"node-1\",\"resources\":{"
        + firstNode
        + "}},{\"id\":\"node-2\",\"resources\":{\"cpu\":6,\"mem\":6,\"disk\":20}},"
        + "{\"id\":\"node-3\",\"resources\":{\"cpu\":4,\"mem\":2,\"disk\":40}}],"
        + "\"workloads\":[{\"id\":\"req-1\",\"requirements\":{\"cpu\":1,\"mem\":2,\"disk\":10}},"
        + "{\"id\":\"req-2\",\"requirements\":{\"cpu\":3,\"mem\":2,\"disk\":5}},"
        + "{\"id\":\"req-3\",\"requirements\":{\"cpu\":2,\"mem\":4,\"disk\":50}}]"
        + more
        + "}";
  }

  private static final String PRINTED = "\"cpu\":2,\"mem\":8,\"disk\":60";
  private static final String ROOMY = "\"cpu\":6,\"mem\":8,\"disk\":65";
  private static final String RUBRIC = "{\"cpu\":1,\"mem\":0.5,\"disk\":0.025}";

  @Test
  void basicSchedulingFindsTheNodeWithRoom() {
    assertThat(service.assign(basic("5.0")).text())
        .isEqualTo("{\"successful\":true,\"assignments\":{\"firstreq\":\"secondnode\"}}");
  }

  @Test
  void aFailureToScheduleIsAnAnswerNotAnError() {
    assertThat(service.assign(basic("6.0")).status()).isEqualTo(200);
    assertThat(service.assign(basic("6.0")).text()).isEqualTo(NO);
  }

  @Test
  void anEmptyBatchIsSuccessful() {
    assertThat(service.assign("{\"nodes\":[],\"workloads\":[]}").text())
        .isEqualTo("{\"successful\":true,\"assignments\":{}}");
  }

  @Nested
  class Strategies {
    @Test
    void prioritizedIsTheDefaultAndFillsTheFirstNode() {
      String one = "{\"req-1\":\"node-1\",\"req-2\":\"node-1\",\"req-3\":\"node-1\"}";
      assertThat(service.assign(strategies(ROOMY, "")).at("/assignments")).isEqualTo(one);
      assertThat(service.assign(strategies(ROOMY, ",\"strategy\":\"Prioritized\"")).text())
          .isEqualTo("{\"successful\":true,\"assignments\":" + one + "}");
    }

    @Test
    void roundRobinGoesOnBehindTheLast() {
      String problem =
          strategies(ROOMY, ",\"strategy\":\"RoundRobin\"")
              .replace("\"cpu\":4,\"mem\":2,\"disk\":40", "\"cpu\":4,\"mem\":4,\"disk\":50");
      assertThat(service.assign(problem).at("/assignments"))
          .isEqualTo("{\"req-1\":\"node-1\",\"req-2\":\"node-2\",\"req-3\":\"node-3\"}");
    }

    @Test
    void binPackAnswersAsPrinted() {
      String more = ",\"strategy\":\"BinPack\",\"rubric\":" + RUBRIC;
      assertThat(service.assign(strategies(PRINTED, more)).text())
          .isEqualTo(
              "{\"successful\":true,\"assignments\":"
                  + "{\"req-1\":\"node-2\",\"req-2\":\"node-3\",\"req-3\":\"node-1\"}}");
    }

    @ParameterizedTest
    @CsvSource({"Prioritized", "RoundRobin"})
    void theOthersAreNotSuccessfulOnThePrintedQuantities(String strategy) {
      assertThat(service.assign(strategies(PRINTED, ",\"strategy\":\"" + strategy + "\"")).text())
          .isEqualTo(NO);
    }

    @Test
    void installedNamesAreUnderstoodBesideTheWords() {
      String more = ",\"strategy\":\"bin-pack\",\"rubric\":" + RUBRIC;
      assertThat(service.assign(strategies(PRINTED, more)).at("/assignments/req-2"))
          .isEqualTo("node-3");
    }
  }

  @Nested
  class BinPack {
    private static final String ONE =
        "{\"nodes\":[{\"id\":\"a\",\"resources\":{\"cpu\":2,\"mem\":1}}],"
            + "\"workloads\":[{\"id\":\"w\",\"requirements\":{\"cpu\":1}}],"
            + "\"strategy\":\"%s\",\"rubric\":{\"cpu\":1,\"mem\":%s}}";

    @Test
    void isNotSuccessfulWhereARubricNameIsMissing() {
      String placed = placements();
      assertThat(service.assign(ONE.formatted("BinPack", "1")).text()).isEqualTo(NO);
      assertThat(service.tryAssign(ONE.formatted("BinPack", "1")).text())
          .isEqualTo("{\"failures\":[\"w\"],\"assignments\":{}}");
      assertThat(placements()).isEqualTo(placed);
    }

    private static String placements() {
      return service
          .get("/metrics")
          .text()
          .replaceFirst("(?s).*(lighthouse_placements_total [0-9.]+).*", "$1");
    }

    @Test
    void saysWhereTheNameIsMissingWhenAsked() {
      String asked = ONE.formatted("BinPack", "1").replaceFirst("\\{", "{\"explain\":true,");
      assertThat(service.tryAssign(asked).text())
          .isEqualTo(
              "{\"failures\":[\"w\"],\"assignments\":{},\"refusals\":[],"
                  + "\"missing_from_rubric\":[\"/workloads/0/requirements/mem\"]}");
    }

    @Test
    void byItsOwnNameTakesAMissingNameForNought() {
      assertThat(service.assign(ONE.formatted("bin-pack", "1")).at("/successful"))
          .isEqualTo("true");
    }

    @ParameterizedTest
    @CsvSource({"BinPack", "bin-pack", "Prioritized"})
    void aNegativeWeightIsACallersMistake(String strategy) {
      var answer = service.assign(ONE.formatted(strategy, "-0.5"));
      assertThat(answer.status()).isEqualTo(422);
      assertThat(answer.at("/pointer")).isEqualTo("/rubric/mem");
      assertThat(answer.at("/errors/0/found")).isEqualTo("-0.5");
    }

    @Test
    void needsARubric() {
      var answer = service.assign(strategies(ROOMY, ",\"strategy\":\"BinPack\""));
      assertThat(answer.status()).isEqualTo(422);
      assertThat(answer.at("/pointer")).isEqualTo("/rubric");
    }
  }

  @Nested
  class Enforcement {
    @Test
    void aTagKeepsADedicatedWorkloadOnItsNode() {
      String problem =
          "{\"nodes\":[{\"id\":\"any\",\"resources\":{\"cpu\":9}},"
              + "{\"id\":\"own\",\"resources\":{\"cpu\":1,\"dedicated\":0.0}}],\"workloads\":["
              + "{\"id\":\"w\",\"requirements\":{\"cpu\":1,\"dedicated\":0.0}}]}";
      assertThat(service.assign(problem).at("/assignments/w")).isEqualTo("own");
    }

    @Test
    void aShortcomingIsOvercomeByANegativeRequirement() {
      String problem =
          "{\"nodes\":[{\"id\":\"n\",\"resources\":{\"flies\":-5.0}}],\"workloads\":["
              + "{\"id\":\"w\",\"requirements\":{\"flies\":-5.0}}]}";
      assertThat(service.assign(problem).at("/assignments/w")).isEqualTo("n");
      assertThat(service.assign(problem.replace(":-5.0}}]}", ":-4.9}}]}")).text()).isEqualTo(NO);
    }

    @ParameterizedTest
    @CsvSource({"-inf", "'\"-inf\"'"})
    void aWardIsOvercomeByATolerationOnly(String ward) {
      String problem =
          "{\"nodes\":[{\"id\":\"n\",\"resources\":{\"spiders\":"
              + ward
              + "}}],\"workloads\":[{\"id\":\"w\",\"requirements\":{},\"WORD\":[\"spiders\"]}]}";
      assertThat(service.assign(problem.replace("WORD", "tolerations")).at("/assignments/w"))
          .isEqualTo("n");
      assertThat(service.assign(problem.replace("WORD", "immunities")).at("/assignments/w"))
          .isEqualTo("n");
      assertThat(service.assign(problem.replace("WORD", "aversion_groups")).text()).isEqualTo(NO);
    }

    @Test
    void aversionGroupsPreferDifferentNodesAndNeverLeaveAnybodyOut() {
      String problem =
          "{\"nodes\":[{\"name\":\"a\",\"resources\":{\"cpu\":9}},"
              + "{\"name\":\"b\",\"resources\":{\"cpu\":9},\"loads\":[]}],\"loads\":[W1,W2,W3]}";
      for (String one : new String[] {"1", "2", "3"}) {
        problem =
            problem.replace(
                "W" + one,
                "{\"name\":\"w"
                    + one
                    + "\",\"requirements\":{\"cpu\":1},\"aversion_groups\":[\"io-bound\"]}");
      }
      assertThat(service.assign(problem).at("/assignments"))
          .isEqualTo("{\"w1\":\"a\",\"w2\":\"b\",\"w3\":\"a\"}");
    }

    @Test
    void workloadsOnANodeCountForAversionAndTheirNamesAreTaken() {
      String problem =
          "{\"nodes\":[{\"id\":\"a\",\"resources\":{\"cpu\":1},\"workloads\":["
              + "{\"id\":\"old\",\"requirements\":{\"cpu\":1},\"aversion_groups\":[\"g\"]}]},"
              + "{\"id\":\"b\",\"resources\":{\"cpu\":1}}],\"workloads\":["
              + "{\"id\":\"NEW\",\"requirements\":{\"cpu\":1},\"aversion_groups\":[\"g\"]}]}";
      assertThat(service.assign(problem).text())
          .isEqualTo("{\"successful\":true,\"assignments\":{\"NEW\":\"b\"}}");
      var taken = service.assign(problem.replace("NEW", "old"));
      assertThat(taken.status()).isEqualTo(422);
      assertThat(taken.at("/pointer")).isEqualTo("/workloads/0/id");
    }
  }

  @Nested
  class TryAssign {
    private static final String TWO =
        "{\"nodes\":[{\"id\":\"a\",\"resources\":{\"cpu\":1,\"mem\":0.1}}],\"workloads\":["
            + "{\"id\":\"z\",\"requirements\":{\"cpu\":2,\"mem\":0.3}},"
            + "{\"id\":\"b\",\"requirements\":{\"cpu\":1}},"
            + "{\"id\":\"c\",\"requirements\":{\"gpu\":1}}]";

    @Test
    void placesWhatItCanAndNamesTheRestInTheOrderGiven() {
      assertThat(service.tryAssign(TWO + "}").text())
          .isEqualTo("{\"failures\":[\"z\",\"c\"],\"assignments\":{\"b\":\"a\"}}");
    }

    @Test
    void explainsRefusalsWithExactNumbers() {
      var answer = service.tryAssign(TWO + ",\"explain\":true}");
      assertThat(answer.at("/refusals/0/workload")).isEqualTo("z");
      assertThat(answer.at("/refusals/0/counts"))
          .isEqualTo(
              "[{\"reason\":\"short\",\"resource\":\"cpu\",\"nodes\":1},"
                  + "{\"reason\":\"short\",\"resource\":\"mem\",\"nodes\":1}]");
      assertThat(answer.at("/refusals/0/nearest/0/node")).isEqualTo("a");
      assertThat(answer.text())
          .contains(
              "\"resource\":\"mem\",\"left\":0.1,\"required\":0.3,\"lacking\":0.2",
              "{\"reason\":\"missing\",\"resource\":\"gpu\",\"required\":1}");
    }

    @Test
    void theAllOrNothingCallDoesNotKnowExplain() {
      var answer = service.assign(TWO + ",\"explain\":true}");
      assertThat(answer.status()).isEqualTo(422);
      assertThat(answer.at("/pointer")).isEqualTo("/explain");
    }
  }
}
