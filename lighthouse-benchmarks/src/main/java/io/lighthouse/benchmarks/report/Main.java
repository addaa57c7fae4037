package io.lighthouse.benchmarks.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.RunnerException;

/** Runs the suite, or parts of it, and writes the report. Started by the script {@code run}. */
public final class Main {
  private static final String USAGE =
      """
      usage: run [--smoke | --quick | --full] [--docs] [PART...]
        --smoke   whether everything runs; the figures mean nothing
        --quick   all tables, the main cases (the default)
        --full    every combination
        --docs    write the tables and the picture into docs/benchmarks.md, too
      parts:\s""";

  private final Path root;
  private final Path report;
  private final PrintStream out;
  private final Results results = new Results();
  private final List<String> failures = new ArrayList<>();

  private Main(Path root, Path report, PrintStream out) {
    this.root = root;
    this.report = report;
    this.out = out;
  }

  /**
   * Runs the suite.
   *
   * <p>System properties: {@code lighthouse.root}, the checkout; {@code lighthouse.report}, the
   * folder of the report; {@code lighthouse.commit}, for the table of facts.
   *
   * @param args options and parts, see the usage
   * @throws IOException if the report cannot be written
   */
  public static void main(String[] args) throws IOException {
    Profile profile = Profile.QUICK;
    boolean docs = false;
    Set<Part> parts = EnumSet.noneOf(Part.class);
    for (String arg : args) {
      switch (arg) {
        case "--smoke" -> profile = Profile.SMOKE;
        case "--quick" -> profile = Profile.QUICK;
        case "--full" -> profile = Profile.FULL;
        case "--docs" -> docs = true;
        default -> {
          try {
            parts.add(Part.named(arg));
          } catch (IllegalArgumentException unknown) {
            System.err.println(unknown.getMessage());
            System.err.println(USAGE + Arrays.toString(Part.values()));
            System.exit(2);
          }
        }
      }
    }
    if (parts.isEmpty()) {
      parts = EnumSet.allOf(Part.class);
    }
    Main main =
        new Main(
            Path.of(System.getProperty("lighthouse.root", ".")),
            Path.of(System.getProperty("lighthouse.report", "target/report")),
            System.err);
    Files.createDirectories(main.report);
    main.measure(profile, parts);
    main.write(command(args), parts, docs);
    System.out.println(Files.readString(main.report.resolve("benchmarks.md")));
    if (!main.failures.isEmpty()) {
      System.err.println(String.join("\n", main.failures));
      System.exit(1);
    }
  }

  private static String command(String[] args) {
    return Stream.concat(Stream.of("lighthouse-benchmarks/run"), Arrays.stream(args))
        .reduce((a, b) -> a + " " + b)
        .orElseThrow();
  }

  private void measure(Profile profile, Set<Part> parts) throws IOException {
    Suite suite = new Suite(profile, DataFiles.find(root, out));
    Set<Case> cases = new LinkedHashSet<>();
    parts.forEach(part -> cases.addAll(suite.cases(part)));
    JmhRun jmh = new JmhRun(report);
    CommandRun command = new CommandRun(root, report);
    int number = 0;
    for (Case wanted : cases) {
      out.printf(Locale.ROOT, "[%d/%d] %s ...", ++number, cases.size(), wanted);
      long began = System.nanoTime();
      try {
        Budget budget = profile.budget(wanted);
        Measurement measurement =
            wanted.benchmark().equals(CommandRun.BENCHMARK)
                ? command.run(wanted, budget)
                : jmh.run(wanted, budget);
        results.add(measurement);
        out.printf(" %s", Figures.spread(measurement));
      } catch (RunnerException | IOException | RuntimeException failed) {
        failures.add("failed: " + wanted + ": " + failed);
        out.print(" FAILED");
      }
      out.printf(Locale.ROOT, " [%.1f s]%n", (System.nanoTime() - began) / 1e9);
    }
    try (PrintStream raw =
        new PrintStream(
            Files.newOutputStream(report.resolve("jmh.json")), false, StandardCharsets.UTF_8)) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, raw).writeOut(jmh.results());
    }
    RawFigures.write(report.resolve("measurements.json"), results);
  }

  private void write(String command, Set<Part> parts, boolean docs) throws IOException {
    Tables tables = new Tables(results);
    Growth growth = new Growth(results);
    String facts = Facts.table(command, System.getProperty("lighthouse.commit", "unknown"));
    boolean whole = parts.size() == Part.values().length;

    StringBuilder markdown = new StringBuilder("# Benchmarks\n\n").append(facts);
    markdown.append("\n## Goals\n\n").append(new Goals(results).table());
    for (Part part : parts) {
      markdown.append("\n## ").append(part.title()).append("\n\n").append(tables.of(part));
    }
    markdown.append("\n## Growth\n\n").append(growth.table());
    Files.writeString(report.resolve("benchmarks.md"), markdown);
    String picture = growth.series().isEmpty() ? "" : new Chart(growth.series()).svg();
    if (!picture.isEmpty()) {
      Files.writeString(report.resolve("benchmarks.svg"), picture);
    }
    if (!docs) {
      return;
    }
    Path page = root.resolve("docs/benchmarks.md");
    Document document = new Document(Files.readString(page));
    for (Part part : parts) {
      document.replace(part.toString(), tables.of(part));
    }
    if (whole) {
      document.replace("facts", facts);
      document.replace("goals", new Goals(results).table());
      document.replace("growth", growth.table());
      document.replace(
          "picture", "![Cost of one attempt against the size of the fleet](benchmarks.svg)\n");
      Files.writeString(root.resolve("docs/benchmarks.svg"), picture);
    }
    Files.writeString(page, document.toString());
  }
}
