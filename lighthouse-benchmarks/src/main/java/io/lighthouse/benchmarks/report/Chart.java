package io.lighthouse.benchmarks.report;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Draws cost against fleet size, both axes logarithmic, as a picture in SVG. Its title is what it
 * shows, and every line bears its name.
 */
final class Chart {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 520;
  private static final int LEFT = 80;
  private static final int RIGHT = 230;
  private static final int TOP = 64;

  /** Least distance between the names of two lines. */
  private static final double LINE = 15;

  private static final int BOTTOM = 60;

  /** How the names of our own lines begin. */
  private static final String OURS = "Lighthouse";

  /** A colour for each strategy, told apart by people who see colours otherwise, too. */
  private static final List<String> COLOURS =
      List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#56b4e9", "#e69f00");

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
   * @param series nanoseconds by number of nodes, by label (such as "naive, bin-pack"); at least
   *     one point
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
    add("<title>%s</title>", message());
    add("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, HEIGHT);
    axes();
    Map<String, Double> names = names();
    series.forEach((who, points) -> line(who, points, names.get(who)));
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
    add("<text x=\"%d\" y=\"22\" font-size=\"15\" font-weight=\"bold\">%s</text>", LEFT, message());
    add(
        "<text x=\"%d\" y=\"44\" fill=\"#444444\">time for one attempt; four resources, demand 95"
            + " %%, all shapes different</text>",
        LEFT);
  }

  /** What the picture shows: the times at the largest fleet, ours and others'. */
  private String message() {
    int largest = series.values().stream().mapToInt(TreeMap::lastKey).max().orElseThrow();
    double least = Double.MAX_VALUE;
    double most = 0;
    double others = 0;
    for (Map.Entry<String, TreeMap<Integer, Double>> line : series.entrySet()) {
      double nanos = line.getValue().getOrDefault(largest, 0.0);
      if (line.getKey().startsWith(OURS) && nanos > 0) {
        least = Math.min(least, nanos);
        most = Math.max(most, nanos);
      } else if (!line.getKey().startsWith(OURS)) {
        others = Math.max(others, nanos);
      }
    }
    String range = least < most ? time(least) + " to " + time(most) : time(most);
    return String.format(Locale.ROOT, "At %,d nodes an attempt takes ", largest)
        + (most > 0 ? OURS + " " + range : "")
        + (most > 0 && others > 0 ? ", " : "")
        + (others > 0 ? "others up to " + time(others) : "");
  }

  /** A time with two digits. */
  static String time(double nanos) {
    String[] units = {"ns", "\u00b5s", "ms", "s"};
    int unit = 0;
    double value = nanos;
    while (value >= 999.5 && unit < units.length - 1) {
      value /= 1000;
      unit++;
    }
    return String.format(Locale.ROOT, value < 9.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
  }

  /** Where the name of each line stands: at its end, moved down where another is in the way. */
  private Map<String, Double> names() {
    List<String> byHeight =
        series.keySet().stream()
            .sorted(Comparator.comparingDouble(who -> y(series.get(who).lastEntry().getValue())))
            .toList();
    Map<String, Double> names = new TreeMap<>();
    double last = Double.NEGATIVE_INFINITY;
    for (String who : byHeight) {
      last = Math.max(last + LINE, y(series.get(who).lastEntry().getValue()));
      names.put(who, last);
    }
    return names;
  }

  private void line(String who, TreeMap<Integer, Double> points, double nameY) {
    String colour = COLOURS.get(strategies.indexOf(strategy(who)) % COLOURS.size());
    // Ours are drawn through, the others dashed or dotted.
    String dash =
        who.startsWith(OURS)
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
    double endX = x(points.lastKey());
    double endY = y(points.lastEntry().getValue());
    int nameX = WIDTH - RIGHT + 26;
    add(
        "<path d=\"M%.1f %.1f L%d %.1f\" stroke=\"%s\" stroke-width=\"0.7\"/>"
            + "<text x=\"%d\" y=\"%.1f\" fill=\"%s\">%s</text>",
        endX + 5, endY, nameX - 4, nameY, colour, nameX, nameY + 4, colour, who);
  }

  private static String strategy(String who) {
    return who.substring(who.lastIndexOf(' ') + 1);
  }

  private static String decade(int power) {
    return switch (Math.floorDiv(power, 3)) {
      case 0 -> (int) Math.pow(10, power) + " ns";
      case 1 -> (int) Math.pow(10, power - 3) + " \u00b5s";
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
