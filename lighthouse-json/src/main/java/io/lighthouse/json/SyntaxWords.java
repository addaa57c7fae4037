package io.lighthouse.json;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says why a text is no JSON: in words of our own for the mistakes that people make most. */
public final class SyntaxWords {
  private static final Pattern CHARACTER =
      Pattern.compile("Unexpected character \\('(.+)' \\(code ([0-9]+).*", Pattern.DOTALL);
  private static final Pattern WORD =
      Pattern.compile("Unrecognized token '(.*?)'.*", Pattern.DOTALL);

  /** How the parser begins what it adds: where a value began, and which of its features help. */
  private static final List<String> ADVICE =
      List.of(
          " (start marker at",
          ": enable `",
          ": hexadecimal number literals",
          ": maybe a (non-standard)");

  private static final String YAML =
      ", as YAML may; the command reads YAML from files that end in .yaml or .yml";

  private SyntaxWords() {}

  /**
   * Why a text is no JSON.
   *
   * @param message what the parser says
   * @param atTop whether it says so outside of all objects and arrays
   * @param inArray whether it says so directly in an array
   * @return such as {@code the comma before '}' is one too many}
   */
  public static String of(String message, boolean atTop, boolean inArray) {
    Matcher word = WORD.matcher(message);
    if (word.matches()) {
      return word(word.group(1), atTop);
    }
    Matcher character = CHARACTER.matcher(message);
    if (character.matches()) {
      String said = character((char) Integer.parseInt(character.group(2)), message, atTop, inArray);
      return said.isEmpty() ? plain(message) : said;
    }
    if (message.startsWith("Unexpected end-of-input")) {
      return message.contains("closing quote")
          ? "it ends within a text whose closing quote is missing"
          : "it ends before all that was opened is closed";
    }
    return plain(message);
  }

  private static String word(String word, boolean top) {
    return switch (word) {
      case "True", "TRUE", "False", "FALSE" ->
          "it has '" + word + "'; JSON has true and false, in small letters";
      case "None", "nil", "undefined" -> "it has '" + word + "', which no text has";
      default ->
          top
              ? "it begins with '" + word + "'" + YAML
              : "'" + word + "' is neither a number nor a text in double quotes";
    };
  }

  private static String character(char found, String message, boolean atTop, boolean inArray) {
    boolean name = message.contains("double-quote to start");
    if (message.contains("numeric value") || message.contains("hex-digit")) {
      // The character stands in a number or an escape, not between two values.
      return atTop && message.contains("minus sign") ? "it begins with a hyphen" + YAML : "";
    }
    if (found == '\'') {
      return "it has single quotes; names and texts stand in double quotes";
    }
    if (found == '#' || found == '/') {
      return "it has a comment, which JSON does not have";
    }
    if (atTop) {
      return "";
    }
    if (name && found == '}' || found == ']' && inArray) {
      return "the comma before '" + found + "' is one too many";
    }
    if (name && (Character.isLetter(found) || found == '_')) {
      return "a name stands in double quotes";
    }
    if (message.contains("expecting comma")) {
      return "a comma is missing before '" + found + "'";
    }
    return message.contains("expecting a colon") ? "a colon is missing before '" + found + "'" : "";
  }

  /** The parser's words without its advice on its own features. */
  private static String plain(String message) {
    String text = message.replace(" (or 'NaN'/'+INF'/'-INF')", "");
    for (String end : ADVICE) {
      int cut = text.indexOf(end);
      text = cut < 0 ? text : text.substring(0, cut);
    }
    return Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }
}
