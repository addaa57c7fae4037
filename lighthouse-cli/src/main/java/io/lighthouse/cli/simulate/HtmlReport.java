package io.lighthouse.cli.simulate;

import static io.lighthouse.picture.SvgText.escaped;

import io.lighthouse.api.Resources;
import io.lighthouse.api.error.Plural;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.picture.FleetText;
import io.lighthouse.scheduler.simulation.SimulationResult;
import io.lighthouse.scheduler.simulation.SimulationResult.Usage;
import io.lighthouse.scheduler.simulation.SimulationResult.Waiting;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A report of a simulation as one page of HTML that needs nothing else. */
public final class HtmlReport {
  private static final int MOST_NAMES = 1000;
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  private static final String STYLE =
      """
      :root{color-scheme:light dark;--ink:#1c2430;--soft:#555d68;--rule:#d5d9de;--paper:#fff;
      --used:#1f5f9e;--there:#b35a00}
      @media (prefers-color-scheme:dark){:root{--ink:#e6e9ee;--soft:#aab2bd;--rule:#3a424d;
      --paper:#14181e;--used:#7db8f0;--there:#f0a45a}}
      body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;
      color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
      h1{font-size:clamp(1.3em,5vw,2em)}
      .scroll,.plot{overflow-x:auto}
      table{border-collapse:collapse;font-variant-numeric:tabular-nums}
      td,th{padding:.2em .8em;text-align:right;border-bottom:1px solid var(--rule);
      white-space:nowrap}
      dl{display:grid;grid-template-columns:max-content 1fr;gap:.1em 1.2em}
      dt{color:var(--soft)}dd{margin:0}
      svg{width:100%;min-width:44em;height:auto;display:block}
      .grid{stroke:var(--rule)}
      .used,.there{fill:none;stroke:var(--used);stroke-width:1.5}
      .there{stroke:var(--there);stroke-dasharray:6 3}
      svg text{font-size:12px;fill:var(--soft)}
      .x{text-anchor:middle}.y,.last{text-anchor:end}
      .key i{display:inline-block;width:2em;border-top:2px solid var(--used);
      margin:0 .4em .25em 0}
      .key i.dashed{border-top:2px dashed var(--there);margin-left:1.2em}
      """;

  private HtmlReport() {}

  /**
   * The page.
   *
   * @param title the name of the trace
   * @param simulated what was simulated, and how
   * @param result what came of it
   * @return the page; equal results give equal pages
   */
  public static String of(String title, Simulated simulated, SimulationResult result) {
    StringBuilder page = new StringBuilder();
    page.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<title>" + escaped(title) + ": simulation</title>\n<style>\n" + STYLE)
        .append("</style>\n</head>\n<body>\n<main>\n<h1>" + escaped(title) + "</h1>\n<p>")
        .append(Plural.of(result.passes(), "pass") + " in ")
        .append(seconds(result.end()) + " s of virtual time: ")
        .append(
            Plural.of(result.endings().completed(), "execution")
                + " completed, "
                + result.endings().failed()
                + " failed, ")
        .append(result.endings().cancelled() + " cancelled, ")
        .append(result.never().executions().size() + " never placed.</p>\n<dl>\n");
    simulated
        .settings()
        .forEach(
            (name, words) -> page.append("<dt>" + name + "</dt><dd>" + escaped(words) + "</dd>\n"));
    page.append("</dl>\n");
    waiting(page, result);
    nodes(page, result);
    utilisation(result)
        .forEach(
            (resource, mean) ->
                page.append("<h2>Utilisation of " + escaped(resource) + "</h2>\n<p>" + mean)
                    .append("&nbsp;% on average</p>\n")
                    .append(plot(result, resource)));
    names(page, "Never placed", result.never().executions());
    names(page, "System tasks that were never done", result.never().systemTasks());
    failures(page, result);
    return page.append("</main>\n</body>\n</html>\n").toString();
  }

  /**
   * How much of each resource was used.
   *
   * @param result what came of a simulation
   * @return the mean over its time, in percent of what there was, with one digit after the point,
   *     rounded; by resource in the order of names
   */
  public static Map<String, BigDecimal> utilisation(SimulationResult result) {
    Map<String, BigDecimal> percents = new LinkedHashMap<>();
    result
        .usage()
        .sums()
        .forEach((name, use) -> percents.put(name, percent(use.used(), use.total(), 1)));
    return percents;
  }

  private static void nodes(StringBuilder page, SimulationResult result) {
    int most = result.usage().course().stream().mapToInt(one -> one.nodes().all()).max().orElse(0);
    // A multiple of the parts of the axis: its figures are whole.
    int top = Math.max(4, (most + 3) / 4 * 4);
    page.append("<h2>Nodes</h2>\n<p class=\"key\"><i></i>with a task on them")
        .append("<i class=\"dashed\"></i>connected, at most " + most + "</p>\n")
        .append(
            new StepPlot("Nodes over time", result, BigDecimal.valueOf(top), "")
                .line("there", usage -> BigDecimal.valueOf(usage.nodes().all()))
                .line("used", usage -> BigDecimal.valueOf(usage.nodes().busy()))
                .html());
  }

  private static String plot(SimulationResult result, String resource) {
    return new StepPlot("Utilisation of " + resource + " over time", result, HUNDRED, " %")
        .line("used", usage -> percent(usage, resource))
        .html();
  }

  private static BigDecimal percent(Usage usage, String resource) {
    return percent(amount(usage.used(), resource), amount(usage.total(), resource), 3);
  }

  /** A share in percent; 0 of nothing. */
  private static BigDecimal percent(BigDecimal part, BigDecimal whole, int digits) {
    return whole.signum() == 0
        ? BigDecimal.ZERO.setScale(digits)
        : FleetText.percent(part, whole, digits);
  }

  private static BigDecimal amount(Resources resources, String name) {
    return resources.get(name).orElse(Quantity.ZERO).toBigDecimal();
  }

  private static void waiting(StringBuilder page, SimulationResult result) {
    page.append(
            "<h2>Waiting times by priority</h2>\n<div class=\"scroll\" tabindex=\"0\"><table>\n")
        .append("<tr><th>priority</th><th>placed</th>")
        .append("<th>mean</th><th>median</th><th>95&nbsp;%</th><th>longest</th></tr>\n");
    int digits =
        result.waiting().values().stream()
            .flatMap(HtmlReport::times)
            .mapToInt(time -> Math.max(0, milliseconds(time).stripTrailingZeros().scale()))
            .max()
            .orElse(0);
    result
        .waiting()
        .forEach(
            (priority, waiting) -> {
              page.append("<tr><td>" + priority + "</td><td>" + waiting.placed() + "</td>");
              times(waiting)
                  .forEach(
                      time ->
                          page.append(
                              "<td>"
                                  + milliseconds(time).setScale(digits, RoundingMode.UNNECESSARY)
                                  + "&nbsp;s</td>"));
              page.append("</tr>\n");
            });
    page.append("</table></div>\n");
  }

  private static Stream<Duration> times(Waiting waiting) {
    return Stream.of(waiting.mean(), waiting.median(), waiting.p95(), waiting.longest());
  }

  /** In seconds, with three digits after the point. */
  private static BigDecimal milliseconds(Duration time) {
    return BigDecimal.valueOf(time.toMillis(), 3);
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
                  page.append(
                      "<li>" + Plural.of(times, "time") + ": " + escaped(message) + "</li>\n"));
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
}
