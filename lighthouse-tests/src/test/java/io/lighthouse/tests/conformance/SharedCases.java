package io.lighthouse.tests.conformance;

import io.lighthouse.json.Problem;
import io.lighthouse.json.read.ProblemReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Reads the shared cases: what surrounds a problem is read here, the problem by our own reader. */
final class SharedCases {
  /**
   * One problem with its answers.
   *
   * @param title what it is about
   * @param problem the problem
   * @param expected what is expected of each strategy: maps of maps, lists and texts
   */
  record Case(String title, Problem problem, Map<String, Object> expected) {
    @Override
    public String toString() {
      return title;
    }
  }

  private final String text;
  private final JsonParser parser;

  private SharedCases(String text) {
    this.text = text;
    parser = new JsonFactory().createParser(ObjectReadContext.empty(), text);
  }

  /** The folder, beside the checkout or where the property lighthouse.shared says. */
  private static Path file(String part, String name) {
    String shared = System.getProperty("lighthouse.shared");
    Path folder =
        shared != null
            ? Path.of(shared)
            // The root ends in "..", whose sibling is a folder of the module.
            : Path.of(System.getProperty("lighthouse.root")).normalize().resolveSibling("shared");
    Path file = folder.resolve(part).resolve(name);
    Assumptions.assumeTrue(
        Files.exists(file),
        "skipped: no folder 'shared' beside the checkout, nor where -Dlighthouse.shared says");
    return file;
  }

  /** The documented and corner cases of a folder. */
  static List<Case> documented(String part) throws IOException {
    SharedCases cases = new SharedCases(Files.readString(file(part, "cases.json")));
    List<Case> all = new ArrayList<>();
    cases.parser.nextToken();
    while (cases.parser.nextToken() == JsonToken.START_OBJECT) {
      all.add(cases.single());
    }
    return all;
  }

  /** The random problems of a folder, a line each. */
  static List<Case> random(String part) throws IOException {
    List<Case> all = new ArrayList<>();
    for (String line : Files.readAllLines(file(part, "random.jsonl"))) {
      SharedCases cases = new SharedCases(line);
      cases.parser.nextToken();
      all.add(cases.single());
    }
    return all;
  }

  /** Any JSON, as maps, lists and texts. */
  static Object read(String json) {
    SharedCases text = new SharedCases(json);
    text.parser.nextToken();
    return text.value();
  }

  private Case single() {
    Map<String, Object> members = new LinkedHashMap<>();
    Problem problem = null;
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      if (name.equals("problem")) {
        int from = (int) parser.currentTokenLocation().getCharOffset();
        parser.skipChildren();
        int to = (int) parser.currentLocation().getCharOffset();
        byte[] json = text.substring(from, to).getBytes(StandardCharsets.UTF_8);
        problem = ProblemReader.standard().read(json).problem();
      } else {
        members.put(name, value());
      }
    }
    Object title = members.getOrDefault("title", "seed " + members.get("seed"));
    return new Case((String) title, problem, object(members.get("expect")));
  }

  /** A map, a list, a text (also for a number), or null. */
  private Object value() {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    if (parser.currentToken() == JsonToken.START_ARRAY) {
      List<Object> entries = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        entries.add(value());
      }
      return entries;
    }
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      return parser.getString();
    }
    Map<String, Object> members = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      members.put(name, value());
    }
    return members;
  }

  @SuppressWarnings("unchecked") // Made by value() above.
  static Map<String, Object> object(Object value) {
    return (Map<String, Object>) value;
  }
}
