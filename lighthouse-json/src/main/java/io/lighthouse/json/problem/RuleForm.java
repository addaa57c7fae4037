package io.lighthouse.json.problem;

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
  },
  APART(flag("apart")) {
    @Override
    Rule rule(Map<String, Integer> numbers, String group, String level) {
      return new Rule.Apart(group, level);
    }
  };

  /** The name of the group; required. */
  static final String GROUP = "group";

  /** The name of the level; {@link Rule#NODE} where it is not given. */
  static final String LEVEL = "level";

  /**
   * A member whose value is a whole number, or {@code true}.
   *
   * @param name its name
   * @param least the least value in a hard rule
   * @param leastSoft the least value in a preference
   * @param required whether it must be given; else its default is {@code least}
   * @param value reads it from a rule of this form; null for a member that is always {@code true}
   */
  record Number(
      String name, int least, int leastSoft, boolean required, ToIntFunction<Rule> value) {
    boolean isFlag() {
      return value == null;
    }

    private void write(JsonGenerator json, Rule rule) {
      if (isFlag()) {
        json.writeBooleanProperty(name, true);
      } else if (required || value.applyAsInt(rule) != least) {
        json.writeNumberProperty(name, value.applyAsInt(rule));
      }
    }
  }

  /** The numbers; the first one's name tells the form. */
  final List<Number> numbers;

  RuleForm(Number... numbers) {
    this.numbers = List.of(numbers);
  }

  private static Number number(String name, int least, int leastSoft, ToIntFunction<Rule> value) {
    return new Number(name, least, leastSoft, true, value);
  }

  private static Number flag(String name) {
    return new Number(name, 1, 1, true, null);
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

  /** The form of a rule. */
  static RuleForm of(Rule.OfGroup rule) {
    return rule.match(FORMS);
  }

  private static final Rule.Cases<RuleForm> FORMS =
      new Rule.Cases<>() {
        @Override
        public RuleForm most(Rule.Most most) {
          return MOST;
        }

        @Override
        public RuleForm least(Rule.Least least) {
          return LEAST;
        }

        @Override
        public RuleForm skew(Rule.Skew skew) {
          return SKEW;
        }

        @Override
        public RuleForm apart(Rule.Apart apart) {
          return APART;
        }

        @Override
        public RuleForm where(Rule.Where where) {
          throw new IllegalArgumentException(String.valueOf(where));
        }

        @Override
        public RuleForm named(Rule.Named named) {
          throw new IllegalArgumentException(String.valueOf(named));
        }
      };

  /** Writes the members of a rule of this form; those with their default are left out. */
  JsonGenerator write(JsonGenerator json, Rule.OfGroup rule) {
    numbers.get(0).write(json, rule);
    json.writeStringProperty(GROUP, rule.group());
    if (!rule.level().equals(Rule.NODE)) {
      json.writeStringProperty(LEVEL, rule.level());
    }
    further().forEach(number -> number.write(json, rule));
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
