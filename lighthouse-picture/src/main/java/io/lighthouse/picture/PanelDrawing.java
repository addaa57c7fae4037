package io.lighthouse.picture;

import io.lighthouse.api.error.Plural;
import java.math.BigDecimal;
import java.util.List;

/** Draws the panels of a picture. */
final class PanelDrawing {
  /** The width of a panel in pixels. */
  static final int WIDTH = 372;

  private static final int PAD = 8;
  private static final int BAR_LEFT = 84;
  private static final int BAR_WIDTH = 166;
  private static final int BAR_HEIGHT = 15;
  private static final int BAR_STEP = 21;
  private static final int TITLE = 22;
  private static final int NOTES = 15;
  private static final int COLUMN_WIDTH = 6;
  private static final int COLUMN_HEIGHT = 20;
  private static final int COLUMN_STEP = 8;
  private static final int COLUMN_LINE = 25;
  private static final int COLUMNS = (WIDTH - 2 * PAD) / COLUMN_STEP;
  private static final int CHARACTER = 6;

  private final SvgText svg;

  /** Whether a group shows each of its nodes as a column. */
  private final boolean columns;

  PanelDrawing(SvgText svg, boolean columns) {
    this.svg = svg;
    this.columns = columns;
  }

  /** The height of a panel in pixels. */
  int height(PicturePanel panel) {
    int lines = columns && !panel.single() ? (panel.nodes().size() + COLUMNS - 1) / COLUMNS : 0;
    int bars = Math.max(1, panel.bars().size()) * BAR_STEP;
    return TITLE
        + (panel.notes().isEmpty() ? 0 : NOTES)
        + bars
        + (panel.moreBars() > 0 ? NOTES : 0)
        + lines * COLUMN_LINE
        + PAD;
  }

  /** Draws a panel with a height of at least its own. */
  void draw(PicturePanel panel, int x, int y, int height) {
    PicturedNode first = panel.nodes().get(0);
    boolean cordoned = panel.nodes().stream().allMatch(node -> node.cordoned());
    String where = "translate(" + x + "," + y + ")";
    String key = panel.single() ? "data-node" : "data-group";
    svg.open("g transform " + key + " data-nodes", where, panel.key(), panel.nodes().size());
    svg.leaf("title", panel.title() + notes(panel));
    svg.empty(
        "rect class width height rx", cordoned ? "panel cordoned" : "panel", WIDTH, height, 4);
    String state = state(panel, first);
    svg.text("name", PAD, 16, SvgText.cut(panel.title(), state.isEmpty() ? 48 : 34));
    svg.text("end", WIDTH - PAD, 16, state);
    int at = TITLE;
    if (!panel.notes().isEmpty()) {
      String words = SvgText.cut(String.join("; ", panel.notes()), 58);
      svg.text("soft", PAD, at + 9, words);
      at += NOTES;
    }
    for (PicturePanel.Bar bar : panel.bars()) {
      bar(bar, panel.single(), at);
      at += BAR_STEP;
    }
    if (panel.bars().isEmpty()) {
      svg.text("soft", PAD, at + 12, "nothing to use up");
      at += BAR_STEP;
    }
    if (panel.moreBars() > 0) {
      String more = "and " + Plural.of(panel.moreBars(), "resource") + " less full";
      svg.text("soft", PAD, at + 9, more);
      at += NOTES;
    }
    if (columns && !panel.single()) {
      columns(panel.nodes(), at);
    }
    svg.close();
  }

  private static String notes(PicturePanel panel) {
    return panel.notes().isEmpty() ? "" : ": " + String.join("; ", panel.notes());
  }

  /** The most striking thing about a node. */
  private static String state(PicturePanel panel, PicturedNode first) {
    if (!panel.single()) {
      return "";
    }
    String hot = first.hot().isEmpty() ? "" : first.hasStranded() ? "hot, strands the rest" : "hot";
    return !hot.isEmpty() ? hot : first.state().workloads().isEmpty() ? "empty" : "";
  }

  // ---- a bar ----

  private void bar(PicturePanel.Bar bar, boolean single, int y) {
    BigDecimal length = bar.length();
    svg.open(
        "g class data-resource data-capacity data-used",
        "bar",
        bar.resource(),
        plain(bar.capacity()),
        plain(bar.used()));
    String figures = FleetText.brief(bar.used()) + " of " + FleetText.brief(bar.capacity());
    svg.leaf("title", bar.resource() + ": " + figures + " used" + left(bar));
    svg.text("label", PAD, y + 11, SvgText.cut(bar.resource(), 12));
    svg.empty("rect class x y width height", "free", BAR_LEFT, y, BAR_WIDTH, BAR_HEIGHT);
    BigDecimal at = BigDecimal.ZERO;
    int odd = 0;
    for (PicturePanel.Block block : bar.blocks()) {
      if (block.amount().signum() > 0) {
        block(block, at, length, y, odd++ % 2 == 1);
        at = at.add(block.amount());
      }
    }
    at = at.max(BigDecimal.ZERO);
    at = left("stranded", bar.stranded(), at, length, y);
    left("closed", bar.closed(), at, length, y);
    BigDecimal end = length;
    for (PicturePanel.Block block : bar.blocks()) {
      if (block.amount().signum() < 0) {
        end = end.add(block.amount());
        block(block, end, length, y, false);
      }
    }
    if (bar.capacity().compareTo(length) < 0) {
      BigDecimal x = x(bar.capacity(), length);
      svg.empty("line class x1 x2 y1 y2", "capacity", x, x, y - 2, y + 17);
    }
    if (bar.hot() && single) {
      svg.empty("rect class x y width height", "hot-frame", BAR_LEFT, y, BAR_WIDTH, BAR_HEIGHT);
      int tip = BAR_LEFT - 11;
      svg.empty("path class d", "hot-mark", "M" + tip + "," + (y + 12) + "l4,-9l4,9z");
    }
    svg.text(
        bar.hot() ? "figures strong" : "figures",
        BAR_LEFT + BAR_WIDTH + 6,
        y + 11,
        SvgText.cut(figures, 18));
    svg.close();
  }

  private static String left(PicturePanel.Bar bar) {
    return (bar.stranded().signum() > 0 ? "; " + FleetText.brief(bar.stranded()) + " stranded" : "")
        + (bar.closed().signum() > 0 ? "; " + FleetText.brief(bar.closed()) + " cordoned" : "");
  }

  private void block(
      PicturePanel.Block block, BigDecimal from, BigDecimal length, int y, boolean odd) {
    BigDecimal size = block.amount().abs();
    BigDecimal x = x(from, length);
    BigDecimal width = x(from.add(size), length).subtract(x);
    String kind =
        switch (block.kind()) {
          case WORKLOAD -> odd ? "block odd" : "block";
          case GIVEN -> "given";
          case USED -> "block";
          case HOT -> "hot";
        };
    svg.open("g");
    svg.leaf("title", block.label() + ": " + FleetText.brief(block.amount()));
    svg.empty(
        "rect class data-of data-count data-amount x y width height",
        kind,
        block.label(),
        block.count(),
        plain(block.amount()),
        x,
        y,
        width,
        BAR_HEIGHT);
    int fits = (width.intValue() - 4) / CHARACTER;
    boolean named =
        block.kind() == PicturePanel.Kind.WORKLOAD || block.kind() == PicturePanel.Kind.GIVEN;
    if (named && fits >= Math.min(4, CellWidth.of(FleetText.printable(block.label())))) {
      svg.text("in", x.add(BigDecimal.valueOf(3)), y + 11, SvgText.cut(block.label(), fits));
    }
    svg.close();
  }

  /** Draws a kind of free capacity as a part of the bar; returns the amount at its end. */
  private BigDecimal left(
      String kind, BigDecimal amount, BigDecimal from, BigDecimal length, int y) {
    if (amount.signum() > 0) {
      BigDecimal x = x(from, length);
      BigDecimal end = x(from.add(amount).min(length), length);
      svg.empty(
          "rect class data-amount x y width height",
          kind,
          plain(amount),
          x,
          y,
          end.subtract(x).max(BigDecimal.ZERO),
          BAR_HEIGHT);
    }
    return from.add(amount);
  }

  private static BigDecimal x(BigDecimal amount, BigDecimal length) {
    return SvgText.part(amount, length, BAR_WIDTH).add(BigDecimal.valueOf(BAR_LEFT));
  }

  /** A number in full, for programs that read the file. */
  private static String plain(BigDecimal amount) {
    return amount.signum() == 0 ? "0" : amount.stripTrailingZeros().toString();
  }

  // ---- a group's nodes ----

  /** Draws a column for each node, filled as far as its fullest supply. */
  private void columns(List<PicturedNode> nodes, int y) {
    svg.open("g class", "columns");
    for (int i = 0; i < nodes.size(); i++) {
      PicturedNode node = nodes.get(i);
      int x = PAD + i % COLUMNS * COLUMN_STEP;
      int top = y + 3 + i / COLUMNS * COLUMN_LINE;
      BigDecimal fill = node.fullest(COLUMN_HEIGHT);
      String kind = node.cordoned() ? "closed" : node.hasStranded() ? "stranded" : "free";
      svg.empty("rect class x y width height", kind, x, top, COLUMN_WIDTH, COLUMN_HEIGHT);
      svg.open(
          "rect class data-node x y width height",
          node.hot().isEmpty() ? "block" : "hot",
          node.name(),
          x,
          BigDecimal.valueOf(top + COLUMN_HEIGHT).subtract(fill),
          COLUMN_WIDTH,
          fill);
      String hot = node.hot().isEmpty() ? "" : ", hot: " + String.join(", ", node.hot());
      int on = node.state().workloads().size();
      svg.leaf("title", node.name() + ": " + Plural.of(on, "workload") + hot);
      svg.close();
    }
    svg.close();
  }
}
