package io.lighthouse.benchmarks.report;

import io.lighthouse.benchmarks.quality.Contender;
import io.lighthouse.benchmarks.quality.InstanceSet;
import io.lighthouse.benchmarks.run.Measurement;
import io.lighthouse.benchmarks.run.QualityRun;
import io.lighthouse.benchmarks.run.QualitySuite;
import io.lighthouse.benchmarks.run.Results;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Draws how many nodes are used against the time that it took, a panel for each kind of instances,
 * as a picture in SVG. Only answers that place all are drawn. Contenders that search have a line
 * over their budgets, the others a point.
 */
final class QualityChart {
  private static final int WIDTH = 900;
  private static final int PANEL_WIDTH = 350;
  private static final int PANEL_HEIGHT = 220;
  private static final int LEFT = 64;
  private static final int TOP = 96;
  private static final int GAP_X = 90;
  private static final int GAP_Y = 84;
  private static final int LEGEND = 36;

  /** From a tenth of a millisecond to a hundred seconds. */
  private static final int LOWEST_X = -4;

  private static final int HIGHEST_X = 2;
  private static final int TICKS = 4;

  /** Told apart by people who see colours otherwise, too. */
  private static final Map<Contender, String> COLOURS = new EnumMap<>(Contender.class);

  private static final Map<String, List<InstanceSet>> PANELS = new LinkedHashMap<>();

  static {
    COLOURS.put(Contender.PACK, "#0072b2");
    COLOURS.put(Contender.TIMEFOLD, "#d55e00");
    COLOURS.put(Contender.BTRPLACE, "#009e73");
    COLOURS.put(Contender.PRIORITIZED, "#000000");
    COLOURS.put(Contender.BIN_PACK, "#cc79a7");
    COLOURS.put(Contender.SPREAD, "#e69f00");
    COLOURS.put(Contender.BALANCE, "#56b4e9");
    PANELS.put("Vector packing, above the optimum", List.of(InstanceSet.VECTOR_PACKING));
    PANELS.put("Servers C1 to C3, above the proven bound", QualitySuite.SERVERS);
    PANELS.put("Four shapes, 80 %, above the bound", List.of(InstanceSet.FLEETS_80));
    PANELS.put("Four shapes, 95 %, above the bound", List.of(InstanceSet.FLEETS_95));
  }

  /** Mean gaps in percent by seconds of processor time, by panel and contender. */
  private final Map<String, Map<Contender, TreeMap<Double, Double>>> panels = new LinkedHashMap<>();

  QualityChart(Results results) {
    PANELS.forEach((title, sets) -> panels.put(title, curves(results, sets)));
    panels.values().removeIf(Map::isEmpty);
  }

  boolean isEmpty() {
    return panels.isEmpty();
  }

  private static Map<Contender, TreeMap<Double, Double>> curves(
      Results results, List<InstanceSet> sets) {
    Map<Contender, TreeMap<Double, Double>> curves = new EnumMap<>(Contender.class);
    for (Contender who : COLOURS.keySet()) {
      List<String> budgets = who.isSearching() ? QualitySuite.BUDGETS : List.of("");
      for (String seconds : budgets) {
        List<Measurement> found =
            results.of(QualityRun.PLACE).stream()
                .filter(one -> sets.stream().anyMatch(set -> isOf(one, set, who, seconds)))
                .filter(one -> isSampled(one) == isSearch(one, who))
                .toList();
        if (found.stream().filter(QualityTables::isComplete).count() == sets.size()) {
          double time = found.stream().mapToDouble(Measurement::median).average().orElseThrow();
          double gap = found.stream().mapToDouble(one -> one.value("gap")).average().orElseThrow();
          curves.computeIfAbsent(who, none -> new TreeMap<>()).put(time / 1e9, gap);
        }
      }
    }
    return curves;
  }

  /** Whether a measurement is of a contender on a set of instances. */
  private static boolean isOf(Measurement one, InstanceSet set, Contender who, String seconds) {
    return one.of().param("set").equals(set.name())
        && one.of().param("who").equals(who.name())
        && one.of().param("seconds").equals(seconds);
  }

  /** Whether a measurement is of vector packing by a search: only the sample is shown of those. */
  private static boolean isSearch(Measurement one, Contender who) {
    return who.isSearching() && one.of().param("set").equals(InstanceSet.VECTOR_PACKING.name());
  }

  private static boolean isSampled(Measurement one) {
    return one.of().number("every") > 1;
  }

  String svg() {
    int rows = (panels.size() + 1) / 2;
    int height = TOP + rows * (PANEL_HEIGHT + GAP_Y);
    String title = "Nodes used beyond what is known to be needed, against processor time";
    Plot plot = new Plot(WIDTH, height, title);
    plot.heading(LEFT, 24);
    legend(plot);
    int number = 0;
    for (Map.Entry<String, Map<Contender, TreeMap<Double, Double>>> panel : panels.entrySet()) {
      int x = LEFT + number % 2 * (PANEL_WIDTH + GAP_X);
      int y = TOP + number / 2 * (PANEL_HEIGHT + GAP_Y);
      panel(plot, panel.getKey(), panel.getValue(), x, y);
      number++;
    }
    return plot.svg();
  }

  private static void legend(Plot plot) {
    int x = LEFT;
    for (Map.Entry<Contender, String> entry : COLOURS.entrySet()) {
      String colour = entry.getValue();
      String label = entry.getKey().label();
      plot.svg.empty("circle cx cy r fill", x, LEGEND + 12, 4, colour);
      plot.svg.leaf("text x y fill", label, x + 8, LEGEND + 16, colour);
      x += 30 + 7 * label.length();
    }
  }

  private static void panel(
      Plot plot, String title, Map<Contender, TreeMap<Double, Double>> curves, int x, int y) {
    double most =
        curves.values().stream().flatMap(curve -> curve.values().stream()).reduce(0.0, Math::max);
    double top = nice(most);
    int bottom = y + PANEL_HEIGHT;
    plot.svg.leaf("text x y font-weight", title, x, y - 10, "bold");
    for (int tick = 0; tick <= TICKS; tick++) {
      double at = bottom - (double) PANEL_HEIGHT * tick / TICKS;
      plot.horizontal(at, x, x + PANEL_WIDTH, plain(top * tick / TICKS) + " %", x - 6);
    }
    for (int power = LOWEST_X; power <= HIGHEST_X; power++) {
      String time = Chart.time(Math.pow(10, power + 9.0));
      plot.vertical(x(Math.pow(10, power), x), y, bottom, time, bottom + 16);
    }
    curves.forEach(
        (who, curve) ->
            plot.curve(
                curve,
                seconds -> x(seconds, x),
                gap -> y + PANEL_HEIGHT * (1 - gap / top),
                4,
                COLOURS.get(who),
                Optional.empty()));
  }

  private static double x(double seconds, int left) {
    double at = Math.max(LOWEST_X, Math.min(HIGHEST_X, Math.log10(seconds)));
    return left + (at - LOWEST_X) / (HIGHEST_X - LOWEST_X) * PANEL_WIDTH;
  }

  /** The next of 1, 2, 4, 8, times a power of ten. */
  private static double nice(double most) {
    double power = Math.pow(10, Math.floor(Math.log10(Math.max(most, 0.1))));
    for (int times : new int[] {1, 2, 4, 8}) {
      if (most <= times * power) {
        return times * power;
      }
    }
    return 10 * power;
  }

  private static String plain(double value) {
    return value == Math.rint(value)
        ? String.valueOf(Math.round(value))
        : Plot.format("%.1f", value);
  }
}
