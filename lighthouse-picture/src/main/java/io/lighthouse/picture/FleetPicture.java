package io.lighthouse.picture;

import io.lighthouse.api.DomainState;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.Plural;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A drawing of one fleet: its nodes in panels, those of a domain in one box, and the refused
 * workloads beside them. Equal fleets give equal drawings, byte for byte.
 */
final class FleetPicture {
  static final int MARGIN = 16;
  static final int GAP = 10;
  static final int SIDE_WIDTH = 260;
  static final int HEAD = 98;

  /** How many panels stand side by side where there is room. */
  private static final int ACROSS = 3;

  private static final int PANEL = PanelDrawing.WIDTH;
  private static final int BOX_PAD = 8;
  private static final int BOX_HEAD = 22;
  private static final int MOST_LISTED = 20;
  private static final int MOST_COLUMNS = 2000;

  private final PictureScene scene;
  private final PictureGroups groups;
  private final SvgText body = new SvgText();
  private final PanelDrawing drawing;

  /** Whether it is drawn for a phone: one panel in a row, and the refused workloads below. */
  private final boolean narrow;

  private final int across;
  private final int side;

  FleetPicture(PictureScene scene, PictureGroups groups, boolean narrow) {
    this.scene = scene;
    this.groups = groups;
    this.narrow = narrow;
    across = narrow ? 1 : ACROSS;
    side = narrow ? MARGIN : MARGIN + ACROSS * (PANEL + GAP + 2 * BOX_PAD) + GAP;
    this.drawing = new PanelDrawing(body, hasColumns(scene));
  }

  /** Whether few nodes are drawn, so that each group shows its nodes. */
  static boolean hasColumns(PictureScene scene) {
    return scene.nodes().size() <= MOST_COLUMNS;
  }

  /** The drawing. */
  String svg() {
    int y = HEAD;
    Map<String, List<PicturePanel>> boxes = new LinkedHashMap<>();
    for (PicturePanel panel : groups.panels(scene).values()) {
      String box = groups.ofNodes() ? groups.box(panel.nodes().get(0)) : "";
      boxes.computeIfAbsent(box, one -> new ArrayList<>()).add(panel);
    }
    boolean boxed = boxes.size() > 1 || !boxes.containsKey("");
    int column = 0;
    int tallest = 0;
    for (Map.Entry<String, List<PicturePanel>> box : boxes.entrySet()) {
      int width = Math.min(across, box.getValue().size());
      if (column + width > across) {
        y += tallest + GAP;
        column = 0;
        tallest = 0;
      }
      int x = MARGIN + column * (PANEL + GAP + 2 * BOX_PAD);
      tallest = Math.max(tallest, box(boxed, box.getKey(), box.getValue(), x, y));
      column += width;
    }
    if (scene.nodes().isEmpty()) {
      body.leaf("text x y", "The fleet has no nodes.", MARGIN, y + 16);
      tallest = BOX_HEAD;
    }
    int end = refused(body, scene, scene.withoutNode(), side, narrow ? y + tallest + GAP : HEAD);
    end = domains(end);
    int height = Math.max(y + tallest, end) + MARGIN;
    int width = narrow ? PANEL + 2 * (MARGIN + BOX_PAD) : side + SIDE_WIDTH + MARGIN;
    return PictureSheet.svg(
        narrow,
        scene.title(),
        scene.described(),
        List.of(scene.placed() + "; " + groups.words(), strikes(scene)),
        width,
        height,
        body);
  }

  /** The most striking facts of a fleet, in one line. */
  static String strikes(PictureScene scene) {
    return Plural.of(scene.hot().size(), "node")
        + " hot; stranded: "
        + PictureScene.listed(scene.stranded());
  }

  /** Draws the panels of a box, in rows; returns its height. */
  private int box(boolean boxed, String name, List<PicturePanel> panels, int x, int y) {
    int columns = Math.min(across, panels.size());
    int top = boxed ? BOX_HEAD : 0;
    int height = top;
    for (int from = 0; from < panels.size(); from += across) {
      height += tallest(panels, from) + (from == 0 ? 0 : GAP);
    }
    height += boxed ? BOX_PAD : 0;
    if (boxed) {
      int width = columns * (PANEL + GAP + 2 * BOX_PAD) - GAP;
      String heading = groups.heading(scene, name);
      body.open("g data-domain", name);
      body.leaf("title", heading);
      body.empty("rect class x y width height rx", "domain", x, y, width, height, 6);
      String shown = SvgText.cut(heading, width / 8);
      body.text("strong", x + BOX_PAD, y + 16, shown);
      body.close();
    }
    int at = y + top;
    for (int from = 0; from < panels.size(); from += across) {
      int tall = tallest(panels, from);
      for (int i = from; i < Math.min(from + across, panels.size()); i++) {
        int left = x + (boxed ? BOX_PAD : 0) + (i - from) * (PANEL + GAP + 2 * BOX_PAD);
        drawing.draw(panels.get(i), left, at, tall);
      }
      at += tall + GAP;
    }
    return height;
  }

  private int tallest(List<PicturePanel> panels, int from) {
    return panels.subList(from, Math.min(from + across, panels.size())).stream()
        .mapToInt(drawing::height)
        .max()
        .orElse(0);
  }

  /** Draws the refused workloads, one below the other; returns the y coordinate of their end. */
  static int refused(SvgText body, PictureScene scene, String heading, int x, int y) {
    List<Workload> refused = scene.refused();
    int at = y + 16;
    body.open("g data-refused", refused.size());
    body.text("strong", x, at, heading + ": " + refused.size());
    at += 8;
    for (Workload workload : refused.subList(0, Math.min(MOST_LISTED, refused.size()))) {
      String requires = String.join(", ", FleetText.quantities(workload.requirements()));
      body.open("g data-workload", workload.name());
      body.leaf("title", workload.name() + " requires " + requires);
      body.empty("rect class x y width height rx", "refused", x, at, SIDE_WIDTH, 34, 3);
      String name = SvgText.cut(workload.name(), 34);
      body.text("name", x + 8, at + 14, name);
      body.text("soft", x + 8, at + 27, SvgText.cut(requires, 40));
      body.close();
      at += 39;
    }
    int more = refused.size() - MOST_LISTED;
    if (more > 0) {
      body.text("soft", x, at + 12, "and " + more + " more");
      at += 20;
    }
    body.close();
    return at;
  }

  /** Draws the text about the declared domains that have no box or panel. */
  private int domains(int y) {
    List<DomainState> others = new ArrayList<>();
    for (DomainState domain : scene.domains()) {
      if (!groups.hasDomains(domain.level())) {
        others.add(domain);
      }
    }
    if (others.isEmpty()) {
      return y;
    }
    int at = y + 28;
    body.text("strong", side, at, "Other domains");
    for (DomainState domain : others.subList(0, Math.min(MOST_LISTED, others.size()))) {
      String name = FleetText.nameOf(domain.level(), domain.name());
      List<String> said = scene.said(domain.level(), domain.name());
      String words = said.isEmpty() ? "nothing" : String.join(", ", said);
      at += 18;
      body.open("g data-domain", domain.name());
      body.leaf("title", name + ": " + words);
      body.text("soft", side, at, SvgText.cut(name + ": " + words, 42));
      body.close();
    }
    int more = others.size() - MOST_LISTED;
    if (more > 0) {
      at += 18;
      body.text("soft", side, at, "and " + more + " more");
    }
    return at + 8;
  }
}
