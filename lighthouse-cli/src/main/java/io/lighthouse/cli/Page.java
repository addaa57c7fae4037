package io.lighthouse.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A page for people, {@value #WIDTH} columns wide. What does not fit a line goes on in the next,
 * under where it began. Characters that would control a terminal are shown as escapes.
 */
final class Page {
  /** Columns of a page. */
  static final int WIDTH = 80;

  private static final int MARGIN = 2;
  private static final int WIDEST_LABEL = 26;

  private final StringBuilder text = new StringBuilder();
  private final boolean colour;
  private final boolean blocks;

  /** The column behind the labels of the rows that follow. */
  private int column = MARGIN;

  Page(Terminal terminal) {
    this.colour = terminal.colour();
    this.blocks = terminal.blocks();
  }

  /** Whether more than ASCII may be used. */
  boolean blocks() {
    return blocks;
  }

  /** A heading in bold. */
  Page title(String words) {
    List<String> lines = wrapped(List.of(printable(words).split(" ")), 1, WIDTH);
    for (String line : lines) {
      text.append(Style.BOLD.of(line, colour)).append('\n');
    }
    return this;
  }

  /** An empty line, then the heads of two columns; rows with such labels follow. */
  Page section(String left, String right, Collection<String> labels) {
    int widest = width(left);
    for (String label : labels) {
      widest = Math.max(widest, width(printable(label)));
    }
    column = MARGIN + Math.min(widest, WIDEST_LABEL) + MARGIN;
    text.append('\n');
    if (!left.isEmpty()) {
      String gap = " ".repeat(column - MARGIN - width(left));
      String head = " ".repeat(MARGIN) + left + gap + right;
      text.append(Style.DIM.of(head.stripTrailing(), colour)).append('\n');
    }
    return this;
  }

  /** A row: a label, and pieces that are not broken, with a separator between them. */
  Page row(String label, Style style, List<String> pieces, String separator) {
    String end = separator.strip();
    List<String> ended = new ArrayList<>();
    for (int i = 0; i < pieces.size(); i++) {
      ended.add(printable(pieces.get(i)) + (i + 1 < pieces.size() ? end : ""));
    }
    label(label, style);
    List<String> lines = wrapped(ended, separator.length() - end.length(), WIDTH - column);
    text.append(String.join("\n" + " ".repeat(column), lines)).append('\n');
    return this;
  }

  /** A row of words. */
  Page row(String label, Style style, String words) {
    return row(label, style, List.of(words.split(" ")), " ");
  }

  /** A row whose right half is set already, printable and of one line. */
  Page set(String label, String right) {
    label(label, Style.PLAIN);
    text.append(right).append('\n');
    return this;
  }

  /** A text in a style, for the right half of a row that is set already. */
  String styled(Style style, String words) {
    return style.of(words, colour);
  }

  /** Writes the page. */
  void print(OutputStream out) throws IOException {
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** Pieces in lines of at most so many columns, where a piece alone is not wider. */
  private static List<String> wrapped(List<String> pieces, int gap, int columns) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    int at = 0;
    for (String piece : pieces) {
      if (at > 0 && at + gap + width(piece) > columns) {
        lines.add(line.toString());
        line.setLength(0);
        at = 0;
      } else if (at > 0) {
        line.append(" ".repeat(gap));
        at += gap;
      }
      line.append(piece);
      at += width(piece);
    }
    lines.add(line.toString());
    return lines;
  }

  private void label(String label, Style style) {
    String shown = printable(label);
    text.append(" ".repeat(MARGIN)).append(style.of(shown, colour));
    int at = MARGIN + width(shown);
    if (at + MARGIN > column) {
      text.append('\n');
      at = 0;
    }
    text.append(" ".repeat(column - at));
  }

  /** The text with control and format characters, which could draw over others, as escapes. */
  static String printable(String text) {
    StringBuilder shown = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isControl(c)) {
        shown = shown == null ? new StringBuilder(text.substring(0, i)) : shown;
        shown.append(String.format("\\u%04x", (int) c));
      } else if (shown != null) {
        shown.append(c);
      }
    }
    return shown == null ? text : shown.toString();
  }

  private static boolean isControl(char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }
}
