package io.lighthouse.json;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Rule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonToken;

/** Reads lists of rules, hard ones and preferences. Not thread-safe. */
final class RuleParser {
  private static final String RULE = "an object with most, least, skew or rule";
  private static final String PREFERENCE = "an object with most, least, skew, where or rule";

  private static final Map<String, List<String>> BESIDE = new LinkedHashMap<>();

  static {
    BESIDE.put("most", List.of("group", "level"));
    BESIDE.put("least", List.of("group", "level"));
    BESIDE.put("skew", List.of("group", "level", "min_domains"));
    BESIDE.put("group", List.of("most", "least", "skew", "level", "min_domains"));
    BESIDE.put("level", List.of("most", "least", "skew", "group", "min_domains"));
    BESIDE.put("min_domains", List.of("skew", "group", "level"));
    BESIDE.put("where", List.of());
    BESIDE.put("rule", List.of("with"));
    BESIDE.put("with", List.of("rule"));
  }

  private final Tokens tokens;
  private final Values values;
  private final ConditionParser conditions;

  RuleParser(Tokens tokens, Values values, ConditionParser conditions) {
    this.tokens = tokens;
    this.values = values;
    this.conditions = conditions;
  }

  /** The next token and below: a list of rules; null where it is wrong. */
  List<Rule> rules(boolean soft) {
    tokens.next();
    if (!tokens.isArray(soft ? "an array of preferences" : "an array of rules")) {
      return null;
    }
    int before = tokens.faultCount();
    List<Rule> list = new ArrayList<>();
    while (tokens.next() != JsonToken.END_ARRAY) {
      values.checkEntries(list.size() + 1);
      if (tokens.isObject(soft ? PREFERENCE : RULE)) {
        list.add(rule(soft));
      }
    }
    return before == tokens.faultCount() ? list : null;
  }

  private Rule rule(boolean soft) {
    int before = tokens.faultCount();
    Exclusive object = new Exclusive(tokens, BESIDE);
    int bound = 0;
    int minDomains = 1;
    String group = null;
    String level = Rule.NODE;
    List<Condition> where = null;
    String name = null;
    Map<String, String> with = Map.of();
    String word;
    while ((word = tokens.nextName()) != null) {
      if (!object.takes(word)) {
        continue;
      }
      switch (word) {
        case "most" -> bound = values.wholeNumber(0);
        case "least" -> bound = values.wholeNumber(1);
        case "skew" -> bound = values.wholeNumber(soft ? 0 : 1);
        case "min_domains" -> minDomains = values.wholeNumber(1);
        case "group" -> group = values.ownName("the name of a group");
        case "level" -> level = values.ownName("the name of a level");
        case "rule" -> name = values.ownName("the name of a rule");
        case "with" -> with = values.settings();
        default -> {
          if (soft) {
            where = conditions.conditions();
          } else {
            tokens.wrongMember("given in rules", "in preferences, or as where of the workload");
          }
        }
      }
    }
    requireWhole(object, soft);
    if (before != tokens.faultCount()) {
      return null;
    }
    if (object.has("most")) {
      return new Rule.Most(bound, group, level);
    }
    if (object.has("least")) {
      return new Rule.Least(bound, group, level);
    }
    if (object.has("skew")) {
      return new Rule.Skew(bound, group, level, minDomains);
    }
    return object.has("rule") ? new Rule.Named(name, with) : new Rule.Where(where);
  }

  private static void requireWhole(Exclusive object, boolean soft) {
    if (object.has("where")) {
      return;
    }
    if (object.has("with")) {
      object.require("rule", "the name of a rule");
    } else if (object.has("min_domains")) {
      object.require("skew", "a whole number from " + (soft ? 0 : 1));
    } else if (soft) {
      object.requireOneOf("a preference", "most", "least", "skew", "where", "rule");
    } else {
      object.requireOneOf("a rule", "most", "least", "skew", "rule");
    }
    if (object.has("most") || object.has("least") || object.has("skew")) {
      object.require("group", "the name of a group");
    }
  }
}
