package io.lighthouse.benchmarks.measure;

import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import io.lighthouse.benchmarks.problem.ProblemFile;
import java.io.IOException;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Param;

/** A problem from a file, instead of a generated one. */
public class DataBenchmark extends BatchBenchmark {
  /** The path of a gzipped problem. */
  @Param("problem.json.gz")
  public String file;

  @Override
  BenchmarkProblem problem() throws IOException {
    return ProblemFile.readGzipped(Path.of(file));
  }
}
