package io.lighthouse.cli.page;

/** How a text is set off: colours on a terminal that has them, nothing elsewhere. */
public enum Style {
  PLAIN(""),
  BOLD("1"),
  DIM("2"),
  RED("31"),
  GREEN("32"),
  YELLOW("33"),
  CYAN("36");

  private final String code;

  Style(String code) {
    this.code = code;
  }

  /** The text in this style. */
  String of(String text, boolean colour) {
    return colour && this != PLAIN && !text.isEmpty()
        ? "\u001b[" + code + "m" + text + "\u001b[0m"
        : text;
  }
}
