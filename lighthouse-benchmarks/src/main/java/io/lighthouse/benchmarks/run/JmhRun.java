package io.lighthouse.benchmarks.run;

import io.lighthouse.benchmarks.measure.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.Statistics;

/** Runs cases with JMH, each in a JVM of its own, and keeps JMH's own results too. */
public final class JmhRun {
  private static final String PACKAGE = "io.lighthouse.benchmarks.measure.";

  /** Bytes for an operation, as the gc profiler calls it. */
  private static final String BYTES = "gc.alloc.rate.norm";

  /** What JMH says of the case that was run last. */
  private static final String LOG = "jmh.log";

  /** As many of it as tell why a case failed. */
  private static final int LAST_LINES = 40;

  private final Path scratch;
  private final Facts facts;
  private final Collection<RunResult> results = new ArrayList<>();

  public JmhRun(Path scratch, Facts facts) {
    this.scratch = scratch;
    this.facts = facts;
  }

  /** The options of the JVM that a case is measured in. */
  public static List<String> jvmOptions(Case wanted) {
    String heap = wanted.nodes() > 10_000 ? "6g" : "2g";
    return List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+UseSerialGC");
  }

  public Collection<RunResult> results() {
    return results;
  }

  public Measurement run(Case wanted, Effort effort) throws RunnerException, IOException {
    Path outcome = scratch.resolve("outcome");
    Files.deleteIfExists(outcome);
    List<String> jvm = new ArrayList<>(jvmOptions(wanted));
    jvm.add("-D" + Outcome.PROPERTY + "=" + outcome);
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(PACKAGE + wanted.benchmark()) + "$")
            .warmupIterations(effort.warmups())
            .warmupTime(TimeValue.seconds(effort.seconds()))
            .timeUnit(TimeUnit.NANOSECONDS)
            .measurementIterations(effort.iterations())
            .measurementTime(TimeValue.seconds(effort.seconds()))
            .forks(1)
            .jvmArgs(jvm.toArray(String[]::new))
            .shouldFailOnError(true)
            .output(scratch.resolve(LOG).toString());
    wanted.params().forEach(options::param);
    if (wanted.benchmark().startsWith("RefusalBenchmark")) {
      options.addProfiler(GCProfiler.class);
    }
    RunResult result = run(options.build());
    results.add(result);

    Map<String, Double> values = medians(Outcome.read(outcome), effort);
    result
        .getSecondaryResults()
        .forEach(
            (name, other) -> {
              if (name.endsWith(BYTES)) {
                values.put("bytes", other.getScore());
              }
            });
    Statistics times = result.getPrimaryResult().getStatistics();
    return new Measurement(
        wanted,
        facts,
        times.getPercentile(50),
        times.getMin(),
        times.getMax(),
        times.getN(),
        values);
  }

  private RunResult run(Options options) throws RunnerException, IOException {
    try {
      return new Runner(options).run().iterator().next();
    } catch (RunnerException failed) {
      List<String> log = Files.readAllLines(scratch.resolve(LOG));
      throw new RunnerException(
          String.join("\n", log.subList(Math.max(0, log.size() - LAST_LINES), log.size())), failed);
    }
  }

  /** The median of each, of the iterations that count. */
  private static Map<String, Double> medians(Map<String, List<Double>> all, Effort effort) {
    Map<String, Double> medians = new LinkedHashMap<>();
    all.forEach(
        (key, values) -> {
          int from = Math.max(0, values.size() - effort.iterations());
          List<Double> counted = new ArrayList<>(values.subList(from, values.size()));
          counted.sort(null);
          medians.put(key, counted.get(counted.size() / 2));
        });
    return medians;
  }
}
