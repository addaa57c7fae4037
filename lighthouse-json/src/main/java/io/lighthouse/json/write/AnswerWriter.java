package io.lighthouse.json.write;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.GangRefusal;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import io.lighthouse.json.problem.TermsWriter;
import io.lighthouse.json.token.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.JacksonIOException;

/**
 * Writes answers as JSON in UTF-8: one object in one line, member by member in the order of the
 * calls. Equal calls give equal bytes.
 *
 * <pre>{@code
 * AnswerWriter.write(
 *     out, answer -> answer.member("strategy", "bin-pack").assignments("assignments", assignments));
 * }</pre>
 *
 * <p>A name is used once in an object: that is the caller's care. Not thread-safe.
 */
public final class AnswerWriter {
  /** The member with a text for people. */
  static final String WORDS = "words";

  private final JsonGenerator json;

  private AnswerWriter(JsonGenerator json) {
    this.json = json;
  }

  /**
   * Writes one object, without a line feed behind it.
   *
   * @param out where to; written in large pieces, flushed and left open
   * @param members writes the members
   * @throws IOException if it cannot be written
   */
  public static void write(OutputStream out, Consumer<AnswerWriter> members) throws IOException {
    try (JsonGenerator json = Json.generator(out, null)) {
      json.writeStartObject();
      members.accept(new AnswerWriter(json));
      json.writeEndObject();
    } catch (JacksonIOException wrapped) {
      throw wrapped.getCause();
    }
    out.flush();
  }

  /**
   * Writes one object into memory.
   *
   * @param members writes the members
   * @return the object in UTF-8, without a line feed behind it
   */
  public static byte[] toBytes(Consumer<AnswerWriter> members) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try {
      write(bytes, members);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /**
   * Writes a text.
   *
   * @param name the name of the member
   * @param value its value; null is written as null
   * @return this
   */
  public AnswerWriter member(String name, String value) {
    json.writeStringProperty(name, value);
    return this;
  }

  /**
   * Writes a whole number.
   *
   * @param name the name of the member
   * @param value its value
   * @return this
   */
  public AnswerWriter member(String name, long value) {
    json.writeNumberProperty(name, value);
    return this;
  }

  /**
   * Writes true or false.
   *
   * @param name the name of the member
   * @param value its value
   * @return this
   */
  public AnswerWriter member(String name, boolean value) {
    json.writeBooleanProperty(name, value);
    return this;
  }

  /**
   * Writes a quantity: a number with all its digits, or {@code "inf"} or {@code "-inf"}.
   *
   * @param name the name of the member
   * @param value its value
   * @return this
   */
  public AnswerWriter member(String name, Quantity value) {
    Json.quantity(json, name, value);
    return this;
  }

  /**
   * Writes what is JSON already.
   *
   * @param name the name of the member
   * @param value one JSON value, which is trusted to be one
   * @return this
   */
  public AnswerWriter json(String name, String value) {
    json.writeName(name);
    json.writeRawValue(value);
    return this;
  }

  /**
   * Writes a map from names to quantities.
   *
   * @param name the name of the member
   * @param value its value
   * @return this
   */
  public AnswerWriter member(String name, Resources value) {
    Json.resources(json, name, value);
    return this;
  }

  /**
   * Writes a list of texts.
   *
   * @param name the name of the member
   * @param values the texts, in order
   * @return this
   */
  public AnswerWriter names(String name, Collection<String> values) {
    Json.names(json, name, values);
    return this;
  }

  /**
   * Writes a list of whole numbers.
   *
   * @param name the name of the member
   * @param values the numbers, in order
   * @return this
   */
  public AnswerWriter numbers(String name, Collection<Long> values) {
    json.writeArrayPropertyStart(name);
    values.forEach(json::writeNumber);
    json.writeEndArray();
    return this;
  }

  /**
   * Writes an object.
   *
   * @param name the name of the member
   * @param members writes its members
   * @return this
   */
  public AnswerWriter object(String name, Consumer<AnswerWriter> members) {
    json.writeObjectPropertyStart(name);
    members.accept(this);
    json.writeEndObject();
    return this;
  }

  /**
   * Writes the member {@code units}, the unit of each resource that has one; nothing where none
   * has.
   *
   * @param units the units by resource
   * @return this
   */
  public AnswerWriter units(Map<String, Unit> units) {
    if (!units.isEmpty()) {
      json.writeObjectPropertyStart("units");
      for (Map.Entry<String, Unit> unit : units.entrySet()) {
        json.writeObjectPropertyStart(unit.getKey());
        TermsWriter.unit(json, unit.getValue());
        json.writeEndObject();
      }
      json.writeEndObject();
    }
    return this;
  }

  /**
   * Writes a list of objects.
   *
   * @param name the name of the member
   * @param values what the objects stand for, in order
   * @param members writes the members of one of them
   * @param <T> what the objects stand for
   * @return this
   */
  public <T> AnswerWriter objects(
      String name, Collection<T> values, BiConsumer<AnswerWriter, T> members) {
    json.writeArrayPropertyStart(name);
    for (T value : values) {
      json.writeStartObject();
      members.accept(this, value);
      json.writeEndObject();
    }
    json.writeEndArray();
    return this;
  }

  /**
   * Writes every workload with its node, or null where it has none.
   *
   * @param name the name of the member
   * @param assignments the answer to a batch; its order is kept
   * @return this
   */
  public AnswerWriter assignments(String name, Assignments assignments) {
    return assignments(name, assignments, true);
  }

  /**
   * Writes the placed workloads with their nodes; those without one are left out.
   *
   * @param name the name of the member
   * @param assignments the answer to a batch; its order is kept
   * @return this
   */
  public AnswerWriter placements(String name, Assignments assignments) {
    return assignments(name, assignments, false);
  }

  /**
   * Writes what is left of declared domains: by level, by name, by resource.
   *
   * @param name the name of the member
   * @param domains their states, those of one level behind one another
   * @return this
   */
  public AnswerWriter leftOfDomains(String name, List<DomainState> domains) {
    json.writeObjectPropertyStart(name);
    String level = null;
    for (DomainState domain : domains) {
      if (!domain.level().equals(level)) {
        if (level != null) {
          json.writeEndObject();
        }
        level = domain.level();
        json.writeObjectPropertyStart(level);
      }
      Json.resources(json, domain.name(), domain.left());
    }
    if (level != null) {
      json.writeEndObject();
    }
    json.writeEndObject();
    return this;
  }

  /**
   * Writes why workloads were refused. Each refusal is an object with these members:
   *
   * <ul>
   *   <li>{@code workload}.
   *   <li>{@code nodes}, the number of nodes.
   *   <li>{@code gang}, where the workload has one, with {@code gang}, {@code members}, {@code
   *       placed}, {@code domain} and {@code tried}.
   *   <li>{@code counts}, each with {@code reason}, its subject, and {@code nodes}.
   *   <li>{@code nearest}, each with {@code node} and {@code reasons}.
   * </ul>
   *
   * @param name the name of the member
   * @param refusals the refusals, in order
   * @return this
   */
  public AnswerWriter refusals(String name, List<Refusal> refusals) {
    return objects(name, refusals, AnswerWriter::refusal);
  }

  /**
   * Writes why one workload was refused.
   *
   * @param name the name of the member
   * @param refusal the refusal
   * @return this
   */
  public AnswerWriter refusal(String name, Refusal refusal) {
    return object(name, inside -> inside.refusal(refusal));
  }

  /**
   * Writes the same with a text for people: {@code words} in each count and each reason.
   *
   * @param name the name of the member
   * @param refusal the refusal
   * @param ofCount the text of a count
   * @param ofReason the text of a reason
   * @return this
   */
  public AnswerWriter refusal(
      String name,
      Refusal refusal,
      Function<ReasonCount, String> ofCount,
      Function<Reason, String> ofReason) {
    return object(
        name,
        inside ->
            inside.refusal(
                refusal,
                count -> member(WORDS, ofCount.apply(count)),
                reason -> member(WORDS, ofReason.apply(reason))));
  }

  /**
   * Writes what every node says to one workload: {@code workload}, {@code chosen} (a node, or
   * null), {@code nodes} ({@code node}, {@code fits}, {@code reasons}), {@code counts} and {@code
   * nearest}.
   *
   * @param name the name of the member
   * @param explanation the explanation
   * @return this
   */
  public AnswerWriter explanation(String name, Explanation explanation) {
    return object(
        name,
        inside -> {
          inside.member("workload", explanation.workload());
          inside.member("chosen", explanation.chosen().orElse(null));
          explanation.summary().gang().ifPresent(gang -> object("gang", in -> in.gang(gang)));
          inside.objects("nodes", explanation.nodes(), AnswerWriter::verdict);
          inside.countsAndNearest(explanation.summary(), count -> {}, reason -> {});
        });
  }

  /**
   * Writes a list of reasons.
   *
   * @param name the name of the member
   * @param values the reasons, in order
   * @return this
   */
  public AnswerWriter reasons(String name, List<Reason> values) {
    return reasonsAnd(name, values, reason -> {});
  }

  AnswerWriter reasons(String name, List<Reason> values, Function<Reason, String> words) {
    return reasonsAnd(name, values, reason -> member(WORDS, words.apply(reason)));
  }

  private AnswerWriter reasonsAnd(String name, List<Reason> values, Consumer<Reason> behind) {
    return objects(
        name,
        values,
        (inside, reason) -> {
          ReasonWriter.reason(json, reason);
          behind.accept(reason);
        });
  }

  private AnswerWriter assignments(String name, Assignments assignments, boolean all) {
    json.writeObjectPropertyStart(name);
    for (int i = 0; i < assignments.size(); i++) {
      String node = assignments.node(i).orElse(null);
      if (all || node != null) {
        json.writeStringProperty(assignments.workload(i), node);
      }
    }
    json.writeEndObject();
    return this;
  }

  private void refusal(Refusal refusal) {
    refusal(refusal, count -> {}, reason -> {});
  }

  /** Writes a refusal; the functions write what stands behind a count or a reason. */
  private void refusal(
      Refusal refusal, Consumer<ReasonCount> behindCount, Consumer<Reason> behindReason) {
    member("workload", refusal.workload());
    member("nodes", refusal.nodes());
    refusal.gang().ifPresent(gang -> object("gang", inside -> inside.gang(gang)));
    countsAndNearest(refusal, behindCount, behindReason);
  }

  private void gang(GangRefusal gang) {
    member("gang", gang.gang());
    member("members", gang.members());
    member("placed", gang.placed());
    gang.domain().ifPresent(domain -> member("domain", domain));
    if (gang.tried() >= 0) {
      member("tried", gang.tried());
    }
  }

  private void countsAndNearest(
      Refusal refusal, Consumer<ReasonCount> behindCount, Consumer<Reason> behindReason) {
    objects(
        "counts",
        refusal.counts(),
        (inside, count) -> {
          ReasonWriter.count(json, count);
          behindCount.accept(count);
        });
    objects(
        "nearest",
        refusal.nearest(),
        (inside, verdict) -> {
          member("node", verdict.node());
          reasonsAnd("reasons", verdict.reasons(), behindReason);
        });
  }

  private void verdict(NodeVerdict verdict) {
    member("node", verdict.node());
    member("fits", verdict.fits());
    reasons("reasons", verdict.reasons());
  }
}
