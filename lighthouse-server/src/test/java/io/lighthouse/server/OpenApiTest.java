package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.lighthouse.api.Condition;
import io.lighthouse.api.Node;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import io.lighthouse.json.PlanWords;
import io.lighthouse.json.Problem;
import io.lighthouse.json.read.ProblemReader;
import io.lighthouse.json.write.AnswerWriter;
import io.lighthouse.json.write.ProblemWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
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

  /** A reading call that may be refused for its If-Match describes that header. */
  @Test
  void everyCallWithTheStatusOfAPreconditionHasOne() {
    for (JsonNode path : DOCUMENT.path("paths")) {
      for (JsonNode call : path) {
        assertThat(call.path("parameters").findValuesAsText("name").contains("If-Match"))
            .as("%s", call.path("summary"))
            .isEqualTo(call.path("responses").has("412"));
      }
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

  /** The writer's form of each kind is valid, so a kind that the document forgets is noticed. */
  @Test
  void describesEveryKindOfRuleAndCondition() throws IOException {
    List<Condition> conditions =
        List.of(
            new Condition.In("zone", Set.of("a")),
            new Condition.NotIn("zone", Set.of("b")),
            new Condition.Somewhere("zone"),
            new Condition.Nowhere("zone"),
            Condition.Has.of("gpu"),
            new Condition.Lacks("gpu"),
            new Condition.Any(List.of(List.of(new Condition.Lacks("gpu")))));
    List<Rule> hard =
        List.of(
            new Rule.Most(0, "web", "zone"),
            new Rule.Least(1, "web", "zone"),
            new Rule.Skew(1, "web", "zone", 2),
            new Rule.Apart("web", "zone"),
            new Rule.Named("licensed", Map.of("product", "x")));
    List<Rule> preferences =
        List.of(
            hard.get(0),
            hard.get(1),
            new Rule.Skew(0, "web", Rule.NODE, 1),
            hard.get(3),
            hard.get(4),
            new Rule.Where(conditions));
    assertThat(classes(conditions)).isEqualTo(kinds(Condition.class));
    assertThat(classes(preferences)).isEqualTo(kinds(Rule.class));
    Terms terms =
        new Terms(Map.of(), Set.of("web"), conditions, hard, preferences, Optional.empty());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ProblemWriter.write(
        Problem.of(
            List.of(Node.of("n", Resources.of("cpu", 1))),
            List.of(Workload.of("w", Resources.of("cpu", 1)).withTerms(terms))),
        out);
    OpenApi.checkSchema(
        DOCUMENT
            .path("paths")
            .path("/assign-workloads")
            .at("/post/requestBody/content/application~1json/schema"),
        out.toString(StandardCharsets.UTF_8));
  }

  /** Each kind of reason as it is written, outside or inside of a domain. */
  @Test
  void describesEveryKindOfReason() throws IOException {
    Quantity one = Quantity.of(1);
    List<Reason> reasons =
        List.of(
            new Reason.Cordoned(),
            new Reason.Missing("gpu", one),
            new Reason.Insufficient("cpu", one, Quantity.of(2), one),
            new Reason.Negative("ward", Quantity.NEGATIVE_INFINITY, one, Quantity.INFINITY),
            new Reason.Negative("cpu", Quantity.of(-1), one, Quantity.of(2)),
            new Reason.At("zone", "a", new Reason.Cordoned()),
            new Reason.NoDomain("zone", 0),
            new Reason.OffUnit("cpu", one, new Unit(Quantity.of(2), Quantity.of(8), one)),
            new Reason.NotSelected(0),
            new Reason.Crowded("web", "zone", "a", 1, 1, 1, -1, Optional.of("w")),
            new Reason.Crowded("web", "zone", "a", 1, 1, 1, 0, Optional.empty()),
            new Reason.Alone("web", "zone", "a", 0, 1, 1, 0),
            new Reason.Skewed("web", "zone", "a", 1, 0, 1, 1, 0),
            new Reason.ByRule("licensed", "no licence", 1, Map.of("licences", one), 0),
            new Reason.Worse(0, Long.MAX_VALUE, 0),
            new Reason.Declined(),
            new Reason.Averse(Set.of("web")),
            new Reason.Later("n"));
    assertThat(classes(reasons)).isEqualTo(kinds(Reason.class));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    AnswerWriter.write(out, answer -> answer.reasons("reasons", reasons));
    JsonNode written = OpenApi.JSON.readTree(out.toByteArray()).path("reasons");
    JsonNode schema = OpenApi.JSON.readTree("{\"$ref\":\"#/components/schemas/Reason\"}");
    assertThat(written).hasSameSizeAs(reasons);
    for (JsonNode reason : written) {
      OpenApi.checkSchema(schema, reason.toString());
    }
    Set<String> words =
        StreamSupport.stream(written.spliterator(), false)
            .map(reason -> reason.path("reason").asText())
            .collect(Collectors.toSet());
    assertThat(words).as("one word for each kind").hasSameSizeAs(Reason.Kind.values());
    assertThat(DOCUMENT.at("/components/schemas/ReasonWord/enum"))
        .extracting(JsonNode::asText)
        .containsExactlyInAnyOrderElementsOf(words);
    Map<String, Set<String>> members = new TreeMap<>();
    for (int i = 0; i < reasons.size(); i++) {
      Set<String> names = new TreeSet<>();
      written.get(i).fieldNames().forEachRemaining(names::add);
      names.remove("reason");
      if (!(reasons.get(i) instanceof Reason.At)) {
        members
            .computeIfAbsent(written.get(i).path("reason").asText(), word -> new TreeSet<>())
            .addAll(names);
      }
    }
    assertThat(documentedReasons()).isEqualTo(members);
  }

  /** By word, the members that docs/answers.md lists. */
  private static Map<String, Set<String>> documentedReasons() throws IOException {
    String page =
        Files.readString(Path.of(System.getProperty("lighthouse.root"), "docs", "answers.md"));
    Map<String, Set<String>> documented = new TreeMap<>();
    Pattern.compile("(?m)^\\| `(.*?)` \\|.*\\|(.*)\\|$")
        .matcher(page.replaceAll("(?s)^.*## Words of reasons(.*?)\n## .*$", "$1"))
        .results()
        .skip(1) // The heads.
        .forEach(
            row ->
                documented.put(
                    row.group(1),
                    Pattern.compile("`(.*?)`")
                        .matcher(row.group(2))
                        .results()
                        .map(member -> member.group(1))
                        .collect(Collectors.toCollection(TreeSet::new))));
    return documented;
  }

  /** The words are listed once, so that no second list can lack one. */
  @Test
  void wordsOfReasonsAreInOneSchema() {
    for (String reason :
        List.of("Reason/properties", "Refusal/properties/counts/items/properties")) {
      assertThat(DOCUMENT.at("/components/schemas/" + reason + "/reason/$ref").asText())
          .isEqualTo("#/components/schemas/ReasonWord");
    }
    assertThat(DOCUMENT.findValues("enum").stream().filter(words -> has(words, "crowded")))
        .hasSize(1);
  }

  private static boolean has(JsonNode words, String word) {
    return StreamSupport.stream(words.spliterator(), false)
        .anyMatch(each -> each.asText().equals(word));
  }

  /** Each kind of supposition as an object that the description allows and the reader reads. */
  @Test
  void describesEveryKindOfSupposition() throws IOException {
    List<String> objects =
        List.of(
            "{'change':'add','count':2,'resources':{'cpu':8},'domains':{'zone':'a'}}",
            "{'change':'remove-node','node':'n'}",
            "{'change':'resize','node':'n','resources':{'cpu':8}}",
            "{'change':'declare','level':'zone','domain':'a','resources':{'power':9}}",
            "{'change':'resize-domain','level':'zone','domain':'a','resources':{'power':9}}",
            "{'change':'cordon','node':'n'}",
            "{'change':'uncordon','level':'zone','domain':'a'}",
            "{'change':'release','workload':'w'}",
            "{'change':'move','workload':'w','to':'n'}",
            "{'change':'scale','workload':'web','replicas':3}");
    JsonNode schema = OpenApi.JSON.readTree("{\"$ref\":\"#/components/schemas/Supposition\"}");
    List<String> words = new ArrayList<>();
    for (String object : objects) {
      String json = object.replace('\'', '"');
      OpenApi.checkSchema(schema, json);
      words.add(OpenApi.JSON.readTree(json).path("change").asText());
    }
    byte[] all = objects.toString().replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    assertThat(classes(ProblemReader.standard().readChanges(new ByteArrayInputStream(all))))
        .isEqualTo(kinds(Supposition.class));
    List<String> described = new ArrayList<>();
    DOCUMENT
        .at("/components/schemas/Supposition/properties/change/enum")
        .forEach(word -> described.add(word.asText()));
    assertThat(words).isEqualTo(described);
  }

  @Test
  void describesEveryGoal() {
    List<PlanGoal> goals =
        List.of(
            new PlanGoal.Place(List.of()),
            new PlanGoal.Drain(List.of()),
            new PlanGoal.Evacuate(List.of()),
            new PlanGoal.Consolidate(),
            new PlanGoal.Rebalance(),
            new PlanGoal.Repair());
    assertThat(classes(goals)).isEqualTo(kinds(PlanGoal.class));
    List<String> words = new ArrayList<>();
    DOCUMENT
        .at("/components/schemas/Plan/properties/goal/enum")
        .forEach(word -> words.add(word.asText()));
    assertThat(words).containsExactlyElementsOf(goals.stream().map(PlanGoal::word).toList());
    assertThat(PlanWords.goals()).isEqualTo(words);
  }

  private static Set<Class<?>> classes(List<?> values) {
    return values.stream().map(Object::getClass).collect(Collectors.toSet());
  }

  /** The records of a sealed family. */
  private static Set<Class<?>> kinds(Class<?> family) {
    return Arrays.stream(family.getPermittedSubclasses())
        .flatMap(kind -> kind.isSealed() ? kinds(kind).stream() : Stream.of(kind))
        .collect(Collectors.toSet());
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
