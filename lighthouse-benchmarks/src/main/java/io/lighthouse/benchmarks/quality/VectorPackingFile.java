package io.lighthouse.benchmarks.quality;

import io.lighthouse.api.Rubric;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import io.lighthouse.json.read.ProblemReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Vector packing instances, gzipped, a JSON object a line: {@code instance}, {@code optimum} (null
 * where it is open), {@code best_published_heuristic}, {@code problem}.
 */
final class VectorPackingFile {
  private static final JsonFactory JSON = new JsonFactory();

  private VectorPackingFile() {}

  /** Those with a known optimum, in the order of the file. */
  static List<Instance> read(Path file) throws IOException {
    List<Instance> instances = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      String line;
      while ((line = lines.readLine()) != null) {
        Instance instance = line.isBlank() ? null : instance(line);
        if (instance != null && instance.optimum() > 0) {
          instances.add(instance);
        }
      }
    }
    return instances;
  }

  private static Instance instance(String line) {
    String name = "";
    int optimum = 0;
    int published = 0;
    BenchmarkProblem problem = null;
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), line)) {
      json.nextToken();
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String member = json.currentName();
        JsonToken value = json.nextToken();
        switch (member) {
          case "instance" -> name = json.getString();
          case "optimum" -> optimum = value == JsonToken.VALUE_NULL ? 0 : json.getIntValue();
          case "best_published_heuristic" ->
              published = value == JsonToken.VALUE_NULL ? 0 : json.getIntValue();
          case "problem" -> {
            int from = (int) json.currentTokenLocation().getCharOffset();
            json.skipChildren();
            int to = (int) json.currentLocation().getCharOffset();
            problem = problem(line.substring(from, to));
          }
          default -> json.skipChildren();
        }
      }
    }
    return new Instance(name, problem, optimum, published);
  }

  private static BenchmarkProblem problem(String text) {
    io.lighthouse.json.Problem read =
        ProblemReader.standard().read(text.getBytes(StandardCharsets.UTF_8)).problem();
    return new BenchmarkProblem(read.nodes(), read.workloads(), read.rubric().orElse(Rubric.of()));
  }
}
