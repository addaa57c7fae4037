package io.lighthouse.json;

import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.quantity.Quantity;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** Writes the members of reasons, and of counts of them. */
final class ReasonWriter {
  private ReasonWriter() {}

  static String word(Reason.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static void count(JsonGenerator json, ReasonCount count) {
    json.writeStringProperty("reason", word(count.kind()));
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
    json.writeStringProperty("reason", word(reason.kind()));
    if (reason instanceof Reason.At at) {
      ofAccount(json, at.reason());
      json.writeStringProperty("level", at.at());
      json.writeStringProperty("domain", at.domain());
    } else if (reason instanceof Reason.NoDomain nowhere) {
      json.writeStringProperty("level", nowhere.at());
      if (nowhere.rule() >= 0) {
        json.writeNumberProperty("rule", nowhere.rule());
      }
    } else if (reason instanceof Reason.NotSelected condition) {
      json.writeNumberProperty("condition", condition.condition());
    } else if (reason instanceof Reason.Crowded crowded) {
      ofGroup(json, crowded.group(), crowded.at(), crowded.domain(), crowded.members());
      json.writeNumberProperty("most", crowded.most());
      json.writeNumberProperty("excess", crowded.excess());
      if (crowded.by().isPresent()) {
        json.writeStringProperty("by", crowded.by().get());
      } else {
        json.writeNumberProperty("rule", crowded.rule());
      }
    } else if (reason instanceof Reason.Alone alone) {
      ofGroup(json, alone.group(), alone.at(), alone.domain(), alone.members());
      json.writeNumberProperty("least", alone.least());
      json.writeNumberProperty("excess", alone.excess());
      json.writeNumberProperty("rule", alone.rule());
    } else if (reason instanceof Reason.Skewed skewed) {
      ofGroup(json, skewed.group(), skewed.at(), skewed.domain(), skewed.members());
      json.writeNumberProperty("floor", skewed.floor());
      json.writeNumberProperty("skew", skewed.skew());
      json.writeNumberProperty("excess", skewed.excess());
      json.writeNumberProperty("rule", skewed.rule());
    } else if (reason instanceof Reason.ByRule rule) {
      ofPlugin(json, rule);
    } else if (reason instanceof Reason.Worse worse) {
      json.writeNumberProperty("preference", worse.preference());
      excess(json, "excess", worse.excess());
      excess(json, "least", worse.least());
    } else if (reason instanceof Reason.Averse averse) {
      Json.names(json, "groups", averse.groups());
    } else if (reason instanceof Reason.Later later) {
      json.writeStringProperty("chosen", later.chosen());
    } else {
      ofAccount(json, reason);
    }
  }

  /** The reasons that a node and a domain have alike. */
  private static void ofAccount(JsonGenerator json, Reason reason) {
    if (reason.resource().isPresent()) {
      json.writeStringProperty("resource", reason.resource().get());
    }
    if (reason instanceof Reason.Missing missing) {
      Json.quantity(json, "required", missing.required());
    } else if (reason instanceof Reason.Insufficient few) {
      balance(json, few.left(), few.required(), few.lacking());
    } else if (reason instanceof Reason.Negative negative) {
      balance(json, negative.left(), negative.required(), negative.lacking());
    } else if (reason instanceof Reason.OffUnit off) {
      Json.quantity(json, "required", off.required());
      TermsWriter.unit(json, off.unit());
    }
  }

  private static void balance(
      JsonGenerator json, Quantity left, Quantity required, Quantity lacking) {
    Json.quantity(json, "left", left);
    Json.quantity(json, "required", required);
    Json.quantity(json, "lacking", lacking);
  }

  private static void ofGroup(
      JsonGenerator json, String group, String level, String domain, int members) {
    json.writeStringProperty("group", group);
    json.writeStringProperty("level", level);
    json.writeStringProperty("domain", domain);
    json.writeNumberProperty("members", members);
  }

  private static void ofPlugin(JsonGenerator json, Reason.ByRule rule) {
    json.writeStringProperty("name", rule.name());
    json.writeStringProperty("text", rule.text());
    excess(json, "excess", rule.excess());
    if (!rule.numbers().isEmpty()) {
      json.writeObjectPropertyStart("numbers");
      rule.numbers().forEach((name, number) -> Json.quantity(json, name, number));
      json.writeEndObject();
    }
    json.writeNumberProperty("rule", rule.rule());
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
