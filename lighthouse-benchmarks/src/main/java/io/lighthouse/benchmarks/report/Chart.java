package io.lighthouse.benchmarks.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

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
  private final Plot plot;

  /**
   * Takes nanoseconds by number of nodes, by label (such as "naive, bin-pack"); at least one point.
   */
  Chart(Map<String, TreeMap<Integer, Double>> series) {
    this.series = series;
    strategies = series.keySet().stream().map(Chart::strategy).distinct().toList();
    DoubleSummaryStatistics nodes = new DoubleSummaryStatistics();
    DoubleSummaryStatistics nanos = new DoubleSummaryStatistics();
    for (TreeMap<Integer, Double> points : series.values()) {
      points.keySet().forEach(nodes::accept);
      points.values().forEach(nanos::accept);
    }
    lowestX = (int) Math.floor(Math.log10(nodes.getMin()));
    highestX = Math.max(lowestX + 1, (int) Math.ceil(Math.log10(nodes.getMax())));
    lowestY = (int) Math.floor(Math.log10(nanos.getMin()));
    highestY = Math.max(lowestY + 1, (int) Math.ceil(Math.log10(nanos.getMax())));
    plot = new Plot(WIDTH, HEIGHT, message());
  }

  String svg() {
    axes();
    Map<String, Double> names = names();
    series.forEach((who, points) -> line(who, points, names.get(who)));
    return plot.svg();
  }

  private void axes() {
    int bottom = HEIGHT - BOTTOM;
    for (int power = lowestX; power <= highestX; power++) {
      long nodes = (long) Math.pow(10, power);
      plot.vertical(x(nodes), TOP, bottom, Figures.count(nodes), bottom + 18);
    }
    for (int power = lowestY; power <= highestY; power++) {
      double nanos = Math.pow(10, power);
      plot.horizontal(y(nanos), LEFT, WIDTH - RIGHT, time(nanos).replace(".0", ""), LEFT - 8);
    }
    String nodes = "nodes (ten workloads each)";
    int middle = (LEFT + WIDTH - RIGHT) / 2;
    plot.svg.leaf("text x y text-anchor", nodes, middle, HEIGHT - 16, "middle");
    plot.heading(LEFT, 22);
    String what = "time for one attempt; four resources, demand 95 %, all shapes different";
    plot.svg.leaf("text x y fill", what, LEFT, 44, "#444444");
  }

  /** What the picture shows: the times at the largest fleet, ours and others'. */
  private String message() {
    int largest = series.values().stream().mapToInt(TreeMap::lastKey).max().orElseThrow();
    List<String> times = new ArrayList<>();
    DoubleSummaryStatistics ours = at(largest, true);
    DoubleSummaryStatistics others = at(largest, false);
    if (ours.getCount() > 0) {
      String least = ours.getMin() < ours.getMax() ? time(ours.getMin()) + " to " : "";
      times.add(OURS + " " + least + time(ours.getMax()));
    }
    if (others.getCount() > 0) {
      times.add("others up to " + time(others.getMax()));
    }
    return Plot.format("At %,d nodes an attempt takes ", largest) + String.join(", ", times);
  }

  /** The times at one size, of our own lines or of the others. */
  private DoubleSummaryStatistics at(int nodes, boolean ours) {
    return series.entrySet().stream()
        .filter(line -> line.getKey().startsWith(OURS) == ours)
        .flatMap(line -> Stream.ofNullable(line.getValue().get(nodes)))
        .mapToDouble(Double::doubleValue)
        .summaryStatistics();
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
    return Plot.format(value < 9.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
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
    Optional<String> dash = Optional.of(who.startsWith("naive") ? "7 4" : "2 3");
    plot.curve(points, this::x, this::y, 3, colour, dash.filter(others -> !who.startsWith(OURS)));
    double endX = x(points.lastKey());
    double endY = y(points.lastEntry().getValue());
    int nameX = WIDTH - RIGHT + 26;
    String leader = Plot.format("M%.1f %.1f L%d %.1f", endX + 5, endY, nameX - 4, nameY);
    plot.svg.empty("path d stroke stroke-width", leader, colour, "0.7");
    plot.svg.leaf("text x y fill", who, nameX, nameY + 4, colour);
  }

  private static String strategy(String who) {
    return who.substring(who.lastIndexOf(' ') + 1);
  }

  private double x(double nodes) {
    return LEFT + (Math.log10(nodes) - lowestX) / (highestX - lowestX) * (WIDTH - RIGHT - LEFT);
  }

  private double y(double nanos) {
    return HEIGHT
        - BOTTOM
        - (Math.log10(nanos) - lowestY) / (highestY - lowestY) * (HEIGHT - BOTTOM - TOP);
  }
}
