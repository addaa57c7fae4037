package io.lighthouse.benchmarks.report;

import io.lighthouse.benchmarks.measure.Outcome;
import io.lighthouse.benchmarks.run.Case;
import io.lighthouse.benchmarks.run.Facts;
import io.lighthouse.benchmarks.run.JmhRun;
import io.lighthouse.benchmarks.run.Part;
import io.lighthouse.benchmarks.run.Profile;
import io.lighthouse.benchmarks.run.Subprocess;
import io.lighthouse.benchmarks.run.Suite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Compares this checkout with an earlier commit, case by case: both builds in one JVM, each with a
 * class loader of its own, by turns ({@link TwoBuilds}). So other work on the machine affects both.
 * Started by the script {@code beside}, which builds both.
 */
public final class Beside {
  private static final String USAGE = "usage: beside COMMIT [--seconds N] [PART...]";

  /** The parts that are measured in this JVM's way; the others are programs or need other tools. */
  private static final Set<Part> PARTS =
      EnumSet.of(
          Part.BATCH,
          Part.DECISION,
          Part.CHURN,
          Part.NODES,
          Part.CLIFFS,
          Part.RULES,
          Part.MEMORY,
          Part.SESSION,
          Part.TRYOUT,
          Part.REFUSAL,
          Part.INSIGHT,
          Part.SCHEDULING);

  /** Processor time of each side for a case, in seconds. */
  private static final int SECONDS = 10;

  private Beside() {}

  /**
   * Runs the comparison.
   *
   * <p>System properties:
   *
   * <ul>
   *   <li>{@code lighthouse.before} and {@code lighthouse.now}, the class paths of the two builds.
   *   <li>{@code lighthouse.report}, the folder of the report.
   *   <li>{@code lighthouse.commit}, the commit, for the last line.
   * </ul>
   *
   * @param args the commit that is compared with, the time, and parts
   * @throws IOException if a case cannot be measured
   */
  public static void main(String[] args) throws IOException {
    String base = null;
    int seconds = SECONDS;
    Set<Part> parts = EnumSet.noneOf(Part.class);
    for (int i = 0; i < args.length; i++) {
      if (base == null) {
        base = args[i];
      } else if (args[i].equals("--seconds") && i + 1 < args.length) {
        seconds = Integer.parseInt(args[++i]);
      } else {
        parts.add(Part.named(args[i]));
      }
    }
    if (base == null || !PARTS.containsAll(parts)) {
      System.err.println(USAGE + "\nparts: " + PARTS);
      System.exit(2);
    }
    Path folder = Files.createDirectories(Path.of(System.getProperty("lighthouse.report")));
    Suite suite = new Suite(Profile.QUICK, List.of());
    StringBuilder text = new StringBuilder();
    for (Part part : parts.isEmpty() ? PARTS : parts) {
      Table table = new Table(1, "case", "unit", base, "now", "ratio");
      for (Case wanted : suite.cases(part)) {
        System.err.print(wanted + " ...");
        for (Ratio ratio : measure(wanted, seconds, folder)) {
          table.row(
              name(wanted),
              ratio.name(),
              Figures.rounded(ratio.before()),
              Figures.rounded(ratio.now()),
              Figures.times(ratio.now() / ratio.before()));
          System.err.print(" " + ratio.name() + " " + Figures.times(ratio.now() / ratio.before()));
        }
        System.err.println();
      }
      text.append("## ").append(part.title()).append("\n\n").append(table).append('\n');
      Files.writeString(folder.resolve("beside.md"), text);
    }
    Facts facts = Facts.now(command(args), System.getProperty("lighthouse.commit", "unknown"));
    text.append(facts.line());
    Files.writeString(folder.resolve("beside.md"), text);
    System.out.print(text);
  }

  private static String command(String[] args) {
    return "lighthouse-benchmarks/beside " + String.join(" ", args);
  }

  private static String name(Case wanted) {
    String method = wanted.benchmark().replace("Benchmark.", " ");
    return (method + " " + String.join(" ", wanted.params().values())).toLowerCase(Locale.ROOT);
  }

  /** A figure of the earlier build and of this one; its name has its unit. */
  private record Ratio(String name, double before, double now) {}

  /** Measures in a JVM of its own, so that no case is compiled for another one. */
  private static List<Ratio> measure(Case wanted, int seconds, Path folder) throws IOException {
    Path outcome = folder.resolve("beside.outcome");
    Files.deleteIfExists(outcome);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JmhRun.jvmOptions(wanted));
    for (String property : List.of("lighthouse.before", "lighthouse.now")) {
      command.add("-D" + property + "=" + System.getProperty(property));
    }
    command.add("-D" + Outcome.PROPERTY + "=" + outcome);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(TwoBuilds.class.getName(), wanted.benchmark(), "" + seconds));
    wanted.params().forEach((name, value) -> command.add(name + "=" + value));
    int code = Subprocess.run(new ProcessBuilder(command).inheritIO());
    if (code == TwoBuilds.NO_SUCH_CASE) {
      System.err.print(" not in both builds");
      return List.of();
    }
    if (code != 0) {
      throw new IOException(wanted + " exited with " + code);
    }
    Map<String, List<Double>> values = Outcome.read(outcome);
    List<Ratio> ratios = new ArrayList<>();
    values.forEach(
        (name, both) -> {
          if (both.size() != 2) {
            throw new IllegalStateException(wanted + ": " + name + " of one build alone");
          }
          ratios.add(new Ratio(name, both.get(0), both.get(1)));
        });
    return ratios;
  }
}
