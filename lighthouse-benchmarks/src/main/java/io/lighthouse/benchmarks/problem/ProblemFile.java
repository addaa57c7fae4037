package io.lighthouse.benchmarks.problem;

import io.lighthouse.api.Rubric;
import io.lighthouse.json.Problem;
import io.lighthouse.json.read.ProblemReader;
import io.lighthouse.json.write.ProblemWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Problems in files, in the project's own format. */
public final class ProblemFile {
  private ProblemFile() {}

  /** Reads a gzipped problem; without a rubric, it has an empty one. */
  public static BenchmarkProblem readGzipped(Path file) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return read(in);
    }
  }

  /** Reads a problem from JSON. */
  public static BenchmarkProblem read(InputStream in) throws IOException {
    Problem read = ProblemReader.standard().read(in).problem();
    return new BenchmarkProblem(read.nodes(), read.workloads(), read.rubric().orElse(Rubric.of()));
  }

  public static void write(BenchmarkProblem problem, Path file) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      ProblemWriter.write(
          Problem.of(problem.nodes(), problem.workloads()).withRubric(problem.rubric()), out);
    }
  }
}
