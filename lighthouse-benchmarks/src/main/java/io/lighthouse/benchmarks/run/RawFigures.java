package io.lighthouse.benchmarks.run;

import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.json.JsonMapper;

/** What was measured as JSON: a list with an object for each case. */
public final class RawFigures {
  private static final JsonMapper JSON = JsonMapper.shared();

  private RawFigures() {}

  public static void write(Path file, Results results) {
    JSON.writeValue(file, results.all());
  }

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
}
