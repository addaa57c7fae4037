package io.lighthouse.cli.simulate;

import io.lighthouse.picture.SvgText;
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

  private final SvgText svg;
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
    String box = "0 0 " + WIDTH + " " + HEIGHT;
    svg = SvgText.drawing("viewBox role aria-label", box, "img", title);
    for (int part = 0; part <= PARTS; part++) {
      BigDecimal value =
          top.multiply(BigDecimal.valueOf(part))
              .divide(BigDecimal.valueOf(PARTS), 2, RoundingMode.HALF_UP);
      int y = TOP + PLOT_HEIGHT - PLOT_HEIGHT * part / PARTS;
      svg.empty("line class x1 x2 y1 y2", "grid", LEFT, LEFT + PLOT_WIDTH, y, y);
      String label = value.stripTrailingZeros().toPlainString() + unit;
      svg.leaf("text class x y", label, "y", LEFT - 6, y + 4);
    }
    for (int part = 0; part <= PARTS; part++) {
      String time = HtmlReport.seconds(result.end().multipliedBy(part).dividedBy(PARTS));
      String anchor = part == 0 ? "first" : part == PARTS ? "last" : "x";
      int x = LEFT + PLOT_WIDTH * part / PARTS;
      svg.leaf("text class x y", time + " s", anchor, x, HEIGHT - 12);
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
    svg.empty("path class d", kind, path);
    return this;
  }

  /** The element. */
  String svg() {
    return "<div class=\"plot\" tabindex=\"0\">" + svg.close() + "</div>\n";
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
