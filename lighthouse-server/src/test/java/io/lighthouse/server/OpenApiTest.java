package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The description of the service is true, and the judge that says so can say no. */
class OpenApiTest {
  private static final JsonNode DOCUMENT = OpenApi.document();

  @Test
  void theServiceAnswersWithIt() {
    try (TestService service = TestService.start()) {
      assertThat(service.get("/openapi.json").json()).isEqualTo(DOCUMENT);
    }
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    List<String> references = new ArrayList<>();
    DOCUMENT.findValuesAsText("$ref").forEach(references::add);
    assertThat(references).hasSizeGreaterThan(30);
    for (String reference : references) {
      assertThat(DOCUMENT.at(reference.substring(1)).isMissingNode()).as(reference).isFalse();
    }
  }

  @Test
  void everyExampleHoldsItsSchema() {
    int examples = 0;
    for (JsonNode path : DOCUMENT.path("paths")) {
      JsonNode call = path.path("post");
      List<JsonNode> contents = new ArrayList<>();
      contents.add(call.at("/requestBody/content/application~1json"));
      contents.add(call.at("/responses/200/content/application~1json"));
      for (JsonNode content : contents) {
        for (JsonNode example : content.path("examples")) {
          OpenApi.checkSchema(content.path("schema"), example.path("value").toString());
          examples++;
        }
      }
    }
    for (JsonNode response : DOCUMENT.at("/components/responses")) {
      JsonNode content = response.at("/content/application~1problem+json");
      if (content.has("example")) {
        OpenApi.checkSchema(content.path("schema"), content.path("example").toString());
        examples++;
      }
    }
    assertThat(examples).isGreaterThanOrEqualTo(7);
  }

  @Test
  void theExamplesOfItsRequestsGetTheAnswersOfItsExamples() {
    try (TestService service = TestService.start()) {
      for (String path :
          List.of("/assign-workloads", "/try-assign-workloads", "/what-if", "/plan")) {
        JsonNode call = DOCUMENT.path("paths").path(path).path("post");
        JsonNode answers = call.at("/responses/200/content/application~1json/examples");
        for (Map.Entry<String, JsonNode> example :
            call.at("/requestBody/content/application~1json/examples").properties()) {
          var answer = service.post(path, example.getValue().path("value").toString());
          assertThat(answer.text())
              .isEqualTo(answers.path(example.getKey()).path("value").toString());
        }
      }
    }
  }

  @Test
  void theJudgeCatchesAnswersThatBreakIt() {
    assertBroken(200, "application/json", "{\"successful\":true}");
    assertBroken(200, "application/json", "{\"successful\":\"yes\",\"assignments\":{}}");
    assertBroken(200, "application/json", "{\"successful\":false,\"assignments\":{\"a\":\"b\"}}");
    assertBroken(200, "application/json", "{\"successful\":true,\"assignments\":{},\"more\":1}");
    assertBroken(200, "text/html", "{\"successful\":true,\"assignments\":{}}");
    assertBroken(418, "application/problem+json", "{}");
    assertBroken(422, "application/problem+json", "{\"status\":422}");
  }

  private static void assertBroken(int status, String mediaType, String body) {
    assertThatThrownBy(() -> OpenApi.check("POST", "/assign-workloads", status, mediaType, body))
        .isInstanceOf(AssertionError.class);
  }
}
