package io.lighthouse.benchmarks.quality;

import io.lighthouse.benchmarks.problem.ProblemFile;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Vector packing instances, gzipped, a JSON object a line: {@code instance}, {@code optimum} (null
 * where it is open), {@code problem}, whose quantities are whole numbers.
 */
final class VectorPackingFile {
  private VectorPackingFile() {}

  /** Those with a known optimum, in the order of the file. */
  static List<Instance> read(Path file) throws IOException {
    List<Instance> instances = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      for (String line : lines.lines().filter(text -> !text.isBlank()).toList()) {
        JsonNode instance = JsonMapper.shared().readTree(line);
        if (!instance.path("optimum").isNull()) {
          byte[] problem = instance.path("problem").toString().getBytes(StandardCharsets.UTF_8);
          instances.add(
              new Instance(
                  instance.path("instance").asString(),
                  ProblemFile.read(new ByteArrayInputStream(problem)),
                  instance.path("optimum").asInt()));
        }
      }
    }
    return instances;
  }
}
