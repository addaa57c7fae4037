package io.lighthouse.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/** Writes what was measured: a report of its own, and the machine's parts of the documentation. */
final class Report {
  private static final String PICTURE = "benchmarks.svg";

  private final Suite suite;
  private final Results results;
  private final Tables tables;
  private final Growth growth;

  Report(Suite suite, Results results) {
    this.suite = suite;
    this.results = results;
    tables = new Tables(results, suite.leftOut());
    growth = new Growth(results);
  }

  /** Writes everything there is into a folder. */
  void write(Path folder) throws IOException {
    StringBuilder markdown = new StringBuilder("# Benchmarks\n\n").append(facts());
    markdown.append("\n## Goals\n\n").append(goals());
    for (Part part : Part.values()) {
      markdown.append("\n## ").append(part.title()).append("\n\n").append(table(part));
    }
    markdown.append("\n## Growth\n\n").append(growth());
    Files.writeString(folder.resolve("benchmarks.md"), markdown);
    picture(folder);
  }

  /**
   * Writes the tables of some parts into the documentation.
   *
   * @param folder the folder of the documentation
   * @param parts the parts
   * @param whole whether to write, too, what tells of all parts together
   */
  void document(Path folder, Set<Part> parts, boolean whole) throws IOException {
    Path page = folder.resolve("benchmarks.md");
    Document document = new Document(Files.readString(page));
    for (Part part : parts) {
      document.replace(part.toString(), table(part));
    }
    if (whole) {
      document.replace("facts", facts());
      document.replace("goals", goals());
      document.replace("growth", growth());
      document.replace(
          "picture", "![Cost of one attempt against the size of the fleet](" + PICTURE + ")\n");
      picture(folder);
    }
    Files.writeString(page, document.toString());
  }

  private String facts() {
    return Facts.table(results.all());
  }

  private String goals() {
    return new Goals(results).table() + "\n" + Facts.lines(results.all());
  }

  private String table(Part part) {
    return tables.of(part) + "\n" + Facts.lines(results.of(suite.cases(part)));
  }

  private String growth() {
    Set<Case> cases = new LinkedHashSet<>(suite.cases(Part.BATCH));
    cases.addAll(suite.cases(Part.COMPARED));
    return growth.table() + "\n" + Facts.lines(results.of(cases));
  }

  private void picture(Path folder) throws IOException {
    if (!growth.series().isEmpty()) {
      Files.writeString(folder.resolve(PICTURE), new Chart(growth.series()).svg());
    }
  }
}
