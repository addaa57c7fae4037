package io.lighthouse.json.problem;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import io.lighthouse.json.token.Json;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** Writes what the second part of the format adds. */
public final class TermsWriter {
  private TermsWriter() {}

  /** The members of a workload; none where there are no terms. */
  static void write(JsonGenerator json, Terms terms) {
    if (terms == Terms.NONE) {
      return;
    }
    if (!terms.shared().isEmpty()) {
      json.writeObjectPropertyStart("shared");
      terms.shared().forEach((level, resources) -> Json.resources(json, level, resources));
      json.writeEndObject();
    }
    if (!terms.groups().isEmpty()) {
      Json.names(json, "groups", terms.groups());
    }
    if (!terms.where().isEmpty()) {
      json.writeName("where");
      conditions(json, terms.where());
    }
    rules(json, "rules", terms.rules());
    rules(json, "preferences", terms.preferences());
    if (terms.gang().isPresent()) {
      Gang gang = terms.gang().get();
      json.writeObjectPropertyStart("gang");
      json.writeStringProperty("name", gang.name());
      gang.within().ifPresent(level -> json.writeStringProperty("within", level));
      json.writeEndObject();
    }
  }

  /** A list of rules; nothing where it is empty. */
  static void rules(JsonGenerator json, String member, List<Rule> rules) {
    if (rules.isEmpty()) {
      return;
    }
    json.writeArrayPropertyStart(member);
    for (Rule rule : rules) {
      json.writeStartObject();
      rule(json, rule);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void rule(JsonGenerator json, Rule rule) {
    rule.match(new RuleMembers(json));
  }

  /** Writes the members of a rule, for each kind. */
  private record RuleMembers(JsonGenerator json) implements Rule.GroupCases<JsonGenerator> {
    @Override
    public JsonGenerator ofGroup(Rule.OfGroup rule) {
      return RuleForm.of(rule).write(json, rule);
    }

    @Override
    public JsonGenerator where(Rule.Where where) {
      json.writeName("where");
      conditions(json, where.conditions());
      return json;
    }

    @Override
    public JsonGenerator named(Rule.Named named) {
      json.writeStringProperty("rule", named.rule());
      if (!named.with().isEmpty()) {
        json.writeObjectPropertyStart("with");
        named.with().forEach(json::writeStringProperty);
        json.writeEndObject();
      }
      return json;
    }
  }

  private static void conditions(JsonGenerator json, List<Condition> conditions) {
    json.writeStartArray();
    for (Condition condition : conditions) {
      json.writeStartObject();
      condition(json, condition);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void condition(JsonGenerator json, Condition condition) {
    condition.match(new ConditionMembers(json));
  }

  /** Writes the members of a condition, for each kind. */
  private record ConditionMembers(JsonGenerator json) implements Condition.Cases<JsonGenerator> {
    @Override
    public JsonGenerator in(Condition.In in) {
      json.writeStringProperty("level", in.level());
      Json.names(json, "in", in.names());
      return json;
    }

    @Override
    public JsonGenerator notIn(Condition.NotIn notIn) {
      json.writeStringProperty("level", notIn.level());
      Json.names(json, "not_in", notIn.names());
      return json;
    }

    @Override
    public JsonGenerator somewhere(Condition.Somewhere somewhere) {
      return json.writeStringProperty("level", somewhere.level());
    }

    @Override
    public JsonGenerator nowhere(Condition.Nowhere nowhere) {
      json.writeStringProperty("level", nowhere.level());
      return json.writeBooleanProperty("absent", true);
    }

    @Override
    public JsonGenerator has(Condition.Has has) {
      json.writeStringProperty("resource", has.resource());
      if (!has.least().equals(Quantity.NEGATIVE_INFINITY)) {
        Json.quantity(json, "least", has.least());
      }
      if (!has.most().equals(Quantity.INFINITY)) {
        Json.quantity(json, "most", has.most());
      }
      return json;
    }

    @Override
    public JsonGenerator lacks(Condition.Lacks lacks) {
      json.writeStringProperty("resource", lacks.resource());
      return json.writeBooleanProperty("absent", true);
    }

    @Override
    public JsonGenerator any(Condition.Any any) {
      json.writeArrayPropertyStart("any");
      any.lists().forEach(list -> conditions(json, list));
      return json.writeEndArray();
    }
  }

  /** The resources of a node or domain: quantities, and objects where they have a unit. */
  static void resources(
      JsonGenerator json, String member, Resources resources, Map<String, Unit> units) {
    json.writeObjectPropertyStart(member);
    for (int i = 0; i < resources.size(); i++) {
      Unit unit = units.get(resources.name(i));
      if (unit == null) {
        Json.quantity(json, resources.name(i), resources.quantity(i));
      } else {
        json.writeObjectPropertyStart(resources.name(i));
        Json.quantity(json, "left", resources.quantity(i));
        unit(json, unit);
        json.writeEndObject();
      }
    }
    json.writeEndObject();
  }

  /** The bounds of a unit that are there. */
  public static void unit(JsonGenerator json, Unit unit) {
    if (unit.min().signum() > 0) {
      Json.quantity(json, "min", unit.min());
    }
    if (!unit.max().isInfinite()) {
      Json.quantity(json, "max", unit.max());
    }
    if (unit.step().signum() > 0) {
      Json.quantity(json, "step", unit.step());
    }
  }
}
