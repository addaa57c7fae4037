package io.lighthouse.cli.simulate;

import io.lighthouse.scheduler.simulation.SimulationResult;
import io.lighthouse.scheduler.simulation.SimulationResult.Waiting;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A report of a simulation as one page of HTML that needs nothing else. */
public final class HtmlReport {
  private static final int MOST_NAMES = 1000;

  private HtmlReport() {}

  /**
   * The page.
   *
   * @param title the name of the trace
   * @param result what came of it
   * @return the page; equal results give equal pages
   */
  public static String of(String title, SimulationResult result) {
    StringBuilder page = new StringBuilder();
    page.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<title>" + escaped(title) + ": simulation</title>\n<style>\n")
        .append("body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}\n")
        .append("table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:right;")
        .append("border-bottom:1px solid #ccc}\nsvg{width:100%;height:auto}\n")
        .append(".grid{stroke:#ddd}.used{fill:none;stroke:#2563a8;stroke-width:1.5}\n")
        .append("svg text{font-size:11px;fill:#555}.x{text-anchor:middle}.y{text-anchor:end}\n")
        .append("</style>\n</head>\n<body>\n<h1>" + escaped(title) + "</h1>\n<p>")
        .append(result.passes() + " passes in " + seconds(result.end()) + " s of virtual time: ")
        .append(
            result.endings().completed()
                + " executions completed, "
                + result.endings().failed()
                + " failed, ")
        .append(result.endings().cancelled() + " cancelled, ")
        .append(result.never().executions().size() + " never placed.</p>\n");
    waiting(page, result);
    utilisation(result)
        .forEach(
            (resource, mean) ->
                page.append("<h2>Utilisation of " + escaped(resource) + "</h2>\n<p>" + mean)
                    .append(" % on average</p>\n")
                    .append(UsagePlot.svg(result, resource)));
    names(page, "Never placed", result.never().executions());
    names(page, "System tasks that were never done", result.never().systemTasks());
    failures(page, result);
    return page.append("</body>\n</html>\n").toString();
  }

  /**
   * How much of each resource was used.
   *
   * @param result what came of a simulation
   * @return the mean over its time, in percent of what there was, by resource in the order of names
   */
  public static Map<String, BigDecimal> utilisation(SimulationResult result) {
    Map<String, BigDecimal> percents = new LinkedHashMap<>();
    result.usage().sums().forEach((name, use) -> percents.put(name, UsagePlot.meanPercent(use)));
    return percents;
  }

  private static void waiting(StringBuilder page, SimulationResult result) {
    page.append("<h2>Waiting times by priority</h2>\n<table>\n<tr><th>priority</th><th>placed</th>")
        .append("<th>mean</th><th>median</th><th>95 %</th><th>longest</th></tr>\n");
    result
        .waiting()
        .forEach(
            (priority, waiting) ->
                page.append("<tr><td>" + priority + "</td><td>" + waiting.placed() + "</td>")
                    .append(cells(waiting) + "</tr>\n"));
    page.append("</table>\n");
  }

  private static String cells(Waiting waiting) {
    return "<td>"
        + seconds(waiting.mean())
        + " s</td><td>"
        + seconds(waiting.median())
        + " s</td><td>"
        + seconds(waiting.p95())
        + " s</td><td>"
        + seconds(waiting.longest())
        + " s</td>";
  }

  private static void names(StringBuilder page, String heading, List<String> names) {
    if (names.isEmpty()) {
      return;
    }
    page.append("<h2>" + heading + "</h2>\n<p>");
    names.stream().limit(MOST_NAMES).forEach(id -> page.append(escaped(id)).append(' '));
    int more = names.size() - MOST_NAMES;
    page.append(more > 0 ? "... and " + more + " more" : "").append("</p>\n");
  }

  private static void failures(StringBuilder page, SimulationResult result) {
    if (!result.failures().isEmpty()) {
      page.append("<h2>Failures in passes</h2>\n<ul>\n");
      result
          .failures()
          .forEach(
              (message, times) ->
                  page.append("<li>" + times + " times: " + escaped(message) + "</li>\n"));
      page.append("</ul>\n");
    }
  }

  /**
   * A time for people.
   *
   * @param time the time
   * @return its seconds, with at most three digits after the point
   */
  public static String seconds(Duration time) {
    return DecisionLines.seconds(Duration.ofMillis(time.toMillis())).toString();
  }

  /** The text as it stands, whatever it holds. */
  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
