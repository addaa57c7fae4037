package io.lighthouse.benchmarks.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** What was measured as JSON: a list with an object for each case. */
final class RawFigures {
  private RawFigures() {}

  static void write(Path file, Results results) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartArray();
      for (Measurement measurement : results.all()) {
        json.writeStartObject();
        json.writeStringProperty("benchmark", measurement.of().benchmark());
        json.writeNumberProperty("median_ns", measurement.median());
        json.writeNumberProperty("min_ns", measurement.min());
        json.writeNumberProperty("max_ns", measurement.max());
        json.writeNumberProperty("samples", measurement.samples());
        json.writeStringProperty("printed", measurement.printed());
        json.writeObjectPropertyStart("params");
        measurement.of().params().forEach(json::writeStringProperty);
        json.writeEndObject();
        json.writeObjectPropertyStart("outcome");
        measurement.values().forEach(json::writeNumberProperty);
        json.writeEndObject();
        json.writeObjectPropertyStart("taken");
        measurement.taken().values().forEach(json::writeStringProperty);
        json.writeEndObject();
        json.writeEndObject();
      }
      json.writeEndArray();
    }
  }

  /** What an earlier run wrote; nothing where there is no file. */
  static Results read(Path file) throws IOException {
    Results results = new Results();
    if (!Files.exists(file)) {
      return results;
    }
    try (InputStream in = Files.newInputStream(file);
        JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), in)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.START_OBJECT) {
        results.add(measurement(json));
      }
    }
    return results;
  }

  private static Measurement measurement(JsonParser json) {
    Map<String, String> figures = new LinkedHashMap<>();
    Map<String, Map<String, String>> groups = new LinkedHashMap<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      if (json.nextToken() == JsonToken.START_OBJECT) {
        Map<String, String> group = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
          String key = json.currentName();
          json.nextToken();
          group.put(key, json.getString());
        }
        groups.put(name, group);
      } else {
        figures.put(name, json.getString());
      }
    }
    Map<String, Double> values = new LinkedHashMap<>();
    groups.get("outcome").forEach((key, value) -> values.put(key, Double.valueOf(value)));
    return new Measurement(
        new Case(figures.get("benchmark"), groups.get("params")),
        new Facts(groups.get("taken")),
        Double.parseDouble(figures.get("median_ns")),
        Double.parseDouble(figures.get("min_ns")),
        Double.parseDouble(figures.get("max_ns")),
        Long.parseLong(figures.get("samples")),
        values,
        figures.getOrDefault("printed", ""));
  }
}
