package io.lighthouse.picture;

import java.util.function.IntFunction;

/**
 * Values over time in SVG, each a line of steps: the axes, to which lines are added. Its styles are
 * classes of the page: {@code grid}, {@code x} and {@code y} of texts, and those of the lines. Not
 * thread-safe.
 */
public final class StepChart {
  /** How many parts each axis has. */
  public static final int PARTS = 4;

  /** The left end of the lines. */
  public static final int LEFT = 64;

  /** The highest place of a line. */
  public static final int TOP = 14;

  /** The width of the lines. */
  public static final int PLOT_WIDTH = 784;

  private static final int RIGHT = 12;
  private static final int BELOW = 34;

  private final SvgText svg;
  private final StringBuilder path = new StringBuilder();

  /**
   * A chart without lines.
   *
   * @param title what it shows
   * @param plotHeight the height of the lines
   * @param value the text at a part of the axis of values, from 0 to {@link #PARTS}, 0 below
   * @param time the text at a part of the axis of time
   */
  public StepChart(
      String title, int plotHeight, IntFunction<String> value, IntFunction<String> time) {
    int height = TOP + plotHeight + BELOW;
    String box = "0 0 " + (LEFT + PLOT_WIDTH + RIGHT) + " " + height;
    svg = SvgText.drawing("viewBox role aria-label", box, "img", title);
    for (int part = 0; part <= PARTS; part++) {
      int y = TOP + plotHeight - plotHeight * part / PARTS;
      svg.empty("line class x1 x2 y1 y2", "grid", LEFT, LEFT + PLOT_WIDTH, y, y);
      svg.leaf("text class x y", value.apply(part), "y", LEFT - 6, y + 4);
    }
    for (int part = 0; part <= PARTS; part++) {
      String anchor = part == 0 ? "first" : part == PARTS ? "last" : "x";
      int x = LEFT + PLOT_WIDTH * part / PARTS;
      svg.leaf("text class x y", time.apply(part), anchor, x, height - 12);
    }
  }

  /**
   * Adds a step to the line that is being drawn: it goes to a time, and then to a value.
   *
   * @param x the place of the time
   * @param y the place of the value
   */
  public void step(String x, String y) {
    path.append(path.isEmpty() ? "M" + x + "," + y : "H" + x + "V" + y);
  }

  /**
   * Ends the line that is being drawn.
   *
   * @param kind its class of style
   * @param end how far its last value lasts: the place of a time, or empty for no further
   */
  public void line(String kind, String end) {
    if (!path.isEmpty() && !end.isEmpty()) {
      path.append("H" + end);
    }
    svg.empty("path class d", kind, path);
    path.setLength(0);
  }

  /**
   * The element, which scrolls where the page is narrow. Ends the chart.
   *
   * @return a {@code div} of the class {@code plot}
   */
  public String html() {
    return "<div class=\"plot\" tabindex=\"0\">" + svg.close() + "</div>\n";
  }
}
