package io.lighthouse.kubernetes.shadow;

import io.lighthouse.picture.SvgText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** One figure of both clusters over time, each a line of steps in SVG. */
final class CoursePlot {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 200;
  private static final int LEFT = 64;
  private static final int TOP = 14;
  private static final int PLOT_WIDTH = WIDTH - LEFT - 12;
  private static final int PLOT_HEIGHT = HEIGHT - TOP - 34;
  private static final int PARTS = 4;

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
    double top = Math.max(PARTS, Math.ceil(most / PARTS) * PARTS);
    SvgText svg =
        SvgText.drawing("viewBox role aria-label", "0 0 " + WIDTH + " " + HEIGHT, "img", title);
    for (int part = 0; part <= PARTS; part++) {
      int y = TOP + PLOT_HEIGHT - PLOT_HEIGHT * part / PARTS;
      svg.empty("line class x1 x2 y1 y2", "grid", LEFT, LEFT + PLOT_WIDTH, y, y);
      svg.leaf("text class x y", Math.round(top * part / PARTS) + unit, "y", LEFT - 6, y + 4);
    }
    Instant begin = course.get(0).at();
    long whole = Math.max(1, millis(begin, course.get(course.size() - 1).at()));
    for (int part = 0; part <= PARTS; part++) {
      String anchor = part == 0 ? "first" : part == PARTS ? "last" : "x";
      int x = LEFT + PLOT_WIDTH * part / PARTS;
      svg.leaf("text class x y", words(whole * part / PARTS), anchor, x, HEIGHT - 12);
    }
    StringBuilder there = new StringBuilder();
    StringBuilder ours = new StringBuilder();
    for (Course.Sample sample : course) {
      double x = LEFT + (double) PLOT_WIDTH * millis(begin, sample.at()) / whole;
      step(there, x, value.applyAsDouble(sample.there()) / top);
      step(ours, x, value.applyAsDouble(sample.ours()) / top);
    }
    svg.empty("path class d", "there", there);
    svg.empty("path class d", "ours", ours);
    return "<div class=\"plot\" tabindex=\"0\">" + svg.close() + "</div>\n";
  }

  /** Wall clocks may jump; a moment before the first counts as the first. */
  private static long millis(Instant begin, Instant at) {
    return Math.max(0, Duration.between(begin, at).toMillis());
  }

  private static void step(StringBuilder path, double x, double share) {
    String to = String.format(Locale.ROOT, "%.1f", x);
    String y = String.format(Locale.ROOT, "%.1f", TOP + PLOT_HEIGHT * (1 - share));
    path.append(path.isEmpty() ? "M" + to + "," + y : "H" + to + "V" + y);
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
