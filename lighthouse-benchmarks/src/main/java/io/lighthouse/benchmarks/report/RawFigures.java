package io.lighthouse.benchmarks.report;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes what was measured as JSON: a list with an object for each case. */
final class RawFigures {
  private RawFigures() {}

  static void write(Path file, Results results) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartArray();
      for (Measurement measurement : results.all()) {
        json.writeStartObject();
        json.writeStringProperty("benchmark", measurement.of().benchmark());
        for (Map.Entry<String, String> param : measurement.of().params().entrySet()) {
          json.writeStringProperty(param.getKey(), param.getValue());
        }
        json.writeNumberProperty("median_ns", measurement.median());
        json.writeNumberProperty("min_ns", measurement.min());
        json.writeNumberProperty("max_ns", measurement.max());
        json.writeNumberProperty("samples", measurement.samples());
        json.writeObjectPropertyStart("outcome");
        for (Map.Entry<String, Double> value : measurement.values().entrySet()) {
          json.writeNumberProperty(value.getKey(), value.getValue());
        }
        json.writeEndObject();
        json.writeEndObject();
      }
      json.writeEndArray();
    }
  }
}
