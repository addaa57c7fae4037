package io.lighthouse.json.problem;

import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Workload;
import io.lighthouse.json.Problem;
import io.lighthouse.json.token.Json;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JsonGenerator;

/** Writes a problem's members, and its domains, nodes and workloads one by one. */
public final class PartWriter {
  private PartWriter() {}

  /** The members of a problem's object. */
  public static void members(JsonGenerator json, Problem problem) {
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

  public static void write(JsonGenerator json, Domain domain) {
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

  public static void write(JsonGenerator json, Node node) {
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

  public static void write(JsonGenerator json, Workload workload) {
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
}
