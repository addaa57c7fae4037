package io.lighthouse.json.log;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.json.Problem;
import io.lighthouse.json.token.Json;
import io.lighthouse.json.write.AnswerWriter;
import io.lighthouse.json.write.ProblemWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A decision on record: a problem, the options, and the answer. A replay makes the decision again
 * and compares.
 *
 * <p>Its hash is the SHA-256 (FIPS 180-4) of its canonical form. That is a line with the options as
 * a JSON array, and the problem as {@link ProblemWriter} writes it. The last line is the answer as
 * a JSON object of each workload's node or null. Equal decisions have equal hashes on every
 * machine. A written record also has the first eight hexadecimal digits of the SHA-256 of each
 * line. They tell where a record was altered. It is no signature: a deliberate change can change
 * the hashes, too. Immutable and thread-safe.
 *
 * @param madeBy what made it, such as {@code lighthouse}, {@code java} and {@code strategy}, each
 *     with its version or origin; no part of the hash
 * @param allOrNothing whether all workloads or none were to be placed
 * @param problem the problem, with the name of the strategy and its settings
 * @param answer a node or none for every workload of the problem
 */
public record DecisionRecord(
    Map<String, String> madeBy, boolean allOrNothing, Problem problem, Assignments answer) {
  /** The member of an answer that holds the hash. */
  public static final String DECISION = "decision";

  static final String ALL_OR_NOTHING = "all_or_nothing";

  /** The version of the format, which is what the first member says. */
  static final int FORMAT = 1;

  /** Checks and copies. */
  public DecisionRecord {
    madeBy = Collections.unmodifiableMap(new LinkedHashMap<>(madeBy));
    Objects.requireNonNull(problem, "problem");
    Objects.requireNonNull(answer, "answer");
  }

  /**
   * A decision that was made here, by this version of Lighthouse and on this Java.
   *
   * @param strategy the strategy that made it
   * @param allOrNothing whether all workloads or none were to be placed
   * @param problem the problem, with the name of the strategy and its settings
   * @param answer a node or none for every workload of the problem
   * @return the record
   */
  public static DecisionRecord of(
      StrategyDescription strategy, boolean allOrNothing, Problem problem, Assignments answer) {
    ModuleDescriptor module = DecisionRecord.class.getModule().getDescriptor();
    Map<String, String> maker = new LinkedHashMap<>();
    maker.put("lighthouse", module == null ? "unknown" : module.rawVersion().orElse("unknown"));
    maker.put("java", Runtime.version().toString());
    maker.put("strategy", strategy.origin());
    return new DecisionRecord(maker, allOrNothing, problem, answer);
  }

  /**
   * The hash of the decision. Cost: that of writing the problem.
   *
   * @return 64 lower-case hexadecimal digits
   */
  public String hash() {
    return canonical().whole();
  }

  /**
   * The hash that an answer in JSON names: its own member {@link #DECISION}. Cost: that of reading
   * the answer up to there.
   *
   * @param answer one JSON object in UTF-8
   * @return the hash; nothing where the answer names none
   */
  public static Optional<String> hashIn(byte[] answer) {
    return Json.member(answer, DECISION);
  }

  /**
   * Writes the record as JSON in UTF-8, a line for each node, workload and so on. Equal records
   * give equal bytes.
   *
   * @param out where to; flushed and left open
   * @throws IOException if it cannot be written
   */
  public void write(OutputStream out) throws IOException {
    LineDigests digests = canonical();
    byte[] head =
        AnswerWriter.toBytes(
            json -> {
              json.member("lighthouse_record", FORMAT);
              json.object("made_by", inside -> madeBy.forEach(inside::member));
              json.names("options", options());
            });
    out.write(head, 0, head.length - 1);
    out.write(",\n\"problem\":".getBytes(StandardCharsets.UTF_8));
    ProblemWriter.write(problem, out);
    byte[] answered = AnswerWriter.toBytes(json -> json.assignments("answer", answer));
    out.write(',');
    out.write(answered, 1, answered.length - 2);
    List<String> lines = new ArrayList<>();
    lines.add(LineDigests.ofLine(madeByLine()));
    lines.addAll(digests.lines());
    byte[] end =
        AnswerWriter.toBytes(json -> json.names("lines", lines).member(DECISION, digests.whole()));
    out.write(",\n".getBytes(StandardCharsets.UTF_8));
    out.write(end, 1, end.length - 1);
    out.write('\n');
    out.flush();
  }

  /**
   * Writes {@code decision}, the hash, into an answer, and behind it {@code record}, the record as
   * {@link #write(OutputStream)} writes it.
   *
   * @param into the answer
   * @param hash the {@link #hash()} of this record, which takes time to compute
   * @param whole whether to write the record, not only its hash
   */
  public void write(AnswerWriter into, String hash, boolean whole) {
    into.member(DECISION, hash);
    if (!whole) {
      return;
    }
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      write(text);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    into.json("record", text.toString(StandardCharsets.UTF_8).stripTrailing());
  }

  List<String> options() {
    return allOrNothing ? List.of(ALL_OR_NOTHING) : List.of();
  }

  byte[] madeByLine() {
    return AnswerWriter.toBytes(
        json -> json.object("made_by", inside -> madeBy.forEach(inside::member)));
  }

  /** The digests of the canonical form. */
  LineDigests canonical() {
    LineDigests digests = new LineDigests();
    try {
      digests.write(AnswerWriter.toBytes(json -> json.names("options", options())));
      digests.write('\n');
      ProblemWriter.write(problem, digests);
      digests.write(AnswerWriter.toBytes(json -> json.assignments("answer", answer)));
      digests.write('\n');
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return digests;
  }
}
