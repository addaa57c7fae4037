package io.lighthouse.benchmarks.report;

import io.lighthouse.benchmarks.placer.Contestant;
import io.lighthouse.benchmarks.problem.ProblemSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What was measured in one run, by case. */
final class Results {
  private final Map<Case, Measurement> measurements = new LinkedHashMap<>();

  void add(Measurement measurement) {
    measurements.put(measurement.of(), measurement);
  }

  boolean has(Case wanted) {
    return measurements.containsKey(wanted);
  }

  Optional<Measurement> get(Case wanted) {
    return Optional.ofNullable(measurements.get(wanted));
  }

  Optional<Measurement> batch(Contestant strategy, ProblemSpec spec) {
    return get(Suite.batch(strategy, spec));
  }

  /** All, in the order in which they were measured. */
  List<Measurement> all() {
    return List.copyOf(measurements.values());
  }

  /** Those of one benchmark, or of several whose names begin alike. */
  List<Measurement> of(String benchmark) {
    List<Measurement> found = new ArrayList<>();
    for (Measurement measurement : measurements.values()) {
      if (measurement.of().benchmark().startsWith(benchmark)) {
        found.add(measurement);
      }
    }
    return found;
  }
}
