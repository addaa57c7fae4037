package io.lighthouse.picture;

import io.lighthouse.api.error.InvalidInputException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A drawing of a fleet, or of two of them, before and after, with an arrow for each workload that
 * has changed its node. More than 60 nodes are drawn in groups, by domain or by capacities. It has
 * a text alternative, is readable without colours, and needs no external resources. Equal fleets
 * give equal drawings, byte for byte. Immutable and thread-safe.
 */
public final class Picture {
  private final String summary;
  private final String title;
  private final String groups;
  private final String described;
  private final String svg;

  /** Draws it for a phone. */
  private final Supplier<String> narrow;

  private Picture(
      String summary,
      String title,
      PictureGroups groups,
      String described,
      String svg,
      Supplier<String> narrow) {
    this.summary = summary;
    this.title = title;
    this.groups = groups.words();
    this.described = described;
    this.svg = svg;
    this.narrow = narrow;
  }

  /**
   * A drawing of one fleet.
   *
   * @param scene the fleet
   * @param level the level whose domains are drawn; empty for the level with the most nodes in its
   *     domains, and among equal ones the one with the fewest domains. It then has at least two
   *     domains, and fewer domains than nodes
   * @return the drawing
   * @throws InvalidInputException if no node is in a domain of that level
   */
  public static Picture of(PictureScene scene, Optional<String> level) {
    PictureGroups groups = groups(List.of(scene), level);
    return new Picture(
        scene.placed(),
        scene.title(),
        groups,
        scene.described(),
        new FleetPicture(scene, groups, false).svg(),
        () -> new FleetPicture(scene, groups, true).svg());
  }

  /**
   * A drawing of two fleets, or of one at two times. Nodes and workloads of the same name are the
   * same.
   *
   * @param before the first
   * @param after the second
   * @param level as for one fleet; of both together
   * @return the drawing
   * @throws InvalidInputException if no node is in a domain of that level
   */
  public static Picture of(PictureScene before, PictureScene after, Optional<String> level) {
    PictureGroups groups = groups(List.of(before, after), level);
    MovesPicture moves = new MovesPicture(before, after, groups, false);
    return new Picture(
        moves.said(),
        before.title() + " and " + after.title(),
        groups,
        moves.described(),
        moves.svg(),
        () -> new MovesPicture(before, after, groups, true).svg());
  }

  private static PictureGroups groups(List<PictureScene> scenes, Optional<String> level) {
    List<String> levels = PictureGroups.levels(scenes);
    if (level.isPresent() && !levels.contains(level.get())) {
      throw new InvalidInputException(
          "picture",
          "level",
          "'" + level.get() + "'",
          levels.isEmpty()
              ? "none: no node stands in a domain"
              : "one of " + String.join(", ", levels));
    }
    return new PictureGroups(scenes, level);
  }

  /**
   * What is placed, or what has changed, in one line.
   *
   * @return such as {@code 1 placed before, 25 placed now, ...}
   */
  public String summary() {
    return summary;
  }

  /**
   * How its nodes are drawn, in words.
   *
   * @return such as {@code nodes by zone}
   */
  public String groups() {
    return groups;
  }

  /**
   * The drawing alone.
   *
   * @return an element of SVG 1.1, with a title and a description, in light and dark colours
   */
  public String svg() {
    return svg;
  }

  /**
   * The drawing as a page: with room as it is, and on a narrow screen with one panel in a row.
   *
   * @return a document of HTML that needs nothing else
   */
  public String html() {
    return PictureSheet.html(title, described, svg + narrow.get());
  }
}
