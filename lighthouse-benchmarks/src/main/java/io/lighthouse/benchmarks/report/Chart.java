package io.lighthouse.benchmarks.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Draws cost against fleet size, both axes logarithmic, as a picture in SVG. */
final class Chart {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 520;
  private static final int LEFT = 80;
  private static final int RIGHT = 220;
  private static final int TOP = 40;
  private static final int BOTTOM = 60;

  /** A colour for each strategy, told apart by people who see colours otherwise, too. */
  private static final List<String> COLOURS =
      List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000");

  private final Map<String, TreeMap<Integer, Double>> series;
  private final int lowestX;
  private final int highestX;
  private final int lowestY;
  private final int highestY;
  private final List<String> strategies;
  private final StringBuilder svg = new StringBuilder();

  /**
   * A chart.
   *
   * @param series nanoseconds by nodes, by who (such as "naive, bin-pack"); at least one point
   */
  Chart(Map<String, TreeMap<Integer, Double>> series) {
    this.series = series;
    strategies = series.keySet().stream().map(Chart::strategy).distinct().toList();
    double fewest = Double.MAX_VALUE;
    double most = 0;
    double least = Double.MAX_VALUE;
    double greatest = 0;
    for (TreeMap<Integer, Double> points : series.values()) {
      for (Map.Entry<Integer, Double> point : points.entrySet()) {
        fewest = Math.min(fewest, point.getKey());
        most = Math.max(most, point.getKey());
        least = Math.min(least, point.getValue());
        greatest = Math.max(greatest, point.getValue());
      }
    }
    if (most == 0) {
      throw new IllegalArgumentException("nothing to draw");
    }
    lowestX = (int) Math.floor(Math.log10(fewest));
    highestX = Math.max(lowestX + 1, (int) Math.ceil(Math.log10(most)));
    lowestY = (int) Math.floor(Math.log10(least));
    highestY = Math.max(lowestY + 1, (int) Math.ceil(Math.log10(greatest)));
  }

  String svg() {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
            + " font-size=\"12\">",
        WIDTH, HEIGHT);
    add("<title>Cost of one placement attempt against the size of the fleet</title>");
    add("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, HEIGHT);
    axes();
    int number = 0;
    for (Map.Entry<String, TreeMap<Integer, Double>> line : series.entrySet()) {
      line(line.getKey(), line.getValue(), number++);
    }
    add("</svg>");
    return svg.toString();
  }

  private void axes() {
    for (int power = lowestX; power <= highestX; power++) {
      double x = x(Math.pow(10, power));
      add(
          "<path d=\"M%.1f %d V%d\" stroke=\"#dddddd\"/>"
              + "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%,d</text>",
          x, TOP, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 18, (long) Math.pow(10, power));
    }
    for (int power = lowestY; power <= highestY; power++) {
      double y = y(Math.pow(10, power));
      add(
          "<path d=\"M%d %.1f H%d\" stroke=\"#dddddd\"/>"
              + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
          LEFT, y, WIDTH - RIGHT, LEFT - 8, y + 4, decade(power));
    }
    add(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">nodes (ten workloads each)</text>",
        (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16);
    add(
        "<text x=\"%d\" y=\"%d\">time for one attempt; four resources, demand 95 %%, all shapes"
            + " different</text>",
        LEFT, TOP - 16);
  }

  private void line(String who, TreeMap<Integer, Double> points, int number) {
    String colour = COLOURS.get(strategies.indexOf(strategy(who)) % COLOURS.size());
    // Ours are drawn through, the others dashed or dotted.
    String dash =
        who.startsWith("Lighthouse")
            ? ""
            : " stroke-dasharray=\"" + (who.startsWith("naive") ? "7 4" : "2 3") + "\"";
    StringBuilder path = new StringBuilder();
    for (Map.Entry<Integer, Double> point : points.entrySet()) {
      path.append(path.isEmpty() ? "M" : " L")
          .append(String.format(Locale.ROOT, "%.1f %.1f", x(point.getKey()), y(point.getValue())));
      add(
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>",
          x(point.getKey()), y(point.getValue()), colour);
    }
    add("<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>", path, colour, dash);
    double legendY = TOP + 10 + 20.0 * number;
    add(
        "<path d=\"M%d %.1f h24\" stroke=\"%s\" stroke-width=\"2\"%s/>"
            + "<text x=\"%d\" y=\"%.1f\">%s</text>",
        WIDTH - RIGHT + 14, legendY, colour, dash, WIDTH - RIGHT + 44, legendY + 4, who);
  }

  private static String strategy(String who) {
    return who.substring(who.lastIndexOf(' ') + 1);
  }

  private static String decade(int power) {
    return switch (Math.floorDiv(power, 3)) {
      case 0 -> (int) Math.pow(10, power) + " ns";
      case 1 -> (int) Math.pow(10, power - 3) + " us";
      case 2 -> (int) Math.pow(10, power - 6) + " ms";
      default -> "1e" + power + " ns";
    };
  }

  private double x(double nodes) {
    return LEFT + (Math.log10(nodes) - lowestX) / (highestX - lowestX) * (WIDTH - RIGHT - LEFT);
  }

  private double y(double nanos) {
    return HEIGHT
        - BOTTOM
        - (Math.log10(nanos) - lowestY) / (highestY - lowestY) * (HEIGHT - BOTTOM - TOP);
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
