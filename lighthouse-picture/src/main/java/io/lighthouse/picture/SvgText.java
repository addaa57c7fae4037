package io.lighthouse.picture;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * The text of a drawing in SVG, element by element. It is well-formed for any names and texts,
 * which are escaped. Not thread-safe.
 *
 * <p>An element is given as its name and the names of its attributes, such as {@code "circle cx cy
 * r"}, followed by their values. Attributes beyond the values are left out. A {@code double} is
 * written with one digit after the point.
 */
public final class SvgText {
  private final StringBuilder text = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  SvgText() {}

  /**
   * Begins a drawing; {@link #close} ends it.
   *
   * @param attributes their names, separated by spaces
   * @param values their values in order
   * @return its text, without elements
   */
  public static SvgText drawing(String attributes, Object... values) {
    Object[] all = new Object[values.length + 1];
    all[0] = "http://www.w3.org/2000/svg";
    System.arraycopy(values, 0, all, 1, values.length);
    return new SvgText().open("svg xmlns " + attributes, all).raw("\n");
  }

  /** Begins an element. */
  SvgText open(String element, Object... values) {
    open.push(start(element, values));
    text.append('>');
    return this;
  }

  /**
   * Ends the open element that was begun last.
   *
   * @return this
   */
  public SvgText close() {
    text.append("</").append(open.pop()).append(">\n");
    return this;
  }

  /**
   * Adds an element without content.
   *
   * @param element its name and the names of its attributes
   * @param values their values in order
   * @return this
   */
  public SvgText empty(String element, Object... values) {
    start(element, values);
    text.append("/>\n");
    return this;
  }

  /**
   * Adds an element that holds a text.
   *
   * @param element its name and the names of its attributes
   * @param words the text
   * @param values their values in order
   * @return this
   */
  public SvgText leaf(String element, String words, Object... values) {
    String name = start(element, values);
    text.append('>').append(escaped(words)).append("</").append(name).append(">\n");
    return this;
  }

  /** Adds a text of a class of style. */
  SvgText text(String kind, Object x, Object y, String words) {
    return leaf("text class x y", words, kind, x, y);
  }

  /** Adds trusted markup, which is not escaped. */
  SvgText raw(String markup) {
    text.append(markup);
    return this;
  }

  /** Begins a tag; returns its name. */
  private String start(String element, Object... values) {
    String[] names = element.split(" ");
    text.append('<').append(names[0]);
    for (int i = 0; i < values.length; i++) {
      String value =
          values[i] instanceof Double
              ? String.format(Locale.ROOT, "%.1f", values[i])
              : values[i].toString();
      text.append(' ').append(names[i + 1]).append("=\"").append(escaped(value)).append('"');
    }
    return names[0];
  }

  /**
   * Escapes a text for XML and HTML. Characters that are not allowed there, or that could overwrite
   * other text, are shown as escapes.
   *
   * @param words any text
   * @return the text, safe in an element and in an attribute
   */
  public static String escaped(String words) {
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
