package io.lighthouse.picture;

import io.lighthouse.api.error.Plural;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A drawing of a fleet before and after: the panels of each node or group side by side, and an
 * arrow between them for every workload that has changed its node. If there are many moves, one
 * arrow stands for all that go from one panel to another.
 */
final class MovesPicture {
  private static final int MOST_ARROWS = 100;
  private static final int MOST_LISTED = 100;
  private static final int GUTTER = 200;
  private static final int LEFT = FleetPicture.MARGIN;
  private static final int RIGHT = LEFT + PanelDrawing.WIDTH + GUTTER;
  private static final int ARROW_STEP = 16;

  private final PictureScene before;
  private final PictureScene after;
  private final PictureGroups groups;
  private final SvgText body = new SvgText();

  /** The middle and the height of each row, by the key of its panels. */
  private final Map<String, int[]> rows = new LinkedHashMap<>();

  /** An arrow for the workloads that go from one panel to another. */
  private record Arrow(String from, String to, List<String> workloads) {}

  /** Whether it is drawn for a phone: each panel after below that before, and no arrows. */
  private final boolean narrow;

  private final int side;

  /** The workloads that have changed their node, in the order of the nodes before. */
  private final List<String> moved = new ArrayList<>();

  MovesPicture(PictureScene before, PictureScene after, PictureGroups groups, boolean narrow) {
    this.before = before;
    this.after = after;
    this.groups = groups;
    this.narrow = narrow;
    side = narrow ? LEFT : RIGHT + PanelDrawing.WIDTH + 2 * FleetPicture.GAP;
    before
        .nodeOf()
        .forEach(
            (workload, node) -> {
              PicturedNode then = after.nodeOf().get(workload);
              if (then != null && !then.name().equals(node.name())) {
                moved.add(workload);
              }
            });
  }

  /** The drawing. */
  String svg() {
    int y = FleetPicture.HEAD;
    if (!narrow) {
      body.text("strong", LEFT, y + 12, "Before: " + before.title());
      body.text("strong", RIGHT, y + 12, "After: " + after.title());
    }
    int bottom = rows(narrow ? y : y + 22);
    List<Arrow> arrows = arrows();
    if (!narrow) {
      draw(arrows);
    }
    int end = listed(arrows, narrow ? bottom + FleetPicture.GAP : y);
    end = FleetPicture.refused(body, before, before.withoutNode() + " before", side, end + 12);
    end = FleetPicture.refused(body, after, after.withoutNode() + " after", side, end + 12);
    int width =
        narrow
            ? PanelDrawing.WIDTH + 2 * LEFT
            : side + FleetPicture.SIDE_WIDTH + FleetPicture.MARGIN;
    return PictureSheet.svg(
        narrow,
        before.title() + " and " + after.title(),
        described(),
        List.of(
            said() + "; " + groups.words(),
            "before: " + FleetPicture.strikes(before) + "; after: " + FleetPicture.strikes(after)),
        width,
        Math.max(bottom, end) + FleetPicture.MARGIN,
        body);
  }

  /** The changes of the workloads, in one line. */
  String said() {
    Set<String> news = new LinkedHashSet<>(after.nodeOf().keySet());
    news.removeAll(before.nodeOf().keySet());
    Set<String> gone = new LinkedHashSet<>(before.nodeOf().keySet());
    gone.removeAll(after.nodeOf().keySet());
    return "%s moved, %s placed only after, %s only before"
        .formatted(Plural.of(moved.size(), "workload"), news.size(), gone.size());
  }

  /** Everything that the drawing shows, in words. */
  String described() {
    return "%s. Moved: %s. Before, %s After, %s"
        .formatted(said(), PictureScene.listed(moved), before.described(), after.described());
  }

  /** Draws the panels, row by row; returns the y coordinate of their end. */
  private int rows(int top) {
    Map<String, PicturePanel> left = groups.panels(before);
    Map<String, PicturePanel> right = groups.panels(after);
    Set<String> keys = new LinkedHashSet<>(left.keySet());
    keys.addAll(right.keySet());
    PanelDrawing drawing =
        new PanelDrawing(body, FleetPicture.hasColumns(before) && FleetPicture.hasColumns(after));
    String box = "";
    int y = top;
    for (String key : keys) {
      PicturePanel any = left.getOrDefault(key, right.get(key));
      String within = groups.ofNodes() ? groups.box(any.nodes().get(0)) : "";
      if (!within.equals(box)) {
        String heading = groups.heading(left.containsKey(key) ? before : after, within);
        body.open("g data-domain", within);
        int end = (narrow ? LEFT : RIGHT) + PanelDrawing.WIDTH;
        body.empty("path class d", "domain", "M" + LEFT + "," + (y + 3) + "H" + end);
        body.text("strong", LEFT, y + 19, SvgText.cut(heading, narrow ? 50 : 100));
        body.close();
        box = within;
        y += 28;
      }
      int height = 0;
      for (Map<String, PicturePanel> side : List.of(left, right)) {
        height = side.containsKey(key) ? Math.max(height, drawing.height(side.get(key))) : height;
      }
      if (narrow) {
        body.text("soft", LEFT, y + 9, "Before");
        side(drawing, left.get(key), "before", LEFT, y + 14, height);
        y += height + 14;
        body.text("soft", LEFT, y + 13, "After");
        side(drawing, right.get(key), "after", LEFT, y + 18, height);
        y += height + 18 + FleetPicture.GAP;
      } else {
        side(drawing, left.get(key), "before", LEFT, y, height);
        side(drawing, right.get(key), "after", RIGHT, y, height);
        rows.put(key, new int[] {y + height / 2, height});
        y += height + FleetPicture.GAP;
      }
    }
    return y;
  }

  private void side(
      PanelDrawing drawing, PicturePanel panel, String when, int x, int y, int height) {
    body.open("g data-when", when);
    if (panel == null) {
      body.text("soft", x + 8, y + 16, "not there");
    } else {
      drawing.draw(panel, x, y, height);
    }
    body.close();
  }

  private List<Arrow> arrows() {
    Map<List<Object>, Arrow> arrows = new LinkedHashMap<>();
    boolean together = moved.size() > MOST_ARROWS;
    for (String workload : moved) {
      String from = groups.key(before.nodeOf().get(workload));
      String to = groups.key(after.nodeOf().get(workload));
      List<Object> alike = together ? List.of(from, to) : List.of(arrows.size());
      arrows
          .computeIfAbsent(alike, one -> new Arrow(from, to, new ArrayList<>()))
          .workloads()
          .add(workload);
    }
    return new ArrayList<>(arrows.values());
  }

  /** Draws the numbered arrows; those that start or end at the same panel are side by side. */
  private void draw(List<Arrow> arrows) {
    Map<String, List<Integer>> leaving = new LinkedHashMap<>();
    Map<String, List<Integer>> coming = new LinkedHashMap<>();
    for (int i = 0; i < arrows.size(); i++) {
      leaving.computeIfAbsent(arrows.get(i).from(), one -> new ArrayList<>()).add(i);
      coming.computeIfAbsent(arrows.get(i).to(), one -> new ArrayList<>()).add(i);
    }
    // Arrows from above arrive above the others.
    coming.values().forEach(Collections::sort);
    for (int i = 0; i < arrows.size(); i++) {
      Arrow arrow = arrows.get(i);
      int from = at(leaving.get(arrow.from()), i, arrow.from());
      int to = at(coming.get(arrow.to()), i, arrow.to());
      int x = LEFT + PanelDrawing.WIDTH;
      body.open(
          "g data-arrow data-from data-to data-count",
          i + 1,
          arrow.from(),
          arrow.to(),
          arrow.workloads().size());
      body.leaf("title", words(arrow));
      int bend = GUTTER / 2;
      Object[] points = {x + 18, from, x + bend, from, RIGHT - bend, to, RIGHT, to};
      String path = String.format(Locale.ROOT, "M%d,%dC%d,%d %d,%d %d,%d", points);
      body.empty("path class marker-end d", "arrow", "url(#tip)", path);
      body.empty("circle class cx cy r", "number", x + 10, from, 8);
      body.text("middle", x + 10, from + 4, "" + (i + 1));
      body.close();
    }
  }

  /**
   * The y coordinate at which an arrow starts or ends; arrows are spread over the height of the
   * row.
   */
  private int at(List<Integer> arrows, int number, String key) {
    int[] row = rows.get(key);
    int step = Math.min(ARROW_STEP, (row[1] - 10) / Math.max(1, arrows.size()));
    return row[0] + (2 * arrows.indexOf(number) - arrows.size() + 1) * step / 2;
  }

  private static String words(Arrow arrow) {
    return PictureScene.listed(arrow.workloads()) + ": " + arrow.from() + " to " + arrow.to();
  }

  /** Lists the meaning of the arrows' numbers; returns the y coordinate of the list's end. */
  private int listed(List<Arrow> arrows, int y) {
    int at = y + 12;
    body.text("strong", side, at, "Moved: " + moved.size());
    for (int i = 0; i < Math.min(MOST_LISTED, arrows.size()); i++) {
      Arrow arrow = arrows.get(i);
      String what =
          arrow.workloads().size() == 1
              ? arrow.workloads().get(0)
              : Plural.of(arrow.workloads().size(), "workload");
      at += 15;
      String line = (i + 1) + "  " + what + ": " + arrow.from() + " \u2192 " + arrow.to();
      body.text("soft", side, at, SvgText.cut(line, 44));
    }
    if (arrows.size() > MOST_LISTED) {
      at += 15;
      String more = "and " + Plural.of(arrows.size() - MOST_LISTED, "more arrow");
      body.text("soft", side, at, more);
    }
    return at + 8;
  }
}
