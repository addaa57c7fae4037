package io.lighthouse.kubernetes.cluster.device;

import io.lighthouse.kubernetes.cluster.object.UnsupportedFieldException;
import java.util.Map;
import java.util.Set;

/** The text of a {@link DeviceExpression} and a position in it, for the parser. */
final class DeviceExpressionScanner {
  /** The longest expression that Kubernetes accepts, in characters. */
  private static final int MAX_LENGTH = 10 * 1024;

  /** How much of an expression a message shows, in characters. */
  private static final int SHOWN = 100;

  private static final Set<String> KEYWORDS = Set.of("in", "true", "false", "null");
  private static final Map<Character, Character> ESCAPES =
      Map.of('\\', '\\', '"', '"', '\'', '\'', 'n', '\n', 't', '\t', 'r', '\r');

  private final String text;
  private int position;

  DeviceExpressionScanner(String text) {
    this.text = text;
    if (text.length() > MAX_LENGTH) {
      throw unsupported("more than " + MAX_LENGTH + " characters");
    }
  }

  /** Whether nothing but white space is left. */
  boolean isAtEnd() {
    peek();
    return position == text.length();
  }

  /** Whether a string literal comes next. */
  boolean isAtString() {
    return peek() == '"' || peek() == '\'';
  }

  /** Whether a name comes next; no keyword. */
  boolean isAtName() {
    int before = position;
    String word = word();
    position = before;
    return !word.isEmpty() && !KEYWORDS.contains(word);
  }

  /** The string, integer or Boolean that comes next. */
  Object literal() {
    if (isAtString()) {
      return string();
    }
    if (acceptWord("true")) {
      return true;
    }
    if (acceptWord("false")) {
      return false;
    }
    int before = position;
    String sign = accept("-") ? "-" : "";
    if (!isDigit(peek())) {
      position = before;
      throw unexpected();
    }
    int start = position;
    while (position < text.length() && isDigit(text.charAt(position))) {
      position++;
    }
    String digits = text.substring(start, position);
    if (position < text.length()
        && (text.charAt(position) == '.' || isLetter(text.charAt(position)))) {
      throw unsupported("a number that is not a decimal integer");
    }
    try {
      return Long.valueOf(sign + digits);
    } catch (NumberFormatException tooLong) {
      throw unsupported("an integer of more than 64 bits");
    }
  }

  /** The string literal that comes next; see {@link #isAtString}. */
  String string() {
    String quote = text.substring(position, position + 1);
    if (text.startsWith(quote.repeat(3), position)) {
      throw unsupported("a string in triple quotes");
    }
    StringBuilder string = new StringBuilder();
    for (position++; position < text.length(); position++) {
      char next = text.charAt(position);
      if (next == '\n' || next == '\r') {
        break;
      }
      if (next == quote.charAt(0)) {
        position++;
        return string.toString();
      }
      if (next == '\\') {
        position++;
        Character meant = ESCAPES.get(position < text.length() ? text.charAt(position) : 'x');
        if (meant == null) {
          throw unsupported("an escape other than \\\\ \\\" \\' \\n \\t \\r");
        }
        next = meant;
      }
      string.append(next);
    }
    throw unsupported("a string without an end");
  }

  /** The name that comes next; no keyword. */
  String name() {
    if (!isAtName()) {
      throw unexpected();
    }
    return word();
  }

  /** The letters and digits that come next; empty if the next character is no letter. */
  private String word() {
    int start = isLetter(peek()) ? position : text.length();
    int end = start;
    while (end < text.length() && (isLetter(text.charAt(end)) || isDigit(text.charAt(end)))) {
      end++;
    }
    String word = text.substring(start, end);
    position += word.length();
    return word;
  }

  /** Moves behind a word if it is the next one. */
  boolean acceptWord(String word) {
    int before = position;
    if (word().equals(word)) {
      return true;
    }
    position = before;
    return false;
  }

  /** Moves behind a symbol if it comes next. */
  boolean accept(String symbol) {
    peek();
    boolean isNext = text.startsWith(symbol, position);
    position += isNext ? symbol.length() : 0;
    return isNext;
  }

  /** Moves behind a symbol that must come next. */
  void require(String symbol) {
    if (!accept(symbol)) {
      throw unexpected();
    }
  }

  /** Skips white space; the next character, or 0 at the end. */
  char peek() {
    while (position < text.length() && " \t\r\n\f".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
    return position < text.length() ? text.charAt(position) : 0;
  }

  private static boolean isLetter(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** The refusal of what comes next. */
  UnsupportedFieldException unexpected() {
    char next = peek();
    if (isAtEnd()) {
      return unsupported("an expression without its end");
    }
    if (text.startsWith("//", position)) {
      return unsupported("a comment");
    }
    if ("+-*/%".indexOf(next) >= 0) {
      return unsupported("arithmetic with '" + next + "'");
    }
    String character = Character.toString(text.codePointAt(position));
    return unsupported("'" + character + "' as character " + (position + 1));
  }

  /** The refusal of something that was read. */
  UnsupportedFieldException unsupported(String what) {
    String line = text.strip().replaceAll("\\s+", " ");
    return new UnsupportedFieldException(
        shorten(what) + " in the CEL expression '" + shorten(line) + "'");
  }

  private static String shorten(String text) {
    // Half of a pair of surrogates is no character.
    return text.length() <= SHOWN
        ? text
        : text.substring(0, text.offsetByCodePoints(SHOWN + 1, -1)) + "...";
  }
}
