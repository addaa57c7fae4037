package io.lighthouse.benchmarks.run;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Tables that other programs of the checkout measure and print, as Markdown on standard output: the
 * service, durable fleets, passes of the scheduling manager, the scheduler on a real API server. A
 * case names the table; what its program printed is kept from the first line of a table on.
 */
public final class PrintedTables {
  public static final String BENCHMARK = "printed";

  private final Path root;
  private final Path scratch;
  private final Facts facts;

  public PrintedTables(Path root, Path scratch, Facts facts) {
    this.root = root;
    this.scratch = scratch;
    this.facts = facts;
  }

  public static Case of(Part part) {
    return Case.of(BENCHMARK + " table", part);
  }

  public static Case rates(int nodes, int pods) {
    return Case.of(BENCHMARK + " table nodes pods", Part.RATES, nodes, pods);
  }

  public static boolean takes(Case wanted) {
    return wanted.benchmark().equals(BENCHMARK);
  }

  public Measurement run(Case wanted) throws IOException {
    Path printed = scratch.resolve("printed.md");
    Path errors = scratch.resolve("printed.err");
    ProcessBuilder program =
        new ProcessBuilder(command(wanted))
            .directory(root.toFile())
            .redirectOutput(printed.toFile())
            .redirectError(errors.toFile());
    long began = System.nanoTime();
    int code = Subprocess.run(program);
    String tables = fromFirstTable(Files.readString(printed));
    if (code != 0 || tables.isEmpty()) {
      throw new IOException(
          "'%s' exited with %d and printed %s: %s"
              .formatted(
                  String.join(" ", program.command()),
                  code,
                  tables.isEmpty() ? "no table" : "tables",
                  Files.readString(errors).strip()));
    }
    double nanos = System.nanoTime() - began;
    return new Measurement(wanted, facts, nanos, nanos, nanos, 1, Map.of(), tables);
  }

  /** What a program printed, without what comes before its first table; empty without a table. */
  public static String fromFirstTable(String printed) {
    return printed
        .lines()
        .dropWhile(line -> !line.startsWith("|"))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  /** The command line of a table's program, run in the folder of the checkout. */
  private static List<String> command(Case wanted) {
    return switch (Part.valueOf(wanted.param("table"))) {
      case SERVICE -> List.of("lighthouse-server/load");
      case FLEETS_OVER_HTTP -> List.of("lighthouse-server/load", "fleets");
      case RESTART -> List.of("lighthouse-server/load", "restart");
      case RATES ->
          List.of("lighthouse-kubernetes/speed", wanted.param("nodes"), wanted.param("pods"));
      case GROWTH_OF_PASSES ->
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-Xmx2g",
              "-XX:+UseSerialGC",
              "-cp",
              absolute(System.getProperty("java.class.path")),
              "io.lighthouse.benchmarks.measure.SchedulingGrowth");
      default -> throw new IllegalArgumentException("no program prints " + wanted);
    };
  }

  private static String absolute(String classPath) {
    return List.of(classPath.split(File.pathSeparator)).stream()
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
