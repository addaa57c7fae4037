package io.lighthouse.tests.contract;

import java.util.ArrayList;
import java.util.List;

/** Calls and answers in order, as readable lines. One thread may read while another writes. */
final class CallRecord {
  /** What stands before each entry of {@link #toString}, as a regular expression. */
  static final String ENTRY = "\n  \\d+\\. ";

  private final List<String> lines = new ArrayList<>();

  synchronized void add(String line) {
    lines.add(line);
  }

  synchronized String last() {
    return lines.isEmpty() ? "no call yet" : lines.get(lines.size() - 1);
  }

  @Override
  public synchronized String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      text.append("\n  ").append(i + 1).append(". ").append(lines.get(i));
    }
    return text.toString();
  }
}
