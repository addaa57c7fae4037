package io.lighthouse.json;

import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Workload;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.util.MinimalPrettyPrinter;

/**
 * Writes problems as JSON in UTF-8. What was written and read again is equal to what was written.
 *
 * <p>Equal problems give equal bytes: strategy, rubric, settings, rules, domains, nodes, workloads,
 * last_placed, in this order, what is empty left out where the format lets it. Every rule at the
 * top, domain, node and workload has a line of its own. Infinities are strings, so that any JSON
 * parser reads the text.
 */
public final class ProblemWriter {
  private ProblemWriter() {}

  /**
   * Writes a problem, and a line feed behind it.
   *
   * @param problem the problem
   * @param out where to; flushed and left open
   * @throws IOException if it cannot be written
   */
  public static void write(Problem problem, OutputStream out) throws IOException {
    try (JsonGenerator json = Json.generator(out, new LinePerEntry())) {
      json.writeStartObject();
      members(json, problem);
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (JacksonIOException wrapped) {
      throw wrapped.getCause();
    }
    out.flush();
  }

  /** The members of a problem's object. */
  static void members(JsonGenerator json, Problem problem) {
    if (problem.strategy().isPresent()) {
      json.writeStringProperty("strategy", problem.strategy().get());
    }
    if (problem.rubric().isPresent()) {
      Json.resources(json, "rubric", problem.rubric().get().weights());
    }
    if (!problem.settings().isEmpty()) {
      json.writeObjectPropertyStart("settings");
      for (Map.Entry<String, String> setting : problem.settings().entrySet()) {
        json.writeStringProperty(setting.getKey(), setting.getValue());
      }
      json.writeEndObject();
    }
    TermsWriter.rules(json, "rules", problem.rules());
    if (!problem.domains().isEmpty()) {
      json.writeArrayPropertyStart("domains");
      for (Domain domain : problem.domains()) {
        write(json, domain);
      }
      json.writeEndArray();
    }
    json.writeArrayPropertyStart("nodes");
    for (Node node : problem.nodes()) {
      write(json, node);
    }
    json.writeEndArray();
    write(json, problem.workloads());
    if (problem.lastPlaced().isPresent()) {
      json.writeStringProperty("last_placed", problem.lastPlaced().get());
    }
  }

  static void write(JsonGenerator json, Domain domain) {
    json.writeStartObject();
    json.writeStringProperty("level", domain.level());
    json.writeStringProperty("name", domain.name());
    if (!domain.resources().isEmpty()) {
      TermsWriter.resources(json, "resources", domain.resources(), domain.units());
    }
    if (domain.cordoned()) {
      json.writeBooleanProperty("cordoned", true);
    }
    json.writeEndObject();
  }

  static void write(JsonGenerator json, Node node) {
    json.writeStartObject();
    json.writeStringProperty("name", node.name());
    TermsWriter.resources(json, "resources", node.resources(), node.units());
    if (!node.workloads().isEmpty()) {
      write(json, node.workloads());
    }
    if (node.cordoned()) {
      json.writeBooleanProperty("cordoned", true);
    }
    if (!node.domains().isEmpty()) {
      json.writeObjectPropertyStart("domains");
      node.domains().forEach(json::writeStringProperty);
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, List<Workload> workloads) {
    json.writeArrayPropertyStart("workloads");
    for (Workload workload : workloads) {
      write(json, workload);
    }
    json.writeEndArray();
  }

  static void write(JsonGenerator json, Workload workload) {
    json.writeStartObject();
    json.writeStringProperty("name", workload.name());
    Json.resources(json, "requirements", workload.requirements());
    write(json, "immunities", workload.immunities());
    write(json, "aversion_groups", workload.aversionGroups());
    TermsWriter.write(json, workload.terms());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String member, Set<String> names) {
    if (!names.isEmpty()) {
      Json.names(json, member, names);
    }
  }

  /** A line for each member at the top, and for each node and workload. */
  private static final class LinePerEntry extends MinimalPrettyPrinter {
    private static final long serialVersionUID = 1L;

    /**
     * The levels whose entries have lines of their own: the problem's members, and their lists'.
     */
    private static final int MEMBERS = 1;

    private static final int ENTRIES = 2;

    @Override
    public void writeObjectEntrySeparator(JsonGenerator json) throws JacksonException {
      json.writeRaw(level(json) == MEMBERS ? ",\n" : ",");
    }

    @Override
    public void beforeArrayValues(JsonGenerator json) throws JacksonException {
      breakLine(json);
    }

    @Override
    public void writeArrayValueSeparator(JsonGenerator json) throws JacksonException {
      json.writeRaw(level(json) == ENTRIES ? ",\n" : ",");
    }

    @Override
    public void writeEndArray(JsonGenerator json, int entries) throws JacksonException {
      if (entries > 0) {
        breakLine(json);
      }
      json.writeRaw(']');
    }

    private static void breakLine(JsonGenerator json) {
      if (level(json) == ENTRIES) {
        json.writeRaw('\n');
      }
    }

    private static int level(JsonGenerator json) {
      return json.streamWriteContext().getNestingDepth();
    }
  }
}
