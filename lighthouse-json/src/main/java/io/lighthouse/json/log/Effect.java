package io.lighthouse.json.log;

import io.lighthouse.api.Change;
import io.lighthouse.json.Limits;
import io.lighthouse.json.Problem;
import io.lighthouse.json.problem.PartWriter;
import io.lighthouse.json.token.Json;
import io.lighthouse.json.token.TextReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/**
 * What one call did to a fleet, as the fleet's log has it: the result of the call, not the call.
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

  private static final TextReader READER = new TextReader(Limits.WRITTEN);

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
   * Reads effects: an array of them, as {@link #toJson} writes them.
   *
   * @param in JSON in UTF-8; left open
   * @return the effects, in order
   * @throws IOException if the bytes cannot be read
   */
  public static List<Effect> read(InputStream in) throws IOException {
    return READER.read(
        in,
        "an array of effects",
        tokens -> {
          List<Effect> effects = new EffectParser(tokens).read();
          return () -> effects;
        });
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
        PartWriter.members(json, problem.get());
        json.writeEndObject();
      }
      if (!changes.isEmpty()) {
        json.writeArrayPropertyStart("changes");
        for (Change change : changes) {
          json.writeStartObject();
          change.match(new ChangeMembers(json));
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
    return Json.member(effect, "kind")
        .orElseThrow(() -> new IllegalArgumentException("the effect has no kind"));
  }

  /** Writes the members of a change, for each kind. */
  private record ChangeMembers(JsonGenerator json) implements Change.Cases<JsonGenerator> {
    @Override
    public JsonGenerator addNode(Change.AddNode add) {
      kind("add-node").writeName("added");
      PartWriter.write(json, add.node());
      return json;
    }

    @Override
    public JsonGenerator removeNode(Change.RemoveNode remove) {
      return node("remove-node", remove.node());
    }

    @Override
    public JsonGenerator resize(Change.Resize resize) {
      node("resize", resize.node());
      Json.resources(json, "resources", resize.capacity());
      return json;
    }

    @Override
    public JsonGenerator cordon(Change.Cordon cordon) {
      return node("cordon", cordon.node());
    }

    @Override
    public JsonGenerator uncordon(Change.Uncordon uncordon) {
      return node("uncordon", uncordon.node());
    }

    @Override
    public JsonGenerator assign(Change.Assign assign) {
      kind("assign").writeName("assigned");
      PartWriter.write(json, assign.workload());
      return json.writeStringProperty("node", assign.node());
    }

    @Override
    public JsonGenerator move(Change.Move move) {
      return workload("move", move.workload())
          .writeStringProperty("from", move.from())
          .writeStringProperty("to", move.to());
    }

    @Override
    public JsonGenerator release(Change.Release release) {
      return workload("release", release.workload());
    }

    @Override
    public JsonGenerator declare(Change.Declare declare) {
      kind("declare").writeName("declared");
      PartWriter.write(json, declare.domain());
      return json;
    }

    @Override
    public JsonGenerator undeclare(Change.Undeclare undeclare) {
      return domain("undeclare", undeclare.level(), undeclare.domain());
    }

    @Override
    public JsonGenerator resizeDomain(Change.ResizeDomain resize) {
      domain("resize-domain", resize.level(), resize.domain());
      Json.resources(json, "resources", resize.capacity());
      return json;
    }

    @Override
    public JsonGenerator cordonDomain(Change.CordonDomain cordon) {
      String word = cordon.cordoned() ? "cordon-domain" : "uncordon-domain";
      return domain(word, cordon.level(), cordon.domain());
    }

    @Override
    public JsonGenerator regroup(Change.Regroup regroup) {
      Json.names(workload("regroup", regroup.workload()), "groups", regroup.groups());
      return json;
    }

    private JsonGenerator kind(String word) {
      return json.writeStringProperty("change", word);
    }

    private JsonGenerator node(String word, String node) {
      return kind(word).writeStringProperty("node", node);
    }

    private JsonGenerator workload(String word, String workload) {
      return kind(word).writeStringProperty("workload", workload);
    }

    private JsonGenerator domain(String word, String level, String domain) {
      return kind(word).writeStringProperty("level", level).writeStringProperty("domain", domain);
    }
  }
}
