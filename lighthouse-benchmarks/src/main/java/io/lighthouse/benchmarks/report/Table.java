package io.lighthouse.benchmarks.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** A table in Markdown. The first columns are words, the others figures. */
final class Table {
  static final String NOT_MEASURED = "Not measured in this run.\n";

  private final List<List<String>> rows = new ArrayList<>();

  Table(int words, String... columns) {
    rows.add(Arrays.asList(columns));
    List<String> rule = new ArrayList<>(Collections.nCopies(words, "---"));
    rule.addAll(Collections.nCopies(columns.length - words, "---:"));
    rows.add(rule);
  }

  void row(Object... cells) {
    if (cells.length != rows.get(0).size()) {
      throw new IllegalArgumentException(
          cells.length + " cells in a table of " + rows.get(0).size() + " columns");
    }
    rows.add(Arrays.stream(cells).map(Object::toString).toList());
  }

  @Override
  public String toString() {
    if (rows.size() == 2) {
      return NOT_MEASURED;
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      text.append("| ").append(String.join(" | ", row)).append(" |\n");
    }
    return text.toString();
  }
}
