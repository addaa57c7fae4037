package io.lighthouse.json.write;

import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.json.problem.TermsWriter;
import io.lighthouse.json.token.Json;
import tools.jackson.core.JsonGenerator;

/** Writes the members of reasons, and of counts of them. */
final class ReasonWriter {
  private ReasonWriter() {}

  static void count(JsonGenerator json, ReasonCount count) {
    json.writeStringProperty("reason", RemedyWriter.word(count.kind()));
    switch (count.kind()) {
      case MISSING, SHORT, SHORTCOMING, WARD, UNIT ->
          json.writeStringProperty("resource", count.about());
      case CROWDED, ALONE, SKEWED -> json.writeStringProperty("group", count.about());
      case RULE -> json.writeStringProperty("name", count.about());
      case NOT_SELECTED -> json.writeNumberProperty("condition", Integer.parseInt(count.about()));
      case WORSE -> json.writeNumberProperty("preference", Integer.parseInt(count.about()));
      case CORDONED, NO_DOMAIN, DECLINED, AVERSE, LATER -> {
        // About the node or domain as a whole.
      }
    }
    if (!count.level().isEmpty()) {
      json.writeStringProperty("level", count.level());
    }
    json.writeNumberProperty("nodes", count.nodes());
  }

  static void reason(JsonGenerator json, Reason reason) {
    json.writeStringProperty("reason", RemedyWriter.word(reason.kind()));
    reason.match(new Members(json));
  }

  /** Writes the members of a reason, for each kind. */
  private record Members(JsonGenerator json) implements Reason.Cases<JsonGenerator> {
    @Override
    public JsonGenerator cordoned(Reason.Cordoned cordoned) {
      return json;
    }

    @Override
    public JsonGenerator missing(Reason.Missing missing) {
      json.writeStringProperty("resource", missing.name());
      Json.quantity(json, "required", missing.required());
      return json;
    }

    @Override
    public JsonGenerator insufficient(Reason.Insufficient few) {
      return balance(few.name(), few.left(), few.required(), few.lacking());
    }

    @Override
    public JsonGenerator negative(Reason.Negative below) {
      return balance(below.name(), below.left(), below.required(), below.lacking());
    }

    private JsonGenerator balance(
        String resource, Quantity left, Quantity required, Quantity lacking) {
      json.writeStringProperty("resource", resource);
      Json.quantity(json, "left", left);
      Json.quantity(json, "required", required);
      Json.quantity(json, "lacking", lacking);
      return json;
    }

    @Override
    public JsonGenerator at(Reason.At at) {
      at.reason().match(this);
      json.writeStringProperty("level", at.at());
      return json.writeStringProperty("domain", at.domain());
    }

    @Override
    public JsonGenerator noDomain(Reason.NoDomain outside) {
      json.writeStringProperty("level", outside.at());
      return outside.rule() < 0 ? json : json.writeNumberProperty("rule", outside.rule());
    }

    @Override
    public JsonGenerator offUnit(Reason.OffUnit off) {
      json.writeStringProperty("resource", off.name());
      Json.quantity(json, "required", off.required());
      TermsWriter.unit(json, off.unit());
      return json;
    }

    @Override
    public JsonGenerator notSelected(Reason.NotSelected condition) {
      return json.writeNumberProperty("condition", condition.condition());
    }

    @Override
    public JsonGenerator crowded(Reason.Crowded crowded) {
      ofGroup(crowded.group(), crowded.at(), crowded.domain(), crowded.members());
      json.writeNumberProperty("most", crowded.most());
      json.writeNumberProperty("excess", crowded.excess());
      return crowded.by().isPresent()
          ? json.writeStringProperty("by", crowded.by().get())
          : json.writeNumberProperty("rule", crowded.rule());
    }

    @Override
    public JsonGenerator alone(Reason.Alone alone) {
      ofGroup(alone.group(), alone.at(), alone.domain(), alone.members());
      json.writeNumberProperty("least", alone.least());
      json.writeNumberProperty("excess", alone.excess());
      return json.writeNumberProperty("rule", alone.rule());
    }

    @Override
    public JsonGenerator skewed(Reason.Skewed skewed) {
      ofGroup(skewed.group(), skewed.at(), skewed.domain(), skewed.members());
      json.writeNumberProperty("floor", skewed.floor());
      json.writeNumberProperty("skew", skewed.skew());
      json.writeNumberProperty("excess", skewed.excess());
      return json.writeNumberProperty("rule", skewed.rule());
    }

    private void ofGroup(String group, String level, String domain, int members) {
      json.writeStringProperty("group", group);
      json.writeStringProperty("level", level);
      json.writeStringProperty("domain", domain);
      json.writeNumberProperty("members", members);
    }

    @Override
    public JsonGenerator byRule(Reason.ByRule rule) {
      json.writeStringProperty("name", rule.name());
      json.writeStringProperty("text", rule.text());
      excess(json, "excess", rule.excess());
      if (!rule.numbers().isEmpty()) {
        json.writeObjectPropertyStart("numbers");
        rule.numbers().forEach((name, number) -> Json.quantity(json, name, number));
        json.writeEndObject();
      }
      return json.writeNumberProperty("rule", rule.rule());
    }

    @Override
    public JsonGenerator worse(Reason.Worse worse) {
      json.writeNumberProperty("preference", worse.preference());
      excess(json, "excess", worse.excess());
      excess(json, "least", worse.least());
      return json;
    }

    @Override
    public JsonGenerator declined(Reason.Declined declined) {
      return json;
    }

    @Override
    public JsonGenerator averse(Reason.Averse averse) {
      Json.names(json, "groups", averse.groups());
      return json;
    }

    @Override
    public JsonGenerator later(Reason.Later later) {
      return json.writeStringProperty("chosen", later.chosen());
    }
  }

  /** An unbounded excess is infinite. */
  private static void excess(JsonGenerator json, String member, long excess) {
    if (excess == Long.MAX_VALUE) {
      json.writeStringProperty(member, "inf");
    } else {
      json.writeNumberProperty(member, excess);
    }
  }
}
