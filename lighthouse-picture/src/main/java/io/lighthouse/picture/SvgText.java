package io.lighthouse.picture;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/** The text of a drawing in SVG, element by element. It is well-formed for any names. */
final class SvgText {
  private final StringBuilder text = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /** Begins an element; names of attributes and their values in turn. */
  SvgText open(String name, Object... attributes) {
    start(name, attributes).append('>');
    open.push(name);
    return this;
  }

  /** Ends the element that was begun last. */
  SvgText close() {
    text.append("</").append(open.pop()).append(">\n");
    return this;
  }

  /** An element with nothing in it. */
  SvgText empty(String name, Object... attributes) {
    start(name, attributes).append("/>\n");
    return this;
  }

  /** An element that holds a text. */
  SvgText leaf(String name, String words, Object... attributes) {
    start(name, attributes).append('>');
    text.append(escaped(words)).append("</").append(name).append(">\n");
    return this;
  }

  /** Trusted markup, which is not escaped. */
  SvgText raw(String markup) {
    text.append(markup);
    return this;
  }

  private StringBuilder start(String name, Object... attributes) {
    text.append('<').append(name);
    for (int i = 0; i < attributes.length; i += 2) {
      text.append(' ').append(attributes[i]).append("=\"");
      text.append(escaped(attributes[i + 1].toString())).append('"');
    }
    return text;
  }

  /**
   * Escapes a text for XML and HTML. Characters that are not allowed there, or that could overwrite
   * other text, are shown as escapes.
   */
  static String escaped(String words) {
    StringBuilder safe = new StringBuilder();
    String printable = FleetText.printable(words);
    for (int i = 0; i < printable.length(); i++) {
      char c = printable.charAt(i);
      switch (c) {
        case '&' -> safe.append("&amp;");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '"' -> safe.append("&quot;");
        case '\'' -> safe.append("&#39;");
        case '\ufffe', '\uffff' ->
            safe.append("\\u").append(Integer.toHexString(c).toLowerCase(Locale.ROOT));
        default -> safe.append(c);
      }
    }
    return safe.toString();
  }

  /** A text cut to at most {@code columns} columns, with three dots where something is left out. */
  static String cut(String words, int columns) {
    String printable = FleetText.printable(words);
    if (CellWidth.of(printable) <= columns) {
      return printable;
    }
    StringBuilder cut = new StringBuilder();
    int width = 1;
    for (int point : printable.codePoints().toArray()) {
      String one = Character.toString(point);
      width += CellWidth.of(one);
      if (width > columns) {
        break;
      }
      cut.append(one);
    }
    return cut.append('\u2026').toString();
  }

  /** A part of a length, in pixels with one digit after the point; 0 of nothing. */
  static BigDecimal part(BigDecimal amount, BigDecimal whole, int pixels) {
    return whole.signum() == 0
        ? BigDecimal.ZERO
        : amount.multiply(BigDecimal.valueOf(pixels)).divide(whole, 1, RoundingMode.HALF_UP);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
