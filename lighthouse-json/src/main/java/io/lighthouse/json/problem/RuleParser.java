package io.lighthouse.json.problem;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Rule;
import io.lighthouse.json.token.ObjectMembers;
import io.lighthouse.json.token.Tokens;
import io.lighthouse.json.token.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads lists of rules, hard ones and preferences. Not thread-safe. */
final class RuleParser {
  private static final String RULE = "an object with " + words("rule");
  private static final String PREFERENCE = "an object with " + words("where", "rule");

  /** The numbers of all forms, by the name of their member. */
  private static final Map<String, RuleForm.Number> NUMBERS = new LinkedHashMap<>();

  private static final Map<String, List<String>> BESIDE = new LinkedHashMap<>(RuleForm.beside());

  static {
    for (RuleForm form : RuleForm.values()) {
      form.numbers.forEach(number -> NUMBERS.put(number.name(), number));
    }
    BESIDE.put("where", List.of());
    BESIDE.put("rule", List.of("with"));
    BESIDE.put("with", List.of("rule"));
  }

  private static String words(String... others) {
    List<String> all = new ArrayList<>(RuleForm.words());
    all.addAll(List.of(others));
    String last = all.remove(all.size() - 1);
    return String.join(", ", all) + " or " + last;
  }

  private static final ObjectMembers.Form FORM = ObjectMembers.Form.exclusive(BESIDE);

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
    return values.list(
        soft ? "an array of preferences" : "an array of rules",
        () -> tokens.isObject(soft ? PREFERENCE : RULE) ? rule(soft) : null);
  }

  private Rule rule(boolean soft) {
    ObjectMembers object = new ObjectMembers(tokens, FORM);
    Map<String, Integer> numbers = new HashMap<>();
    String group = null;
    String level = Rule.NODE;
    List<Condition> where = null;
    String name = null;
    Map<String, String> with = Map.of();
    String word;
    while ((word = object.next()) != null) {
      RuleForm.Number number = NUMBERS.get(word);
      if (number != null && number.isFlag()) {
        values.isTrue();
        continue;
      }
      if (number != null) {
        numbers.put(word, values.wholeNumber(soft ? number.leastSoft() : number.least()));
        continue;
      }
      switch (word) {
        case RuleForm.GROUP -> group = values.ownName("the name of a group");
        case RuleForm.LEVEL -> level = values.ownName("the name of a level");
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
    if (!object.isSound()) {
      return null;
    }
    for (RuleForm form : RuleForm.values()) {
      if (object.has(form.word())) {
        return form.rule(numbers, group, level);
      }
    }
    return object.has("rule") ? new Rule.Named(name, with) : new Rule.Where(where);
  }

  private static void requireWhole(ObjectMembers object, boolean soft) {
    if (object.has("where")) {
      return;
    }
    if (object.has("with")) {
      object.requireIfSound("rule", "the name of a rule");
    }
    boolean counts = false;
    for (RuleForm form : RuleForm.values()) {
      RuleForm.Number first = form.numbers.get(0);
      for (RuleForm.Number number : form.numbers.subList(1, form.numbers.size())) {
        if (object.has(number.name())) {
          object.requireIfSound(
              first.name(), "a whole number from " + (soft ? first.leastSoft() : first.least()));
        }
      }
      counts |= object.has(form.word());
    }
    List<String> whole = new ArrayList<>(RuleForm.words());
    if (soft) {
      whole.add("where");
    }
    whole.add("rule");
    object.requireOneOf(soft ? "a preference" : "a rule", whole.toArray(String[]::new));
    if (counts) {
      object.requireIfSound(RuleForm.GROUP, "the name of a group");
    }
  }
}
