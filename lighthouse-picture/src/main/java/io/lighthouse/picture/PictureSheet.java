package io.lighthouse.picture;

import java.util.ArrayList;
import java.util.List;

/** The common parts of all pictures: the style, the title, the legend, and the page around them. */
final class PictureSheet {
  /**
   * Colours of the palette of Okabe and Ito, which colour-blind people can distinguish. Hatching,
   * dots, outlines or words carry the same information, so that the picture is also readable in
   * black and white.
   */
  private static final String STYLE =
      """
      <style>
      .sheet{max-width:100%;height:auto;--ink:#1c2430;--soft:#4b535e;--rule:#7b838e;--paper:#fff;--panel:#f6f7f9;--free:#fff;
      --block:#9fd0f0;--odd:#cfe7f8;--hot:#d55e00;--pale:#fbe3d0;--line:#9a4400;--given:#bfe3d5;color-scheme:light dark;
      font:12px system-ui,sans-serif}
      @media screen and (prefers-color-scheme:dark){.sheet{--ink:#e8ebf0;--soft:#b4bcc7;--rule:#8a94a1;
      --paper:#14181e;--panel:#1e242c;--free:#0c0f13;--block:#20618f;--odd:#17466a;--hot:#ff9d4d;
      --pale:#40200c;--line:#ff9d4d;--given:#1c5a46}}
      .sheet text{fill:var(--ink)}.sheet .soft{fill:var(--soft);font-size:10px}
      .sheet .strong,.sheet .name,.sheet h1{font-weight:600}.sheet .big{font-size:18px;font-weight:600}
      .sheet .end{text-anchor:end}.sheet .figures,.sheet .in,.sheet .label{font:10px ui-monospace,monospace}
      .sheet .figures.strong{font-weight:700}
      .paper{fill:var(--paper)}.panel{fill:var(--panel);stroke:var(--rule)}
      .cordoned{stroke-dasharray:6 4}.domain{fill:none;stroke:var(--ink);stroke-width:1.5}
      .free{fill:var(--free);stroke:var(--rule)}.block{fill:var(--block);stroke:var(--ink);stroke-width:.7}
      .block.odd{fill:var(--odd)}.given{fill:var(--given);stroke:var(--ink);stroke-dasharray:2 2}
      .hot{fill:url(#hot);stroke:var(--ink);stroke-width:.7}.hot-frame{fill:none;stroke:var(--hot);stroke-width:3}
      .hot-mark{fill:var(--hot)}.stranded{fill:url(#stranded);stroke:var(--rule)}
      .closed{fill:url(#closed);stroke:var(--rule)}.capacity{stroke:var(--ink);stroke-width:2}
      .refused{fill:var(--panel);stroke:var(--ink);stroke-width:1.5;stroke-dasharray:3 3}
      .arrow{fill:none;stroke:var(--ink);stroke-width:1.3}.tip{fill:var(--ink)}
      .number{fill:var(--paper);stroke:var(--ink)}.middle{text-anchor:middle;font-size:10px}
      .hot-ground{fill:var(--pale)}.hot-line{stroke:var(--line);stroke-width:2.5}
      .ground{fill:var(--free)}.dot{fill:var(--soft)}.thin{stroke:var(--soft)}
      </style>
      <defs>
      <pattern id="hot" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect class="hot-ground" width="6" height="6"/><line class="hot-line" y2="6"/></pattern>
      <pattern id="stranded" width="5" height="5" patternUnits="userSpaceOnUse">
      <rect class="ground" width="5" height="5"/><circle class="dot" cx="2.5" cy="2.5" r="1"/></pattern>
      <pattern id="closed" width="6" height="6" patternUnits="userSpaceOnUse">
      <rect class="ground" width="6" height="6"/><path class="thin" d="M0,0l6,6M6,0l-6,6"/></pattern>
      <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"
      markerUnits="userSpaceOnUse"><path class="tip" d="M0,0l8,4l-8,4z"/></marker>
      </defs>
      """;

  /** What a second drawing on a page needs: patterns of its own, as the first may not be shown. */
  private static final String NARROW =
      """
      <style>.narrow .hot{fill:url(#hot-narrow)}.narrow .stranded{fill:url(#stranded-narrow)}
      .narrow .closed{fill:url(#closed-narrow)}</style>
      """
          + STYLE
              .substring(STYLE.indexOf("<defs>"))
              .replaceAll("id=\"([a-z]+)\"", "id=\"$1-narrow\"");

  /** The HTML around the drawing in a page. */
  private static final String PAGE_STYLE =
      """
      :root{color-scheme:light dark}body{margin:0;background:#fff}
      @media screen and (prefers-color-scheme:dark){body{background:#14181e}}
      h1{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}
      .scroll{overflow-x:auto}svg{display:block;margin:auto}svg.narrow{display:none}
      @media screen and (max-width:60em){svg{display:none}svg.narrow{display:block}}
      """;

  private PictureSheet() {}

  /**
   * A drawing.
   *
   * @param narrow whether it is the second drawing of a page, for narrow screens
   * @param title its title
   * @param described everything that it shows, in words
   * @param lines the lines under the title
   * @param body the drawn elements, below {@link FleetPicture#HEAD}
   */
  static String svg(
      boolean narrow,
      String title,
      String described,
      List<String> lines,
      int width,
      int height,
      SvgText body) {
    String drawn = body.toString();
    List<String> head = new ArrayList<>();
    lines.forEach(line -> head.addAll(narrow ? wrapped(line, width / 7) : List.of(line)));
    SvgText legend = new SvgText();
    int end = legend(legend, drawn, width, 47 + 17 * head.size());
    int lower = Math.max(0, end + 17 - FleetPicture.HEAD);
    int tall = height + lower;
    String box = "0 0 " + width + " " + tall;
    String suffix = narrow ? "-narrow" : "";
    String labels = "picture-title" + suffix + " picture-desc" + suffix;
    String names = "class role aria-labelledby width height viewBox";
    SvgText svg =
        SvgText.drawing(names, narrow ? "sheet narrow" : "sheet", "img", labels, width, tall, box);
    svg.leaf("title id", title, "picture-title" + suffix);
    svg.leaf("desc id", described, "picture-desc" + suffix);
    svg.raw(narrow ? NARROW : STYLE);
    svg.empty("rect class width height", "paper", width, tall);
    int margin = FleetPicture.MARGIN;
    svg.text("big", margin, 28, SvgText.cut(title, width / 12));
    int y = 47;
    for (String line : head) {
      svg.leaf("text x y", SvgText.cut(line, width / 7), margin, y);
      y += 17;
    }
    svg.raw(legend.toString());
    svg.raw(
        lower == 0 ? drawn : "<g transform=\"translate(0," + lower + ")\">\n" + drawn + "</g>\n");
    return svg.close().toString();
  }

  /** Breaks a line between words, into pieces of at most {@code width} characters. */
  private static List<String> wrapped(String line, int width) {
    List<String> pieces = new ArrayList<>();
    StringBuilder piece = new StringBuilder();
    for (String word : line.split(" ")) {
      if (!piece.isEmpty() && piece.length() + word.length() >= width) {
        pieces.add(piece.toString());
        piece.setLength(0);
      }
      piece.append(piece.isEmpty() ? "" : " ").append(word);
    }
    pieces.add(piece.toString());
    return pieces;
  }

  /** What a shape of the drawing means, by its class. */
  private record Meaning(String kind, String words) {}

  private static final List<Meaning> MEANINGS =
      List.of(
          new Meaning("block", "used"),
          new Meaning("hot-frame", "hot: nine tenths used, or more"),
          new Meaning("hot", "used on hot nodes: nine tenths full, or more"),
          new Meaning("stranded", "stranded: left beside what has run out"),
          new Meaning("closed", "cordoned: takes nothing new"),
          new Meaning("free", "free"),
          new Meaning("given", "given by a workload"),
          new Meaning("refused", "without a node"));

  /** Lists the shapes that are drawn, and no others; returns the y coordinate of its last line. */
  private static int legend(SvgText svg, String drawn, int width, int top) {
    int x = FleetPicture.MARGIN;
    int y = top;
    svg.open("g class", "legend");
    for (Meaning meaning : MEANINGS) {
      if (!drawn.contains("class=\"" + meaning.kind() + "\"")) {
        continue;
      }
      int step = 45 + meaning.words().length() * 11 / 2;
      if (x > FleetPicture.MARGIN && x + step > width) {
        x = FleetPicture.MARGIN;
        y += 17;
      }
      svg.empty("rect class x y width height", meaning.kind(), x, y - 10, 20, 12);
      if (meaning.kind().equals("hot-frame")) {
        svg.empty("path class d", "hot-mark", "M" + (x + 6) + "," + (y - 1) + "l4,-7l4,7z");
      }
      svg.text("soft", x + 25, y, meaning.words());
      x += step;
    }
    svg.close();
    return y;
  }

  /** A page of HTML that needs nothing else. */
  static String html(String title, String described, String svg) {
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
        + SvgText.escaped(title)
        + "</title>\n<meta name=\"description\" content=\""
        + SvgText.escaped(described)
        + "\">\n<style>\n"
        + PAGE_STYLE
        + "</style>\n</head>\n<body>\n<main class=\"scroll\" tabindex=\"0\">\n<h1>"
        + SvgText.escaped(title)
        + "</h1>\n"
        + svg
        + "</main>\n</body>\n</html>\n";
  }
}
