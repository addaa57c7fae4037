package io.lighthouse.cli.simulate;

import io.lighthouse.picture.StepChart;
import io.lighthouse.scheduler.simulation.SimulationResult;
import io.lighthouse.scheduler.simulation.SimulationResult.Usage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.function.Function;

/** Values over the time of a simulation, each a line of steps in SVG. */
final class StepPlot {
  private static final int HEIGHT = 172;

  private final StepChart chart;
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
    chart = new StepChart(title, HEIGHT, part -> value(part) + unit, this::time);
  }

  private String value(int part) {
    return top.multiply(BigDecimal.valueOf(part))
        .divide(BigDecimal.valueOf(StepChart.PARTS), 2, RoundingMode.HALF_UP)
        .stripTrailingZeros()
        .toPlainString();
  }

  private String time(int part) {
    return HtmlReport.seconds(result.end().multipliedBy(part).dividedBy(StepChart.PARTS)) + " s";
  }

  /** Draws a line; the kind is its class of style. */
  StepPlot line(String kind, Function<Usage, BigDecimal> value) {
    for (Usage usage : result.usage().course()) {
      BigDecimal y =
          BigDecimal.valueOf(StepChart.TOP + HEIGHT)
              .subtract(
                  value
                      .apply(usage)
                      .multiply(BigDecimal.valueOf(HEIGHT))
                      .divide(top, 1, RoundingMode.HALF_UP));
      chart.step(x(usage.at()), y.toString());
    }
    chart.line(kind, x(result.end()));
    return this;
  }

  /** The element. */
  String html() {
    return chart.html();
  }

  private String x(Duration at) {
    BigDecimal whole = DecisionLines.seconds(result.end()).toBigDecimal();
    if (whole.signum() == 0) {
      return Integer.toString(StepChart.LEFT);
    }
    return DecisionLines.seconds(at)
        .toBigDecimal()
        .multiply(BigDecimal.valueOf(StepChart.PLOT_WIDTH))
        .divide(whole, 1, RoundingMode.HALF_UP)
        .add(BigDecimal.valueOf(StepChart.LEFT))
        .toPlainString();
  }
}
