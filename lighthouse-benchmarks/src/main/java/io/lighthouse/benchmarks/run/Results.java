package io.lighthouse.benchmarks.run;

import io.lighthouse.benchmarks.placer.Contestant;
import io.lighthouse.benchmarks.problem.ProblemSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/** What was measured, in one run or in several, by case. */
public final class Results {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Map<Case, Measurement> measurements = new LinkedHashMap<>();

  /** What an earlier run wrote; nothing where there is no file. */
  public static Results read(Path file) {
    Results results = new Results();
    if (Files.exists(file)) {
      for (Measurement measurement : JSON.readValue(file, Measurement[].class)) {
        results.add(measurement);
      }
    }
    return results;
  }

  /** Writes the raw figures as JSON: a list with an object for each case. */
  public void write(Path file) {
    JSON.writeValue(file, all());
  }

  /** Takes a measurement in, instead of an earlier one of the same case. */
  public void add(Measurement measurement) {
    measurements.put(measurement.of(), measurement);
  }

  public boolean has(Case wanted) {
    return measurements.containsKey(wanted);
  }

  public Optional<Measurement> get(Case wanted) {
    return Optional.ofNullable(measurements.get(wanted));
  }

  public Optional<Measurement> batch(Contestant strategy, ProblemSpec spec) {
    return get(Suite.batch(strategy, spec));
  }

  /** All, in the order in which they were added. */
  public List<Measurement> all() {
    return List.copyOf(measurements.values());
  }

  /** The same in the order of some cases; the rest at the end. */
  public Results inOrderOf(Collection<Case> cases) {
    Results ordered = new Results();
    cases.forEach(wanted -> get(wanted).ifPresent(ordered::add));
    all().stream().filter(found -> !ordered.has(found.of())).forEach(ordered::add);
    return ordered;
  }

  /** Those of some cases, in their order. */
  public List<Measurement> of(Collection<Case> cases) {
    return cases.stream().flatMap(wanted -> get(wanted).stream()).toList();
  }

  /** Those of one benchmark, or of several whose names begin alike. */
  public List<Measurement> of(String benchmark) {
    List<Measurement> found = new ArrayList<>();
    for (Measurement measurement : measurements.values()) {
      if (measurement.of().benchmark().startsWith(benchmark)) {
        found.add(measurement);
      }
    }
    return found;
  }
}
