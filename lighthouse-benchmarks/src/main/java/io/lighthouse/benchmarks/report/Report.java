package io.lighthouse.benchmarks.report;

import io.lighthouse.benchmarks.run.Facts;
import io.lighthouse.benchmarks.run.Measurement;
import io.lighthouse.benchmarks.run.Part;
import io.lighthouse.benchmarks.run.Results;
import io.lighthouse.benchmarks.run.Suite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes what was measured: a report of its own, and the machine's parts of the documentation. */
final class Report {
  private static final String PICTURE = "benchmarks.svg";
  private static final String QUALITY_PICTURE = "quality.svg";

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
    tables(Part.Page.BENCHMARKS, markdown);
    markdown.append("\n## Growth\n\n").append(growth());
    Files.writeString(folder.resolve(Part.Page.BENCHMARKS.file()), markdown);
    picture(folder);
    StringBuilder quality = new StringBuilder("# Quality\n\n## Goals\n\n").append(qualityGoals());
    tables(Part.Page.QUALITY, quality);
    Files.writeString(folder.resolve(Part.Page.QUALITY.file()), quality);
    qualityPicture(folder);
  }

  private void tables(Part.Page page, StringBuilder markdown) {
    for (Part part : page.parts()) {
      markdown.append("\n## ").append(part.title()).append("\n\n").append(table(part));
    }
  }

  /**
   * Writes the tables of some parts into a page of the documentation, and what is about the whole
   * page where all of it was measured.
   */
  void document(Path folder, Part.Page page, Set<Part> parts, boolean whole) throws IOException {
    Path file = folder.resolve(page.file());
    Document document = new Document(Files.readString(file));
    for (Part part : parts) {
      document.replace(part.toString(), table(part));
    }
    if (whole && page == Part.Page.QUALITY) {
      document.replace("quality-goals", qualityGoals());
      document.replace("quality-picture", "![Nodes used against time](" + QUALITY_PICTURE + ")\n");
      qualityPicture(folder);
    } else if (whole) {
      document.replace("facts", facts());
      document.replace("goals", goals());
      document.replace("growth", growth());
      document.replace(
          "picture", "![Cost of one attempt against the size of the fleet](" + PICTURE + ")\n");
      picture(folder);
    }
    Files.writeString(file, document.toString());
  }

  private String qualityGoals() {
    return new QualityGoals(results).table()
        + "\n"
        + Facts.lines(results.of(suite.cases(Part.Page.QUALITY.parts())));
  }

  private void qualityPicture(Path folder) throws IOException {
    QualityChart chart = new QualityChart(results);
    if (!chart.isEmpty()) {
      Files.writeString(folder.resolve(QUALITY_PICTURE), chart.svg());
    }
  }

  private String facts() {
    return facts(results.of(suite.cases(Part.Page.BENCHMARKS.parts())));
  }

  /** All that is known of some measurements; where they differ, each value that there is. */
  static String facts(Collection<Measurement> measurements) {
    Map<String, String> merged = new LinkedHashMap<>();
    for (Measurement measurement : measurements) {
      for (String name : measurement.taken().values().keySet()) {
        merged.computeIfAbsent(
            name,
            key ->
                measurements.stream()
                    .map(each -> each.taken().values().getOrDefault(key, "unknown"))
                    .distinct()
                    .collect(Collectors.joining("; ")));
      }
    }
    Table table = new Table(2, "", "");
    merged.forEach(table::row);
    return table.toString();
  }

  private String goals() {
    return new Goals(results).table()
        + "\n"
        + Facts.lines(results.of(suite.cases(Part.Page.BENCHMARKS.parts())));
  }

  private String table(Part part) {
    return tables.of(part) + "\n" + Facts.lines(results.of(suite.cases(part)));
  }

  private String growth() {
    return growth.table()
        + "\n"
        + Facts.lines(results.of(suite.cases(List.of(Part.BATCH, Part.COMPARED))));
  }

  private void picture(Path folder) throws IOException {
    if (!growth.series().isEmpty()) {
      Files.writeString(folder.resolve(PICTURE), new Chart(growth.series()).svg());
    }
  }
}
