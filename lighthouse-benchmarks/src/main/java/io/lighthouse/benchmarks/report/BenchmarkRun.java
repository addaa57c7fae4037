package io.lighthouse.benchmarks.report;

import io.lighthouse.benchmarks.run.Case;
import io.lighthouse.benchmarks.run.CommandRun;
import io.lighthouse.benchmarks.run.DataFiles;
import io.lighthouse.benchmarks.run.Effort;
import io.lighthouse.benchmarks.run.Facts;
import io.lighthouse.benchmarks.run.JmhRun;
import io.lighthouse.benchmarks.run.Measurement;
import io.lighthouse.benchmarks.run.Part;
import io.lighthouse.benchmarks.run.PrintedTables;
import io.lighthouse.benchmarks.run.Profile;
import io.lighthouse.benchmarks.run.QualityRun;
import io.lighthouse.benchmarks.run.Results;
import io.lighthouse.benchmarks.run.Suite;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.RunnerException;

/** Runs the suite, or parts of it, and writes the report. Started by the script {@code run}. */
public final class BenchmarkRun {
  private static final String USAGE =
      """
      usage: run [--smoke | --quick] [--resume | --tables] [--docs] [PART...]
        --smoke   whether everything runs; the figures mean nothing
        --quick   all tables, the main cases (the default)
        --resume  measure only what earlier runs have not
        --tables  measure nothing: the tables of what earlier runs have measured
        --docs    write the tables and the picture into docs/benchmarks.md or docs/quality.md, too
      Without a part all that docs/benchmarks.md shows; the word quality is all of docs/quality.md.
      parts:\s\
      """;

  private final Path folder;
  private final Suite suite;
  private final Facts facts;
  private final PrintStream out;
  private final Path saved;
  private final List<String> failures = new ArrayList<>();
  private final Set<Case> all;
  private Results results = new Results();

  private BenchmarkRun(Path folder, Suite suite, Facts facts, PrintStream out) {
    this.folder = folder;
    this.suite = suite;
    this.facts = facts;
    this.out = out;
    saved = folder.resolve("measurements.json");
    all = suite.cases(EnumSet.allOf(Part.class));
    Results.read(saved).of(all).forEach(results::add);
  }

  /**
   * Runs the suite.
   *
   * <p>System properties:
   *
   * <ul>
   *   <li>{@code lighthouse.root}, the checkout.
   *   <li>{@code lighthouse.report}, the folder of the report.
   *   <li>{@code lighthouse.commit}, the commit, for the table of facts.
   * </ul>
   *
   * @param args options and parts, see the usage
   * @throws IOException if the report cannot be written
   */
  public static void main(String[] args) throws IOException {
    Profile profile = Profile.QUICK;
    boolean docs = false;
    boolean resume = false;
    boolean tables = false;
    Set<Part> parts = EnumSet.noneOf(Part.class);
    for (String arg : args) {
      switch (arg) {
        case "--smoke" -> profile = Profile.SMOKE;
        case "--quick" -> profile = Profile.QUICK;
        case "--resume" -> resume = true;
        case "--tables" -> tables = true;
        case "--docs" -> docs = true;
        case "-h", "--help" -> {
          System.out.println(USAGE + Arrays.toString(Part.values()));
          return;
        }
        case "benchmarks" -> parts.addAll(Part.Page.BENCHMARKS.parts());
        case "quality" -> parts.addAll(Part.Page.QUALITY.parts());
        default -> {
          try {
            parts.add(Part.named(arg));
          } catch (IllegalArgumentException unknown) {
            System.err.println("run: " + unknown.getMessage() + "\nTry: run --help");
            System.exit(2);
          }
        }
      }
    }
    if (parts.isEmpty()) {
      parts = Part.Page.BENCHMARKS.parts();
    }
    Path root = Path.of(System.getProperty("lighthouse.root", "."));
    // Figures of one profile are never mixed with those of another.
    Path folder =
        Path.of(System.getProperty("lighthouse.report", "target/report"))
            .resolve(profile.name().toLowerCase(Locale.ROOT));
    Files.createDirectories(folder);
    BenchmarkRun main =
        new BenchmarkRun(
            folder,
            new Suite(profile, DataFiles.find(root, System.err), DataFiles.sets(root, System.err)),
            Facts.now(command(args), System.getProperty("lighthouse.commit", "unknown")),
            System.err);
    if (!tables) {
      main.measure(root, profile, parts, resume);
    }
    main.write(root.resolve("docs"), parts, docs);
    if (!main.failures.isEmpty()) {
      System.err.println(String.join("\n", main.failures));
      System.exit(1);
    }
  }

  private static String command(String[] args) {
    return ("lighthouse-benchmarks/run " + String.join(" ", args)).strip();
  }

  private void measure(Path root, Profile profile, Set<Part> parts, boolean resume)
      throws IOException {
    Set<Case> cases = suite.cases(parts);
    if (resume) {
      cases.removeIf(results::has);
    }
    JmhRun jmh = new JmhRun(folder, facts);
    CommandRun command = new CommandRun(root, folder, facts);
    PrintedTables printed = new PrintedTables(root, folder, facts);
    QualityRun quality = new QualityRun(DataFiles.folder(root), facts);
    int number = 0;
    long started = System.nanoTime();
    for (Case wanted : cases) {
      out.printf(Locale.ROOT, "[%d/%d] %s ...", ++number, cases.size(), wanted);
      long began = System.nanoTime();
      try {
        Effort effort = profile.effort(wanted);
        Measurement measurement =
            QualityRun.takes(wanted)
                ? quality.run(wanted)
                : PrintedTables.takes(wanted)
                    ? printed.run(wanted)
                    : wanted.benchmark().equals(CommandRun.BENCHMARK)
                        ? command.run(wanted, effort)
                        : jmh.run(wanted, effort);
        results.add(measurement);
        out.printf(" %s", Figures.spread(measurement));
        // After each case: a run that is cut off can be resumed.
        results.write(saved);
      } catch (RunnerException | IOException | RuntimeException failed) {
        failures.add("failed: " + wanted + ": " + failed);
        out.print(" FAILED: " + failed);
      }
      long now = System.nanoTime();
      out.printf(Locale.ROOT, " [%.1f s; %.1f min]%n", (now - began) / 1e9, (now - started) / 60e9);
    }
    results = results.inOrderOf(all);
    try (PrintStream raw =
        new PrintStream(
            Files.newOutputStream(folder.resolve("jmh.json")), false, StandardCharsets.UTF_8)) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, raw).writeOut(jmh.results());
    }
  }

  private void write(Path docs, Set<Part> parts, boolean intoDocs) throws IOException {
    Report report = new Report(suite, results);
    report.write(folder);
    for (Part.Page page : Part.Page.values()) {
      Set<Part> of = page.parts();
      if (of.stream().noneMatch(parts::contains)) {
        continue;
      }
      System.out.println(Files.readString(folder.resolve(page.file())));
      if (intoDocs) {
        boolean whole =
            page == Part.Page.QUALITY || suite.cases(of).stream().allMatch(results::has);
        if (!whole) {
          out.println("goals, growth and picture stay as they are: parts are missing");
        }
        of.retainAll(parts);
        report.document(docs, page, of, whole);
      }
    }
  }
}
