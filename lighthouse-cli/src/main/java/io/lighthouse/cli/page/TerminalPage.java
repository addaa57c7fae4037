package io.lighthouse.cli.page;

import io.lighthouse.picture.CellWidth;
import io.lighthouse.picture.FleetText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A page for people, as wide as their terminal: a title, and sections of two columns. What does not
 * fit a line goes on in the next, under where it began; only a word that is wider than the page
 * sticks out. Characters that would control a terminal are shown as escapes.
 */
public final class TerminalPage {
  private static final int MARGIN = 2;
  private static final int WIDEST_LABEL = 30;

  private final List<String> lines = new ArrayList<>();
  private final boolean colour;
  private final boolean blocks;
  private final int columns;

  public TerminalPage(Terminal terminal) {
    this.colour = terminal.colour();
    this.blocks = terminal.blocks();
    this.columns = terminal.width();
  }

  /** Whether more than ASCII may be used. */
  boolean blocks() {
    return blocks;
  }

  /** A text in a style, for a row that is set already. */
  String styled(Style style, String words) {
    return style.of(words, colour);
  }

  /** A heading. */
  public TerminalPage title(String words) {
    for (String line : wrapped(List.of(FleetText.printable(words).split(" ")), 1, columns)) {
      lines.add(styled(Style.BOLD, line));
    }
    return this;
  }

  /** A section with the heads of its two columns. */
  public Section section(String left, String right) {
    return new Section(left, right);
  }

  /** A section without heads. */
  public Section section() {
    return new Section("", "");
  }

  /** Writes the page. */
  public void print(OutputStream out) throws IOException {
    for (String line : lines) {
      out.write(line.getBytes(StandardCharsets.UTF_8));
      out.write('\n');
    }
    out.flush();
  }

  /** Joins pieces to lines of at most {@code width} columns, unless one piece is wider. */
  private static List<String> wrapped(List<String> pieces, int gap, int columns) {
    List<String> wrapped = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    int at = 0;
    for (String piece : pieces) {
      if (at > 0 && at + gap + CellWidth.of(piece) > columns) {
        wrapped.add(line.toString());
        line.setLength(0);
        at = 0;
      } else if (at > 0) {
        line.append(" ".repeat(gap));
        at += gap;
      }
      line.append(piece);
      at += CellWidth.of(piece);
    }
    wrapped.add(line.toString());
    return wrapped;
  }

  /**
   * Rows of a label and what belongs to it. The second column begins behind the widest label; the
   * section is complete with {@link #end}.
   */
  public final class Section {
    private final String left;
    private final String right;
    private final List<Row> rows = new ArrayList<>();

    private Section(String left, String right) {
      this.left = left;
      this.right = right;
    }

    /** A row of pieces that are not broken, with a separator between them. */
    public Section row(String label, Style style, List<String> pieces, String separator) {
      String end = separator.strip();
      List<String> ended = new ArrayList<>();
      for (int i = 0; i < pieces.size(); i++) {
        ended.add(FleetText.printable(pieces.get(i)) + (i + 1 < pieces.size() ? end : ""));
      }
      rows.add(
          new Row(FleetText.printable(label), style, ended, separator.length() - end.length()));
      return this;
    }

    /** A row of words. */
    public Section row(String label, Style style, String words) {
      return row(label, style, List.of(words.split(" ")), " ");
    }

    /** A row that is set already, printable and of one line. */
    public Section set(String label, String line) {
      rows.add(new Row(FleetText.printable(label), Style.PLAIN, List.of(line), 0));
      return this;
    }

    /** Puts the section on the page, below an empty line; nothing where it has no rows. */
    public void end() {
      if (rows.isEmpty()) {
        return;
      }
      int widest = CellWidth.of(left);
      for (Row row : rows) {
        widest = Math.max(widest, CellWidth.of(row.label));
      }
      int column = MARGIN + Math.min(widest, WIDEST_LABEL) + MARGIN;
      lines.add("");
      if (!left.isEmpty()) {
        lines.add(styled(Style.DIM, (padded(left, left, column) + right).stripTrailing()));
      }
      for (Row row : rows) {
        List<String> wrapped = wrapped(row.pieces, row.gap, columns - column);
        String label = styled(row.style, row.label);
        if (MARGIN + CellWidth.of(row.label) + MARGIN > column) {
          lines.add(" ".repeat(MARGIN) + label);
          label = "";
        }
        for (String line : wrapped) {
          lines.add(
              (padded(label, label.isEmpty() ? "" : row.label, column) + line).stripTrailing());
          label = "";
        }
      }
    }

    /** A label as shown, after its margin, and blanks up to a column. */
    private String padded(String shown, String label, int column) {
      return " ".repeat(MARGIN) + shown + " ".repeat(column - MARGIN - CellWidth.of(label));
    }
  }

  /** A row: its label, pieces, and the number of blanks between them. */
  private record Row(String label, Style style, List<String> pieces, int gap) {}
}
