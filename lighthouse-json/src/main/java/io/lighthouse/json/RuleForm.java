package io.lighthouse.json;

import io.lighthouse.api.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import tools.jackson.core.JsonGenerator;

/**
 * How each kind of rule that counts a group is written: its members and their ranges. The parser,
 * the writer and the check of the service's description use this table only.
 */
enum RuleForm {
  MOST(number("most", 0, 0, rule -> ((Rule.Most) rule).most())) {
    @Override
    Rule rule(Map<String, Integer> numbers, String group, String level) {
      return new Rule.Most(numbers.get("most"), group, level);
    }
  },
  LEAST(number("least", 1, 1, rule -> ((Rule.Least) rule).least())) {
    @Override
    Rule rule(Map<String, Integer> numbers, String group, String level) {
      return new Rule.Least(numbers.get("least"), group, level);
    }
  },
  SKEW(
      number("skew", 1, 0, rule -> ((Rule.Skew) rule).skew()),
      optional("min_domains", 1, rule -> ((Rule.Skew) rule).minDomains())) {
    @Override
    Rule rule(Map<String, Integer> numbers, String group, String level) {
      return new Rule.Skew(
          numbers.get("skew"), group, level, numbers.getOrDefault("min_domains", 1));
    }
  };

  /** The name of the group; required. */
  static final String GROUP = "group";

  /** The name of the level; {@link Rule#NODE} where it is not given. */
  static final String LEVEL = "level";

  /**
   * A member whose value is a whole number.
   *
   * @param name its name
   * @param least the least value in a hard rule
   * @param leastSoft the least value in a preference
   * @param required whether it must be given; else its default is {@code least}
   * @param value reads it from a rule of this form
   */
  record Number(
      String name, int least, int leastSoft, boolean required, ToIntFunction<Rule> value) {}

  /** The numbers; the first one's name tells the form. */
  final List<Number> numbers;

  RuleForm(Number... numbers) {
    this.numbers = List.of(numbers);
  }

  private static Number number(String name, int least, int leastSoft, ToIntFunction<Rule> value) {
    return new Number(name, least, leastSoft, true, value);
  }

  private static Number optional(String name, int least, ToIntFunction<Rule> value) {
    return new Number(name, least, least, false, value);
  }

  /** The member that tells the form. */
  String word() {
    return numbers.get(0).name;
  }

  /** Makes the rule; the values are in their ranges. */
  abstract Rule rule(Map<String, Integer> given, String group, String level);

  /** Writes the members of a rule of this form; those with their default are left out. */
  JsonGenerator write(JsonGenerator json, Rule.OfGroup rule) {
    json.writeNumberProperty(word(), numbers.get(0).value.applyAsInt(rule));
    json.writeStringProperty(GROUP, rule.group());
    if (!rule.level().equals(Rule.NODE)) {
      json.writeStringProperty(LEVEL, rule.level());
    }
    for (Number number : further()) {
      int value = number.value.applyAsInt(rule);
      if (number.required || value != number.least) {
        json.writeNumberProperty(number.name, value);
      }
    }
    return json;
  }

  /** The words of all forms, in order. */
  static List<String> words() {
    return Arrays.stream(values()).map(RuleForm::word).toList();
  }

  /** By member: the members that may stand in the same object. */
  static Map<String, List<String>> beside() {
    Map<String, List<String>> beside = new LinkedHashMap<>();
    for (RuleForm form : values()) {
      beside.put(form.word(), form.besideWord());
    }
    for (String common : List.of(GROUP, LEVEL)) {
      List<String> others = new ArrayList<>(words());
      others.add(common.equals(GROUP) ? LEVEL : GROUP);
      for (RuleForm form : values()) {
        form.further().forEach(number -> others.add(number.name));
      }
      beside.put(common, others);
    }
    for (RuleForm form : values()) {
      for (Number number : form.further()) {
        List<String> others = new ArrayList<>(List.of(form.word(), GROUP, LEVEL));
        form.further().stream()
            .filter(other -> other != number)
            .forEach(other -> others.add(other.name));
        beside.put(number.name, others);
      }
    }
    return beside;
  }

  private List<String> besideWord() {
    List<String> others = new ArrayList<>(List.of(GROUP, LEVEL));
    further().forEach(number -> others.add(number.name));
    return others;
  }

  private List<Number> further() {
    return numbers.subList(1, numbers.size());
  }
}
