package io.lighthouse.benchmarks.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The results of a benchmark beside its time: placed workloads, percentiles, bytes. JMH runs a
 * benchmark in a JVM of its own, and returns only times. The other values go through a file that
 * the system property {@value #PROPERTY} names, one line for each value. Without the property
 * nothing is kept.
 */
public final class Outcome {
  /** Names the file. */
  public static final String PROPERTY = "lighthouse.benchmarks.outcome";

  private Outcome() {}

  public static void add(String key, double value) {
    String file = System.getProperty(PROPERTY);
    if (file == null) {
      return;
    }
    try {
      Files.writeString(
          Path.of(file),
          key + "=" + value + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** The values of each key, in the order in which they were added; none without the file. */
  public static Map<String, List<Double>> read(Path file) throws IOException {
    Map<String, List<Double>> values = new LinkedHashMap<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        int equals = line.indexOf('=');
        values
            .computeIfAbsent(line.substring(0, equals), key -> new ArrayList<>())
            .add(Double.parseDouble(line.substring(equals + 1)));
      }
    }
    return values;
  }
}
