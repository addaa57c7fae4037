package io.lighthouse.kubernetes.shadow;

import java.nio.charset.StandardCharsets;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A report as JSON: one object, members in a fixed order. */
final class ReportJson {
  private ReportJson() {}

  static byte[] of(ShadowReport report) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("server", report.server())
        .put("scheduler", report.scheduler())
        .put("strategy", report.strategy())
        .put("since", report.since().toString())
        .put("at", report.at().toString())
        .put("compared", report.compared())
        .put("agreement", report.count(ComparisonOutcome.Group.AGREEMENT))
        .put("ranked", report.count(ComparisonOutcome.Group.RANK))
        .put("verdict", report.count(ComparisonOutcome.Group.VERDICT));
    ObjectNode outcomes = json.putObject("outcomes");
    report.counts().forEach((outcome, count) -> outcomes.put(outcome.word(), count));
    ObjectNode causes = json.putObject("causes");
    report
        .causes()
        .forEach(
            (outcome, counts) -> {
              ObjectNode of = causes.putObject(outcome.word());
              counts.forEach(of::put);
            });
    put(json.putObject("there"), report.there());
    put(json.putObject("ours"), report.ours());
    ArrayNode differences = json.putArray("differences");
    for (Difference one : report.last()) {
      differences
          .addObject()
          .put("at", one.at().toString())
          .put("pod", one.pod())
          .put("outcome", one.outcome().word())
          .put("there", one.there())
          .put("ours", one.ours())
          .put("by", one.by())
          .put("reason", one.reason());
    }
    ArrayNode course = json.putArray("course");
    for (Course.Sample sample : report.course()) {
      ObjectNode one = course.addObject().put("at", sample.at().toString());
      put(one.putObject("there"), sample.there());
      put(one.putObject("ours"), sample.ours());
    }
    return (json + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static void put(ObjectNode json, Figures figures) {
    json.put("nodes", figures.nodes())
        .put("nodesUsed", figures.used())
        .put("fullestThousandths", figures.fullest())
        .put("meanThousandths", figures.mean())
        .put("waiting", figures.waiting())
        .put("refused", figures.refused());
  }
}
