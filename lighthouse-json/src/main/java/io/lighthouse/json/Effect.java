package io.lighthouse.json;

import io.lighthouse.api.Change;
import io.lighthouse.api.Node;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

/**
 * What one call did to a fleet, as the fleet's log has it: not what was asked, but what came of it.
 * Carrying out the effects of a log in their order leads to an equal fleet, and asks no strategy.
 *
 * <p>In writing it is one JSON object in one line: {@code v} (1), {@code kind}, and {@code problem}
 * where the effect is that a fleet is there, or {@code changes}. Immutable and thread-safe.
 *
 * @param kind what sort of call it was, such as {@code placed}
 * @param problem the whole fleet, where it was created; else nothing
 * @param changes what was changed, in order: nodes added, removed, resized, cordoned and opened,
 *     domains likewise, workloads assigned, moved, released and regrouped
 */
public record Effect(String kind, Optional<Problem> problem, List<Change> changes) {
  /** The version of the form in writing, which is what the first member says. */
  static final int FORMAT = 1;

  /** Checks and copies. */
  public Effect {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(problem, "problem");
    changes = List.copyOf(changes);
  }

  /**
   * An effect of changes.
   *
   * @param kind what sort of call it was
   * @param changes what was changed, in order
   * @return the effect
   */
  public static Effect of(String kind, List<Change> changes) {
    return new Effect(kind, Optional.empty(), changes);
  }

  /**
   * A fleet was created.
   *
   * @param kind the word for it
   * @param problem the whole fleet
   * @return the effect
   */
  public static Effect of(String kind, Problem problem) {
    return new Effect(kind, Optional.of(problem), List.of());
  }

  /**
   * Its JSON. Equal effects have equal bytes.
   *
   * @return one object in UTF-8, without a line feed
   */
  public byte[] toJson() {
    ByteArrayOutputStream out = new ByteArrayOutputStream(256);
    try (JsonGenerator json = Json.generator(out, null)) {
      json.writeStartObject();
      json.writeNumberProperty("v", FORMAT);
      json.writeStringProperty("kind", kind);
      if (problem.isPresent()) {
        json.writeObjectPropertyStart("problem");
        ProblemWriter.members(json, problem.get());
        json.writeEndObject();
      }
      if (!changes.isEmpty()) {
        json.writeArrayPropertyStart("changes");
        for (Change change : changes) {
          json.writeStartObject();
          write(json, change);
          json.writeEndObject();
        }
        json.writeEndArray();
      }
      json.writeEndObject();
    }
    return out.toByteArray();
  }

  /**
   * The kind of an effect in writing, read without the rest of it.
   *
   * @param effect the JSON of an effect
   * @return its kind
   * @throws IllegalArgumentException if it has none
   */
  public static String kindIn(byte[] effect) {
    try (JsonParser json = Json.parser(effect)) {
      json.nextToken();
      for (String member = json.nextName(); member != null; member = json.nextName()) {
        json.nextToken();
        if (member.equals("kind")) {
          return json.getString();
        }
        json.skipChildren();
      }
    }
    throw new IllegalArgumentException("the effect has no kind");
  }

  private static void write(JsonGenerator json, Change change) {
    if (change instanceof Change.Assign assign) {
      json.writeStringProperty("change", "assign");
      json.writeName("assigned");
      ProblemWriter.write(json, assign.workload());
      json.writeStringProperty("node", assign.node());
    } else if (change instanceof Change.Release release) {
      json.writeStringProperty("change", "release");
      json.writeStringProperty("workload", release.workload());
    } else if (change instanceof Change.Move move) {
      json.writeStringProperty("change", "move");
      json.writeStringProperty("workload", move.workload());
      json.writeStringProperty("from", move.from());
      json.writeStringProperty("to", move.to());
    } else if (change instanceof Change.AddNode add) {
      json.writeStringProperty("change", "add-node");
      added(json, add.node());
    } else if (change instanceof Change.RemoveNode remove) {
      node(json, "remove-node", remove.node());
    } else if (change instanceof Change.Resize resize) {
      node(json, "resize", resize.node());
      Json.resources(json, "resources", resize.capacity());
    } else if (change instanceof Change.Cordon cordon) {
      node(json, "cordon", cordon.node());
    } else if (change instanceof Change.Uncordon uncordon) {
      node(json, "uncordon", uncordon.node());
    } else if (change instanceof Change.Declare declare) {
      json.writeStringProperty("change", "declare");
      json.writeName("declared");
      ProblemWriter.write(json, declare.domain());
    } else if (change instanceof Change.Undeclare undeclare) {
      domain(json, "undeclare", undeclare.level(), undeclare.domain());
    } else if (change instanceof Change.ResizeDomain resize) {
      domain(json, "resize-domain", resize.level(), resize.domain());
      Json.resources(json, "resources", resize.capacity());
    } else if (change instanceof Change.CordonDomain cordon) {
      String word = cordon.cordoned() ? "cordon-domain" : "uncordon-domain";
      domain(json, word, cordon.level(), cordon.domain());
    } else {
      Change.Regroup regroup = (Change.Regroup) change;
      json.writeStringProperty("change", "regroup");
      json.writeStringProperty("workload", regroup.workload());
      json.writeArrayPropertyStart("groups");
      regroup.groups().forEach(json::writeString);
      json.writeEndArray();
    }
  }

  private static void added(JsonGenerator json, Node node) {
    json.writeName("added");
    ProblemWriter.write(json, node);
  }

  private static void domain(JsonGenerator json, String word, String level, String domain) {
    json.writeStringProperty("change", word);
    json.writeStringProperty("level", level);
    json.writeStringProperty("domain", domain);
  }

  private static void node(JsonGenerator json, String word, String node) {
    json.writeStringProperty("change", word);
    json.writeStringProperty("node", node);
  }
}
