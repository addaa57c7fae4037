package io.lighthouse.kubernetes.shadow;

import static io.lighthouse.picture.SvgText.escaped;

import io.lighthouse.api.error.Plural;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A report as one page of HTML that needs nothing else. */
final class ReportPage {
  private static final String STYLE =
      """
      :root{color-scheme:light dark;--ink:#1c2430;--soft:#555d68;--rule:#d5d9de;--paper:#fff;
      --ours:#1f5f9e;--there:#b35a00}
      @media (prefers-color-scheme:dark){:root{--ink:#e6e9ee;--soft:#aab2bd;--rule:#3a424d;
      --paper:#14181e;--ours:#7db8f0;--there:#f0a45a}}
      body{font:15px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;
      color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
      .scroll,.plot{overflow-x:auto}
      table{border-collapse:collapse;font-variant-numeric:tabular-nums}
      td,th{padding:.2em .8em;text-align:left;border-bottom:1px solid var(--rule);
      vertical-align:top}
      td.n,th.n{text-align:right;white-space:nowrap}
      svg{width:100%;min-width:44em;height:auto;display:block}
      .grid{stroke:var(--rule)}
      .ours,.there{fill:none;stroke:var(--ours);stroke-width:1.5}
      .there{stroke:var(--there);stroke-dasharray:6 3}
      svg text{font-size:12px;fill:var(--soft)}
      .x{text-anchor:middle}.y,.last{text-anchor:end}
      .key i{display:inline-block;width:2em;border-top:2px solid var(--ours);
      margin:0 .4em .25em 1.2em}
      .key i.dashed{border-top:2px dashed var(--there);margin-left:0}
      """;

  /** The parts of a share. */
  private static final double THOUSAND = 1_000;

  private final StringBuilder page = new StringBuilder();
  private final ShadowReport report;

  private ReportPage(ShadowReport report) {
    this.report = report;
  }

  static byte[] of(ShadowReport report) {
    return new ReportPage(report).write().getBytes(StandardCharsets.UTF_8);
  }

  private String write() {
    page.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<title>Shadow of " + escaped(report.scheduler()) + "</title>\n<style>\n" + STYLE)
        .append("</style>\n</head>\n<body>\n<main>\n")
        .append("<h1>Shadow of " + escaped(report.scheduler()) + "</h1>\n<p>")
        .append(escaped(report.server()) + ", " + report.since() + " to " + report.at() + ". ")
        .append("Lighthouse decided by the strategy " + escaped(report.strategy()))
        .append(", and wrote nothing.</p>\n");
    summary();
    outcomes();
    causes();
    figures();
    differences();
    return page.append("</main>\n</body>\n</html>\n").toString();
  }

  private void summary() {
    long compared = report.compared();
    long verdicts = report.count(ComparisonOutcome.Group.VERDICT);
    page.append("<p><b>" + report.count(ComparisonOutcome.Group.AGREEMENT) + "</b> of " + compared)
        .append(" decisions agree")
        .append(
            compared == 0
                ? ""
                : " (" + percent(report.count(ComparisonOutcome.Group.AGREEMENT)) + ")")
        .append(". Lighthouse ranks another node better for <b>")
        .append(report.count(ComparisonOutcome.Group.RANK) + "</b>. ")
        .append("The verdicts differ for <b>" + verdicts + "</b>.</p>\n");
  }

  private String percent(long count) {
    return Math.round(THOUSAND * count / report.compared()) / 10.0 + "&nbsp;%";
  }

  private void outcomes() {
    begin("Decisions", "outcome", "meaning", "#pods");
    report
        .counts()
        .forEach((outcome, count) -> row(outcome.word(), outcome.meaning(), "#" + count));
    end();
  }

  private void causes() {
    if (report.causes().isEmpty()) {
      return;
    }
    begin("What decides", "outcome", "filter, preference or strategy", "#pods");
    report
        .causes()
        .forEach(
            (outcome, of) -> {
              for (Map.Entry<String, Long> cause : of.entrySet()) {
                row(outcome.word(), cause.getKey(), "#" + cause.getValue());
              }
            });
    end();
  }

  private void figures() {
    Figures there = report.there();
    Figures ours = report.ours();
    begin("The cluster as it is, and as it would be", "", "#as it is", "#with Lighthouse");
    row("nodes", "#" + there.nodes(), "#" + ours.nodes());
    row("nodes with a pod of no daemon set", "#" + there.used(), "#" + ours.used());
    row("fullest node", "#" + share(there.fullest()), "#" + share(ours.fullest()));
    row("mean of all nodes", "#" + share(there.mean()), "#" + share(ours.mean()));
    row("refused pods that wait", "#" + there.waiting(), "#" + ours.waiting());
    row("pods ever refused", "#" + there.refused(), "#" + ours.refused());
    end();
    if (!report.course().isEmpty()) {
      page.append("<p class=\"key\"><i class=\"dashed\"></i>as it is<i></i>with Lighthouse</p>\n");
      plot("Nodes in use", "", Figures::used);
      plot("Fullest node, cpu or memory", " %", figures -> figures.fullest() / 10.0);
      plot("Refused pods that wait", "", Figures::waiting);
    }
  }

  private void plot(String title, String unit, java.util.function.ToDoubleFunction<Figures> value) {
    page.append("<h3>" + title + "</h3>\n")
        .append(CoursePlot.svg(title, unit, report.course(), value));
  }

  private static String share(int thousandths) {
    return thousandths / 10.0 + " %";
  }

  private void differences() {
    if (report.last().isEmpty()) {
      return;
    }
    String heading =
        "The last " + Plural.of(report.last().size(), "difference") + ", the newest first";
    begin(heading, "at", "pod", "outcome", "chosen", "Lighthouse", "reason");
    for (Difference one : report.last()) {
      row(
          one.at().toString(),
          one.pod(),
          one.outcome().word(),
          one.there().isEmpty() ? "none" : one.there(),
          one.ours().isEmpty() ? "none" : one.ours(),
          one.by() + ": " + one.reason());
    }
    end();
  }

  private void begin(String heading, String... columns) {
    page.append("<h2>" + heading + "</h2>\n<div class=\"scroll\" tabindex=\"0\"><table>\n");
    cells("th", columns);
  }

  private void row(String... cells) {
    cells("td", cells);
  }

  /** A text that begins with # is a number. */
  private void cells(String tag, String... cells) {
    page.append("<tr>");
    for (String cell : cells) {
      boolean isNumber = cell.startsWith("#");
      page.append("<" + tag + (isNumber ? " class=\"n\">" : ">"))
          .append(escaped(isNumber ? cell.substring(1) : cell))
          .append("</" + tag + ">");
    }
    page.append("</tr>\n");
  }

  private void end() {
    page.append("</table></div>\n");
  }
}
