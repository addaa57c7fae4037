package io.lighthouse.kubernetes.shadow;

import io.lighthouse.picture.StepChart;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** One figure of both clusters over time, each a line of steps in SVG. */
final class CoursePlot {
  private static final int HEIGHT = 152;

  private CoursePlot() {}

  /**
   * The element.
   *
   * @param title what it shows
   * @param unit stands behind the values
   */
  static String svg(
      String title, String unit, List<Course.Sample> course, ToDoubleFunction<Figures> value) {
    double most = 0;
    for (Course.Sample sample : course) {
      double higher =
          Math.max(value.applyAsDouble(sample.there()), value.applyAsDouble(sample.ours()));
      most = Math.max(most, higher);
    }
    // A multiple of the parts of the axis: its figures are whole.
    double top = Math.max(StepChart.PARTS, Math.ceil(most / StepChart.PARTS) * StepChart.PARTS);
    Instant begin = course.get(0).at();
    long whole = Math.max(1, millis(begin, course.get(course.size() - 1).at()));
    StepChart chart =
        new StepChart(
            title,
            HEIGHT,
            part -> Math.round(top * part / StepChart.PARTS) + unit,
            part -> words(whole * part / StepChart.PARTS));
    Map<String, Function<Course.Sample, Figures>> lines = new LinkedHashMap<>();
    lines.put("there", Course.Sample::there);
    lines.put("ours", Course.Sample::ours);
    lines.forEach(
        (kind, of) -> {
          for (Course.Sample sample : course) {
            double x = (double) StepChart.PLOT_WIDTH * millis(begin, sample.at()) / whole;
            double share = value.applyAsDouble(of.apply(sample)) / top;
            chart.step(digits(StepChart.LEFT + x), digits(StepChart.TOP + HEIGHT * (1 - share)));
          }
          chart.line(kind, "");
        });
    return chart.html();
  }

  /** Wall clocks may jump; a moment before the first counts as the first. */
  private static long millis(Instant begin, Instant at) {
    return Math.max(0, Duration.between(begin, at).toMillis());
  }

  private static String digits(double place) {
    return String.format(Locale.ROOT, "%.1f", place);
  }

  private static String words(long millis) {
    long seconds = millis / 1_000;
    if (seconds < 600) {
      return seconds + " s";
    }
    long minutes = seconds / 60;
    return minutes < 600 ? minutes + " min" : minutes / 60 + " h";
  }
}
