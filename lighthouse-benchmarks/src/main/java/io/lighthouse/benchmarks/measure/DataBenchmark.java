package io.lighthouse.benchmarks.measure;

import io.lighthouse.api.Assignments;
import io.lighthouse.benchmarks.placer.Contestant;
import io.lighthouse.benchmarks.problem.ProblemFile;
import java.io.IOException;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A problem from a file: one batch, as {@link BatchBenchmark}. Reading is not timed. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
public class DataBenchmark {
  /** The path of a gzipped problem. */
  @Param("problem.json.gz")
  public String file;

  /** The strategy. */
  @Param("PRIORITIZED")
  public Contestant strategy;

  private BatchRun run;

  /** Reads the problem. */
  @Setup(Level.Trial)
  public void readProblem() throws IOException {
    run = new BatchRun(ProblemFile.readGzipped(Path.of(file)), strategy);
  }

  /** Makes the distributor. */
  @Setup(Level.Invocation)
  public void freshDistributor() {
    run.freshDistributor();
  }

  /** Assigns the batch. */
  @Benchmark
  public Assignments assign() {
    return run.assign();
  }

  /** Counts what the batch allocated. */
  @TearDown(Level.Invocation)
  public void countBytes() {
    run.countBytes();
  }

  /** Records what the last batch placed and allocated. */
  @TearDown(Level.Trial)
  public void tell() {
    run.tell();
  }
}
