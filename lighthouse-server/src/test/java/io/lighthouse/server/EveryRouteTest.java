package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lighthouse.server.TestService.Answer;
import io.lighthouse.server.http.Route;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Calls every route with parameters and bodies made from its description. No answer has a status of
 * 500 or more, and each matches the description, which {@link TestService} checks.
 */
class EveryRouteTest extends KeptFleet {
  private static final int CALLS_OF_A_ROUTE = 100;
  private static final JsonNode DOCUMENT = OpenApi.document();
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Texts by the name of the member or parameter that has them. */
  private static final Map<String, List<String>> TEXTS =
      Map.ofEntries(
          Map.entry("goal", List.of("place", "drain n1", "consolidate", "repair", "evacuate n2")),
          Map.entry("changes", List.of("cordon n1", "add 2 x cpu=4", "release w1", "scale w=3")),
          Map.entry("offers", List.of("big: cpu=8,price=2", "small: cpu=1", "cpu")),
          Map.entry("mix", List.of("cpu=1", "2 x cpu=0.5,mem=1")),
          Map.entry("strategy", List.of("BinPack", "Prioritized", "RoundRobin", "pack", "none")),
          Map.entry("level", List.of("zone", "rack")),
          Map.entry("domain", List.of("a", "b")),
          Map.entry("node", List.of("n1", "n2", "n3")),
          Map.entry("nodes", List.of("n1", "n2")),
          Map.entry("to", List.of("n1", "n2")),
          Map.entry("from", List.of("n1", "n2")),
          Map.entry("last_placed", List.of("n1")),
          Map.entry("avoid", List.of("n1")),
          Map.entry("cordon", List.of("n1")),
          Map.entry("If-Match", List.of("*", "\"g1\"", "\"g2\"", "g2")),
          Map.entry("If-None-Match", List.of("*", "\"g1\"", "\"g2\"")),
          Map.entry("Last-Event-ID", List.of("1", "x")),
          Map.entry("after", List.of("1", "x")),
          Map.entry("limit", List.of("1", "2", "0")));

  private static final List<String> NAMES = List.of("w1", "w2", "w3");

  /** Members that mean the same, so that an object has one of them. */
  private static final Map<String, String> SAME =
      Map.of("id", "name", "loads", "workloads", "immunities", "tolerations");

  private static final List<String> RESOURCES = List.of("cpu", "mem");

  private Random dice;

  /** The statuses that a route has answered, by method and path. */
  private final Map<String, Set<Integer>> reached = new TreeMap<>();

  @Test
  void answersAsItIsDescribed() {
    dice = new Random(1);
    List<Route> routes = service.service().routes();
    for (Route route : routes) {
      for (int i = 0; i < CALLS_OF_A_ROUTE; i++) {
        if (i == 0 || i % 3 == 0 && mayChangeTheFleet(route)) {
          prepare();
        }
        call(route);
      }
    }
    assertThat(reached).hasSize(routes.size());
    reached.forEach(
        (route, statuses) ->
            assertThat(statuses)
                .as("%s answered only %s", route, statuses)
                .anyMatch(status -> status < 300));
  }

  private static boolean mayChangeTheFleet(Route route) {
    return route.path().startsWith("/fleets/") && !route.method().equals("GET");
  }

  /** What the description has and no route answers, or the reverse. */
  @Test
  void theRoutesAreThoseOfTheDescription() {
    Set<String> described = new TreeSet<>();
    DOCUMENT
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        method ->
                            described.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
    described.removeIf(call -> call.startsWith("PARAMETERS "));
    assertThat(service.service().routes())
        .extracting(route -> route.method() + " " + route.path())
        .containsExactlyInAnyOrderElementsOf(described);
  }

  /** Has the fleet there, with two workloads, so that most calls mean something. */
  private void prepare() {
    put(PROD, NODES);
    put(PROD + "/nodes/n1", "{'resources':{'cpu':9}}");
    put(PROD + "/nodes/n3", "{'resources':{'cpu':5,'mem':2}}");
    put(ZONE, "{'resources':{'power':9}}");
    for (String[] one : new String[][] {{"w1", "n1"}, {"w2", "n2"}}) {
      put(PROD + "/workloads/" + one[0], "{'requirements':{'cpu':1},'node':'" + one[1] + "'}");
    }
  }

  private void call(Route route) {
    JsonNode operation =
        DOCUMENT.path("paths").path(route.path()).path(route.method().toLowerCase(Locale.ROOT));
    boolean creates = route.path().endsWith("{fleet}") && route.method().equals("PUT");
    String fleet = creates ? "new-" + dice.nextInt(99) : dice.nextInt(9) == 0 ? "none" : "prod";
    String path = route.path().replace("{fleet}", fleet);
    List<String> query = new ArrayList<>();
    List<String> headers = new ArrayList<>(List.of("Accept", accepted(operation)));
    for (JsonNode parameter : operation.path("parameters")) {
      String name = parameter.path("name").asText();
      String in = parameter.path("in").asText();
      JsonNode schema = parameter.path("schema");
      String value = made(schema.has("items") ? schema.path("items") : schema, name, 0).asText();
      if (in.equals("path")) {
        path = path.replace("{" + name + "}", name.equals("domain") ? "a" : value);
      } else if (parameter.path("required").asBoolean() || dice.nextInt(5) == 0) {
        if (in.equals("query")) {
          query.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
        } else {
          headers.addAll(List.of(name, value));
        }
      }
    }
    JsonNode question = operation.at("/requestBody/content/application~1json/schema");
    String body = question.isMissingNode() ? "" : made(question, "", 0).toString();
    String target = path + (query.isEmpty() ? "" : "?" + String.join("&", query));
    Answer answer =
        service.send(
            route.method(),
            target,
            body.isEmpty()
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofString(body),
            headers.toArray(String[]::new));
    assertThat(answer.status())
        .as("%s %s %s %s: %s", route.method(), target, headers, body, answer.text())
        .isLessThan(500);
    reached
        .computeIfAbsent(route.method() + " " + route.path(), first -> new TreeSet<>())
        .add(answer.status());
  }

  /** The last type of an answer: an event stream, which has no end, is the first of two. */
  private static String accepted(JsonNode operation) {
    String type = "*/*";
    Iterator<String> types = operation.at("/responses/200/content").fieldNames();
    while (types.hasNext()) {
      type = types.next();
    }
    return type;
  }

  // ---- values of a schema ----

  private JsonNode made(JsonNode schema, String name, int depth) {
    String reference = schema.path("$ref").asText();
    if (reference.endsWith("Quantity") || reference.endsWith("/Stock")) {
      return quantity();
    }
    if (!reference.isEmpty()) {
      return made(DOCUMENT.at(reference.substring(1)), name, depth);
    }
    if (schema.has("enum")) {
      return any(schema.path("enum"));
    }
    if (schema.has("const")) {
      return schema.path("const");
    }
    boolean choosesMembers = schema.at("/oneOf/0").has("required");
    if (schema.has("oneOf") && !choosesMembers) {
      return made(any(schema.path("oneOf")), name, depth);
    }
    if (name.equals("generation")) {
      return JSON.numberNode(service.get(PROD).json().path("generation").asInt());
    }
    JsonNode type = schema.path("type");
    return switch (type.isArray() ? type.path(0).asText() : type.asText()) {
      case "object" -> object(schema, depth);
      case "array" -> array(schema, name, depth);
      case "boolean" -> JSON.booleanNode(dice.nextBoolean());
      case "integer" -> JSON.numberNode(schema.path("minimum").asInt(0) + dice.nextInt(3));
      case "number" -> quantity();
      default -> JSON.textNode(text(name));
    };
  }

  private String text(String name) {
    List<String> texts = TEXTS.getOrDefault(name, NAMES);
    return texts.get(dice.nextInt(texts.size()));
  }

  private JsonNode quantity() {
    return switch (dice.nextInt(12)) {
      case 0 -> JSON.textNode("inf");
      case 1 -> JSON.textNode("0.25");
      case 2 -> JSON.numberNode(-1);
      default -> JSON.numberNode(dice.nextInt(6));
    };
  }

  private JsonNode array(JsonNode schema, String name, int depth) {
    ArrayNode array = JSON.arrayNode();
    int entries = schema.path("minItems").asInt(0) + dice.nextInt(depth > 4 ? 1 : 3);
    Set<String> taken = new HashSet<>();
    for (int i = 0; i < entries; i++) {
      JsonNode one = made(schema.path("items"), name, depth + 1);
      if (taken.add(one.path("id").asText(one.path("name").asText(one.toString())))) {
        array.add(one);
      }
    }
    return array;
  }

  private JsonNode object(JsonNode schema, int depth) {
    Set<String> required = new HashSet<>();
    Set<String> left = new HashSet<>();
    choose(schema, required, left);
    schema.path("allOf").forEach(part -> choose(part, required, left));
    ObjectNode object = JSON.objectNode();
    for (Map.Entry<String, JsonNode> member : schema.path("properties").properties()) {
      String word = member.getKey();
      boolean may = !left.contains(word) && depth < 6 && dice.nextInt(depth == 0 ? 3 : 8) == 0;
      if (required.contains(word) || may) {
        object.set(word, made(member.getValue(), word, depth + 1));
      }
    }
    SAME.forEach((one, other) -> object.remove(object.has(one) ? other : ""));
    JsonNode more = schema.path("additionalProperties");
    if (more.isObject()) {
      for (String resource : RESOURCES) {
        if (dice.nextInt(3) == 0) {
          object.set(resource, made(more, resource, depth + 1));
        }
      }
    }
    return object;
  }

  /** The members that an object must have, and those of the alternatives that it is not. */
  private void choose(JsonNode schema, Set<String> required, Set<String> left) {
    schema.path("required").forEach(word -> required.add(word.asText()));
    JsonNode ways = schema.path("oneOf");
    int way = ways.isEmpty() ? 0 : dice.nextInt(ways.size());
    for (int i = 0; i < ways.size(); i++) {
      Set<String> into = i == way ? required : left;
      ways.get(i).path("required").forEach(word -> into.add(word.asText()));
    }
  }

  private JsonNode any(JsonNode of) {
    return of.path(dice.nextInt(of.size()));
  }
}
