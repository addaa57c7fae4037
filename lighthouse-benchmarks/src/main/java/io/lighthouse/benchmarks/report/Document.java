package io.lighthouse.benchmarks.report;

/**
 * A document of which parts are written by hand and parts by the machine. The machine's stand
 * between {@code <!-- begin NAME -->} and {@code <!-- end NAME -->}, each on a line of its own.
 */
final class Document {
  private String text;

  Document(String text) {
    this.text = text;
  }

  /** Replaces a part, which must be there. */
  void replace(String name, String content) {
    String begin = "<!-- begin " + name + " -->\n";
    String end = "<!-- end " + name + " -->";
    int from = text.indexOf(begin);
    int to = text.indexOf(end, from);
    if (from < 0 || to < 0) {
      throw new IllegalArgumentException(
          "the document has no part '" + name + "' between '" + begin.strip() + "' and its end");
    }
    text = text.substring(0, from + begin.length()) + "\n" + content + "\n" + text.substring(to);
  }

  @Override
  public String toString() {
    return text;
  }
}
