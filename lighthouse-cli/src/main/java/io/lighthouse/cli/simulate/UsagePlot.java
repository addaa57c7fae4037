package io.lighthouse.cli.simulate;

import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.simulation.SimulationResult;
import io.lighthouse.scheduler.simulation.SimulationResult.Usage;
import io.lighthouse.scheduler.simulation.SimulationResult.Use;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/**
 * Utilisation over time: what part of what there is was used, a line of steps for each resource.
 */
final class UsagePlot {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 220;
  private static final int LEFT = 48;
  private static final int TOP = 14;
  private static final int PLOT_WIDTH = WIDTH - LEFT - 12;
  private static final int PLOT_HEIGHT = HEIGHT - TOP - 34;

  private UsagePlot() {}

  /** The mean over the time of the simulation of what was used, in percent of what there was. */
  static BigDecimal meanPercent(Use use) {
    return percent(use.used(), use.total());
  }

  /** An SVG element. */
  static String svg(SimulationResult result, String resource) {
    StringBuilder svg = new StringBuilder();
    svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
        .append(WIDTH + " " + HEIGHT)
        .append("\" role=\"img\" aria-label=\"Utilisation of ")
        .append(HtmlReport.escaped(resource))
        .append(" over time\">\n");
    for (int percent = 0; percent <= 100; percent += 25) {
      int y = TOP + PLOT_HEIGHT - PLOT_HEIGHT * percent / 100;
      svg.append("<line class=\"grid\" x1=\"" + LEFT + "\" x2=\"" + (LEFT + PLOT_WIDTH))
          .append("\" y1=\"" + y + "\" y2=\"" + y + "\"/>")
          .append("<text class=\"y\" x=\"" + (LEFT - 6) + "\" y=\"" + (y + 4) + "\">")
          .append(percent + " %</text>\n");
    }
    for (int part = 0; part <= 4; part++) {
      int x = LEFT + PLOT_WIDTH * part / 4;
      String time = DecisionLines.seconds(result.end().multipliedBy(part).dividedBy(4)).toString();
      svg.append("<text class=\"x\" x=\"" + x + "\" y=\"" + (HEIGHT - 12) + "\">")
          .append(time + " s</text>\n");
    }
    svg.append("<path class=\"used\" d=\"").append(path(result, resource)).append("\"/>\n");
    return svg.append("</svg>\n").toString();
  }

  private static String path(SimulationResult result, String resource) {
    StringBuilder path = new StringBuilder();
    for (Usage usage : result.usage().course()) {
      String x = x(usage.at(), result.end());
      BigDecimal percent = percent(amount(usage.used(), resource), amount(usage.total(), resource));
      BigDecimal y =
          BigDecimal.valueOf(TOP + PLOT_HEIGHT)
              .subtract(percent.multiply(BigDecimal.valueOf(PLOT_HEIGHT)).movePointLeft(2))
              .setScale(1, RoundingMode.HALF_UP);
      path.append(path.isEmpty() ? "M" + x + "," + y : "H" + x + "V" + y);
    }
    return path.isEmpty() ? "" : path + "H" + x(result.end(), result.end());
  }

  private static String x(Duration at, Duration end) {
    BigDecimal whole = DecisionLines.seconds(end).toBigDecimal();
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

  /** With one digit after the point; 0 of nothing. */
  private static BigDecimal percent(BigDecimal part, BigDecimal whole) {
    return whole.signum() == 0
        ? BigDecimal.ZERO.setScale(1)
        : part.movePointRight(2).divide(whole, 1, RoundingMode.HALF_UP);
  }

  private static BigDecimal amount(Resources resources, String name) {
    return resources.get(name).orElse(Quantity.ZERO).toBigDecimal();
  }
}
