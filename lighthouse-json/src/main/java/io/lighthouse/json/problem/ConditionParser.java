package io.lighthouse.json.problem;

import io.lighthouse.api.Condition;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.json.token.ObjectMembers;
import io.lighthouse.json.token.Tokens;
import io.lighthouse.json.token.Values;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads lists of conditions. Not thread-safe. */
final class ConditionParser {
  private static final String CONDITION = "an object with level, resource or any";

  private static final Map<String, List<String>> BESIDE = new LinkedHashMap<>();

  static {
    BESIDE.put("level", List.of("in", "not_in", "absent"));
    BESIDE.put("in", List.of("level"));
    BESIDE.put("not_in", List.of("level"));
    BESIDE.put("resource", List.of("least", "most", "absent"));
    BESIDE.put("least", List.of("resource", "most"));
    BESIDE.put("most", List.of("resource", "least"));
    BESIDE.put("absent", List.of("level", "resource"));
    BESIDE.put("any", List.of());
  }

  private static final ObjectMembers.Form FORM = ObjectMembers.Form.exclusive(BESIDE);

  private final Tokens tokens;
  private final Values values;

  ConditionParser(Tokens tokens, Values values) {
    this.tokens = tokens;
    this.values = values;
  }

  /** The next token and below: a list of conditions; null where it is wrong. */
  List<Condition> conditions() {
    tokens.next();
    return current();
  }

  private List<Condition> current() {
    return values.list(
        "an array of conditions", () -> tokens.isObject(CONDITION) ? condition() : null);
  }

  private Condition condition() {
    ObjectMembers object = new ObjectMembers(tokens, FORM);
    String about = null;
    Set<String> names = null;
    Quantity least = Quantity.NEGATIVE_INFINITY;
    Quantity most = Quantity.INFINITY;
    boolean absent = false;
    List<List<Condition>> lists = null;
    String word;
    while ((word = object.next()) != null) {
      switch (word) {
        case "level" -> about = values.ownName("the name of a level");
        case "resource" -> about = values.ownName("the name of a resource");
        case "in", "not_in" -> names = values.names("domains");
        case "least" -> least = values.quantity(word, Values.Use.PLAIN);
        case "most" -> most = values.quantity(word, Values.Use.PLAIN);
        case "absent" -> absent = values.flag();
        default -> lists = lists();
      }
    }
    if (object.has("in") || object.has("not_in")) {
      object.requireIfSound("level", "the name of a level");
    } else if (object.has("least") || object.has("most")) {
      object.requireIfSound("resource", "the name of a resource");
    } else {
      object.requireOneOf("a condition", "level", "resource", "any");
    }
    if (!object.isSound()) {
      return null;
    }
    if (object.has("any")) {
      return new Condition.Any(lists);
    }
    if (object.has("resource")) {
      return absent ? new Condition.Lacks(about) : new Condition.Has(about, least, most);
    }
    if (names != null) {
      return object.has("in") ? new Condition.In(about, names) : new Condition.NotIn(about, names);
    }
    return absent ? new Condition.Nowhere(about) : new Condition.Somewhere(about);
  }

  private List<List<Condition>> lists() {
    tokens.next();
    return values.list("an array of arrays of conditions", this::current);
  }
}
