package io.lighthouse.benchmarks.report;

import io.lighthouse.benchmarks.run.Case;
import io.lighthouse.benchmarks.run.Facts;
import io.lighthouse.benchmarks.run.Measurement;
import io.lighthouse.benchmarks.run.PrintedTables;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Made-up measurements. */
final class Fake {
  private static final List<String> VALUES =
      List.of(
          "workloads",
          "nodes",
          "placed",
          "nodesUsed",
          "besideAverse",
          "bytesPerAttempt",
          "nanosPerAttempt",
          "attemptsTimed",
          "p50",
          "p99",
          "p999",
          "worst",
          "bytes",
          "bytesPerNode",
          "bytesPerPlaced",
          "bytesPerNodeEmptied",
          "reserved",
          "changing",
          "nanosPerStep",
          "processorNanos",
          "processorNanosOfAPod",
          "bytesPerStep",
          "instances",
          "complete",
          "averse",
          "used",
          "least",
          "optimal",
          "gap",
          "clock",
          "before",
          "freed",
          "moved",
          "fewest",
          "placing");

  static final Facts FACTS =
      new Facts(Map.of("date", "2026-01-02", "processor", "Abacus", "JDK", "Some VM 17.0.1"));

  private Fake() {}

  static Measurement measurement(Case of) {
    Map<String, Double> values = new LinkedHashMap<>();
    for (String value : VALUES) {
      values.put(value, 100.0);
    }
    String printed = PrintedTables.takes(of) ? "| a | table |\n| --- | --- |\n" : "";
    return new Measurement(of, FACTS, 1e6, 9e5, 2e6, 3, values, printed);
  }
}
