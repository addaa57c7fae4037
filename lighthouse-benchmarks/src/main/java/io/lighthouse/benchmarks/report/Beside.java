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
    Asked asked;
    try {
      asked = Asked.of(args);
    } catch (IllegalArgumentException wrong) {
      System.err.println("beside: " + wrong.getMessage() + "\n" + USAGE);
      System.exit(2);
      return;
    }
    Path folder = Files.createDirectories(Path.of(System.getProperty("lighthouse.report")));
    Suite suite = new Suite(Profile.QUICK, List.of());
    StringBuilder text = new StringBuilder();
    for (Part part : asked.parts()) {
      Table table = new Table(1, "case", "unit", asked.base(), "now", "ratio");
      for (Case wanted : suite.cases(part)) {
        System.err.print(wanted + " ...");
        for (Ratio ratio : measure(wanted, asked.seconds(), folder)) {
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

  /**
   * What the words of the command line ask for.
   *
   * @param base the commit that is compared with
   * @param seconds processor time of each side for a case
   * @param parts what is measured
   */
  record Asked(String base, int seconds, Set<Part> parts) {
    /**
     * Reads the words.
     *
     * @throws IllegalArgumentException if one is wrong
     */
    static Asked of(String... words) {
      int seconds = SECONDS;
      Set<Part> parts = EnumSet.noneOf(Part.class);
      for (int i = 1; i < words.length; i++) {
        if (words[i].equals("--seconds")) {
          seconds = seconds(++i < words.length ? words[i] : "");
        } else {
          parts.add(part(words[i]));
        }
      }
      return new Asked(words[0], seconds, parts.isEmpty() ? PARTS : parts);
    }

    private static int seconds(String text) {
      if (!text.matches("[1-9][0-9]{0,3}")) {
        throw new IllegalArgumentException(
            "--seconds is '" + text + "'; allowed: a whole number from 1 to 9999");
      }
      return Integer.parseInt(text);
    }

    private static Part part(String name) {
      return PARTS.stream()
          .filter(part -> part.toString().equals(name))
          .findFirst()
          .orElseThrow(
              () -> new IllegalArgumentException("part is '" + name + "'; allowed: " + PARTS));
    }
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
