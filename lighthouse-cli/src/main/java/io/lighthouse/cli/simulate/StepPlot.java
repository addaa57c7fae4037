package io.lighthouse.cli.simulate;

import io.lighthouse.scheduler.simulation.SimulationResult;
import io.lighthouse.scheduler.simulation.SimulationResult.Usage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.function.Function;

/** Values over the time of a simulation, each a line of steps in SVG. */
final class StepPlot {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 220;
  private static final int LEFT = 64;
  private static final int TOP = 14;
  private static final int PLOT_WIDTH = WIDTH - LEFT - 12;
  private static final int PLOT_HEIGHT = HEIGHT - TOP - 34;
  private static final int PARTS = 4;

  private final StringBuilder svg = new StringBuilder();
  private final SimulationResult result;

  /** What stands at the top of the plot; more than 0. */
  private final BigDecimal top;

  /**
   * A plot without lines.
   *
   * @param title what it shows
   * @param top the value at its top
   * @param unit what stands behind the values
   */
  StepPlot(String title, SimulationResult result, BigDecimal top, String unit) {
    this.result = result;
    this.top = top;
    svg.append(
            "<div class=\"plot\" tabindex=\"0\"><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
        .append(WIDTH + " " + HEIGHT)
        .append("\" role=\"img\" aria-label=\"" + HtmlReport.escaped(title) + "\">\n");
    for (int part = 0; part <= PARTS; part++) {
      BigDecimal value =
          top.multiply(BigDecimal.valueOf(part))
              .divide(BigDecimal.valueOf(PARTS), 2, RoundingMode.HALF_UP);
      String label = value.stripTrailingZeros().toPlainString() + unit;
      int y = TOP + PLOT_HEIGHT - PLOT_HEIGHT * part / PARTS;
      svg.append("<line class=\"grid\" x1=\"" + LEFT + "\" x2=\"" + (LEFT + PLOT_WIDTH))
          .append("\" y1=\"" + y + "\" y2=\"" + y + "\"/>")
          .append("<text class=\"y\" x=\"" + (LEFT - 6) + "\" y=\"" + (y + 4) + "\">")
          .append(label + "</text>\n");
    }
    for (int part = 0; part <= PARTS; part++) {
      int x = LEFT + PLOT_WIDTH * part / PARTS;
      String time = HtmlReport.seconds(result.end().multipliedBy(part).dividedBy(PARTS));
      String anchor = part == 0 ? "first" : part == PARTS ? "last" : "x";
      svg.append("<text class=\"" + anchor + "\" x=\"" + x + "\" y=\"" + (HEIGHT - 12) + "\">")
          .append(time + " s</text>\n");
    }
  }

  /** Draws a line; the kind is its class of style. */
  StepPlot line(String kind, Function<Usage, BigDecimal> value) {
    StringBuilder path = new StringBuilder();
    for (Usage usage : result.usage().course()) {
      String x = x(usage.at());
      BigDecimal y =
          BigDecimal.valueOf(TOP + PLOT_HEIGHT)
              .subtract(
                  value
                      .apply(usage)
                      .multiply(BigDecimal.valueOf(PLOT_HEIGHT))
                      .divide(top, 1, RoundingMode.HALF_UP));
      path.append(path.isEmpty() ? "M" + x + "," + y : "H" + x + "V" + y);
    }
    if (!path.isEmpty()) {
      path.append("H" + x(result.end()));
    }
    svg.append("<path class=\"" + kind + "\" d=\"" + path + "\"/>\n");
    return this;
  }

  /** The element. */
  String svg() {
    return svg + "</svg></div>\n";
  }

  private String x(Duration at) {
    BigDecimal whole = DecisionLines.seconds(result.end()).toBigDecimal();
    if (whole.signum() == 0) {
      return Integer.toString(LEFT);
    }
    return DecisionLines.seconds(at)
        .toBigDecimal()
        .multiply(BigDecimal.valueOf(PLOT_WIDTH))
        .divide(whole, 1, RoundingMode.HALF_UP)
        .add(BigDecimal.valueOf(LEFT))
        .toPlainString();
  }
}
