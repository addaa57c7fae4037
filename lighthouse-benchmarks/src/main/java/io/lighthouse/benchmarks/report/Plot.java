package io.lighthouse.benchmarks.report;

import io.lighthouse.picture.SvgText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;

/** What the charts share: white paper with a title, grid lines with their labels, and curves. */
final class Plot {
  /** The text of the picture, to which a chart adds its own elements. */
  final SvgText svg;

  private final String title;

  Plot(int width, int height, String title) {
    this.title = title;
    String box = "0 0 " + width + " " + height;
    svg = SvgText.drawing("viewBox font-family font-size", box, "sans-serif", 12);
    svg.leaf("title", title);
    svg.empty("rect width height fill", width, height, "#ffffff");
  }

  /** Writes the title into the picture. */
  void heading(int x, int y) {
    svg.leaf("text x y font-size font-weight", title, x, y, 15, "bold");
  }

  /** Draws a grid line from top to bottom, with its label below. */
  void vertical(double x, int top, int bottom, String label, int labelY) {
    svg.empty("path d stroke", format("M%.1f %d V%d", x, top, bottom), "#dddddd");
    svg.leaf("text x y text-anchor", label, x, labelY, "middle");
  }

  /** Draws a grid line from left to right, with its label at the left. */
  void horizontal(double y, int left, int right, String label, int labelX) {
    svg.empty("path d stroke", format("M%d %.1f H%d", left, y, right), "#dddddd");
    svg.leaf("text x y text-anchor", label, labelX, y + 4, "end");
  }

  /** Draws points and a line through them; x and y scale them to places in the picture. */
  void curve(
      Map<? extends Number, Double> points,
      DoubleUnaryOperator x,
      DoubleUnaryOperator y,
      int radius,
      String colour,
      Optional<String> dash) {
    List<String> path = new ArrayList<>();
    points.forEach(
        (argument, value) -> {
          double atX = x.applyAsDouble(argument.doubleValue());
          double atY = y.applyAsDouble(value);
          path.add(format("%.1f %.1f", atX, atY));
          svg.empty("circle cx cy r fill", atX, atY, radius, colour);
        });
    Stream<Object> line = Stream.of("M" + String.join(" L", path), "none", colour, 2);
    Object[] values = Stream.concat(line, dash.stream()).toArray();
    svg.empty("path d fill stroke stroke-width stroke-dasharray", values);
  }

  /** The whole picture; nothing can be added afterwards. */
  String svg() {
    return svg.close().toString();
  }

  static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
