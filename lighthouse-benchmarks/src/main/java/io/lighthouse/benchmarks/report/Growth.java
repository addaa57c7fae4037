package io.lighthouse.benchmarks.report;

import static io.lighthouse.benchmarks.report.Figures.count;
import static io.lighthouse.benchmarks.report.Figures.nanos;

import io.lighthouse.benchmarks.measure.ComparedBenchmark.Who;
import io.lighthouse.benchmarks.placer.Contestant;
import io.lighthouse.benchmarks.problem.ProblemSpec;
import io.lighthouse.benchmarks.run.Measurement;
import io.lighthouse.benchmarks.run.Results;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the cost of one attempt grows with the fleet: four resources, tight, all shapes different.
 * The slope is that of the logarithms, 1 where the cost grows as the fleet does.
 */
final class Growth {
  /** Nanoseconds for an attempt by number of nodes, ascending, by placer and strategy. */
  private final Map<String, TreeMap<Integer, Double>> series = new LinkedHashMap<>();

  Growth(Results results) {
    for (Measurement batch : results.of("BatchBenchmark")) {
      add("Lighthouse, ", batch, batch.nanosPerAttempt());
    }
    for (Measurement other : results.of("ComparedBenchmark")) {
      boolean naive = other.of().param("who").equals(Who.NAIVE.name());
      add(naive ? "naive, " : "plain scan, ", other, other.value("nanosPerAttempt"));
    }
  }

  private void add(String who, Measurement measurement, double nanos) {
    ProblemSpec spec = Tables.spec(measurement.of());
    if (spec.equals(ProblemSpec.plain(spec.nodes()))) {
      Contestant strategy = Contestant.valueOf(measurement.of().param("strategy"));
      series.computeIfAbsent(who + strategy, key -> new TreeMap<>()).put(spec.nodes(), nanos);
    }
  }

  /** Nanoseconds for an attempt by number of nodes, by placer and strategy. */
  Map<String, TreeMap<Integer, Double>> series() {
    return series;
  }

  /** One row for each step from a size to the next. */
  String table() {
    Table table = new Table(1, "who", "from nodes", "to nodes", "from", "to", "slope");
    series.forEach(
        (who, costs) -> {
          List<Map.Entry<Integer, Double>> points = new ArrayList<>(costs.entrySet());
          for (int i = 1; i < points.size(); i++) {
            row(table, who, points.get(i - 1), points.get(i));
          }
          if (points.size() > 2) {
            row(table, who, points.get(0), points.get(points.size() - 1));
          }
        });
    return table.toString();
  }

  private static void row(
      Table table, String who, Map.Entry<Integer, Double> from, Map.Entry<Integer, Double> to) {
    table.row(
        who,
        count(from.getKey()),
        count(to.getKey()),
        nanos(from.getValue()),
        nanos(to.getValue()),
        String.format(
            Locale.ROOT,
            "%.2f",
            slope(from.getKey(), from.getValue(), to.getKey(), to.getValue())));
  }

  /** The slope of a straight line through two points on logarithmic axes. */
  static double slope(double x1, double y1, double x2, double y2) {
    return Math.log(y2 / y1) / Math.log(x2 / x1);
  }
}
