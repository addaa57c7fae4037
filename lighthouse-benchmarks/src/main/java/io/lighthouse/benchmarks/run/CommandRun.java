package io.lighthouse.benchmarks.run;

import io.lighthouse.benchmarks.problem.ProblemFile;
import io.lighthouse.benchmarks.problem.ProblemGenerator;
import io.lighthouse.benchmarks.problem.ProblemSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The command line from a file: the whole process by the clock on the wall, start of the JVM,
 * reading, placing and writing included. The problem is written to a file beforehand, and removed.
 */
public final class CommandRun {
  public static final String BENCHMARK = "command";
  public static final String HEAP = "-Xmx4g";

  /** Exit code of the command where some workload was refused, which is no failure here. */
  private static final int SOME_REFUSED = 1;

  private final Path root;
  private final Path scratch;
  private final Facts facts;

  public CommandRun(Path root, Path scratch, Facts facts) {
    this.facts = facts;
    this.root = root;
    this.scratch = scratch;
  }

  public static Case of(int nodes) {
    return Case.of(BENCHMARK + " nodes", nodes);
  }

  public Measurement run(Case wanted, Effort effort) throws IOException {
    Path problem = scratch.resolve("problem.json").toAbsolutePath();
    ProblemFile.write(ProblemGenerator.generate(ProblemSpec.plain(wanted.nodes())), problem);
    try {
      assign(problem); // builds the program where that is due
      double[] nanos = new double[effort.iterations()];
      for (int i = 0; i < nanos.length; i++) {
        long began = System.nanoTime();
        assign(problem);
        nanos[i] = System.nanoTime() - began;
      }
      return Measurement.of(wanted, facts, nanos, Map.of("megabytes", Files.size(problem) / 1e6));
    } finally {
      Files.delete(problem);
    }
  }

  private void assign(Path problem) throws IOException {
    Path errors = scratch.resolve("command.err");
    ProcessBuilder command =
        new ProcessBuilder("./lighthouse", "assign", "--output", "json", problem.toString())
            .directory(root.toFile())
            .redirectOutput(scratch.resolve("command.out").toFile())
            .redirectError(errors.toFile());
    command.environment().put("LIGHTHOUSE_OPTS", HEAP);
    int code = Subprocess.run(command);
    if (code != 0 && code != SOME_REFUSED) {
      throw new IOException("./lighthouse exited with " + code + ": " + Files.readString(errors));
    }
  }
}
