package io.lighthouse.json;

import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.advice.Supposition;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Reads problems from JSON.
 *
 * <p>Both vocabularies are understood: {@code name} or {@code id}, {@code immunities} or {@code
 * tolerations}, {@code workloads} or {@code loads}. A quantity is a JSON number, a string that
 * holds one, {@code "inf"}, {@code "+inf"}, {@code "-inf"}, or bare {@code inf} or {@code -inf}; it
 * keeps every digit. One byte order mark is skipped. What is wrong comes back with its place, and
 * all of it at once, unless the text is no JSON at all.
 *
 * <p>A text is read in one pass. Beyond the problem itself a reader keeps some 100 bytes a workload
 * and a few megabytes. Immutable and thread-safe.
 */
public final class ProblemReader {
  /** The words of the format are no names; the limits are not for them. */
  private static final int LONGEST_WORD = 64;

  /** The member that holds what is supposed. */
  static final String CHANGES = "changes";

  /** The member that holds kinds of nodes that are offered. */
  static final String OFFERS = "offers";

  /** The member that holds what is to fit beside the rest. */
  static final String MIX = "mix";

  private static final ProblemReader STANDARD =
      new ProblemReader(Limits.STANDARD, List.of(), Beside.NOTHING);

  private final Limits limits;
  private final List<String> flags;
  private final Beside beside;
  private final JsonFactory factory;

  /** What may stand beside a problem. */
  enum Beside {
    /** Nothing but flags. */
    NOTHING,
    /** What is supposed. */
    CHANGES,
    /** What is asked of a plan. */
    PLAN,
    /** Kinds of nodes that are offered. */
    OFFERS,
    /** What is to fit beside it. */
    MIX
  }

  private ProblemReader(Limits limits, List<String> flags, Beside beside) {
    this.beside = beside;
    this.limits = limits;
    this.flags = flags;
    // Ours are exact and speak of places; the parser's stand behind them and bound its memory.
    int longest = Math.max(LONGEST_WORD, Math.max(limits.nameLength(), limits.numberLength()));
    this.factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(limits.depth() + 1)
                    .maxStringLength(longest)
                    .maxNameLength(longest)
                    .maxNumberLength(longest)
                    .build())
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();
  }

  /**
   * The reader for files of one's own.
   *
   * @return a reader with {@link Limits#STANDARD} and no flags
   */
  public static ProblemReader standard() {
    return STANDARD;
  }

  /**
   * The same with other limits.
   *
   * @param others how much it takes in
   * @return a new reader
   */
  public ProblemReader withLimits(Limits others) {
    return new ProblemReader(others, flags, beside);
  }

  /**
   * The same with further members at the top, each true or false and false where missing. What a
   * text says of them is in {@link ProblemDocument#flags}.
   *
   * @param words the words of the members
   * @return a new reader
   */
  public ProblemReader withFlags(String... words) {
    return new ProblemReader(limits, List.of(words), beside);
  }

  /**
   * The same with a further member at the top, {@code changes}: what is supposed of the fleet, as
   * in {@link #readChanges}. It is in {@link ProblemDocument#supposed}.
   *
   * @return a new reader
   */
  public ProblemReader withChanges() {
    return new ProblemReader(limits, flags, Beside.CHANGES);
  }

  /**
   * The same with two further members at the top. {@code goal}, which must be there, is a text as
   * {@link PlanWords} understands it, or an object with {@code goal}, and {@code nodes} or {@code
   * level} and {@code domain}. {@code limits} is an object with {@code max_moves}, {@code
   * max_moved}, {@code pin}, {@code avoid} and {@code max_of_group}, each of which may be left out.
   * Both are in {@link ProblemDocument#plan}.
   *
   * @return a new reader
   */
  public ProblemReader withPlan() {
    return new ProblemReader(limits, flags, Beside.PLAN);
  }

  /**
   * The same with a further member at the top, {@code offers}, which must be there: kinds of nodes
   * that are offered, as in {@link #readOffers}. They are in {@link ProblemDocument#offers}.
   *
   * @return a new reader
   */
  public ProblemReader withOffers() {
    return new ProblemReader(limits, flags, Beside.OFFERS);
  }

  /**
   * The same with a further member at the top, {@code mix}, which must be there: an array of texts
   * as {@link MixWords} understands them, each shape once. It is in {@link ProblemDocument#mix}.
   *
   * @return a new reader
   */
  public ProblemReader withMix() {
    return new ProblemReader(limits, flags, Beside.MIX);
  }

  /**
   * Reads what is supposed of a fleet: an array, whose entries are texts as {@link
   * SuppositionWords} understands them, or objects with a {@code change} and what it is about.
   *
   * @param in JSON in UTF-8; read to its end where it is sound, and left open
   * @return what is supposed, in order
   * @throws ProblemFormatException if the text is no sound list of changes, or beyond the limits
   * @throws IOException if the bytes cannot be read
   */
  public List<Supposition> readChanges(InputStream in) throws IOException {
    return read(
        in,
        tokens -> {
          List<Supposition> supposed = new SuppositionParser(tokens, new Values(tokens)).read();
          if (tokens.next() != null) {
            throw tokens.stop(
                Fault.Kind.SYNTAX, "no JSON: something follows its end", "one array of changes");
          }
          tokens.finish();
          return supposed;
        });
  }

  /**
   * Reads kinds of nodes that are offered: an array, whose entries are objects with {@code name}
   * and {@code resources}, and where wanted {@code price} (1), {@code limit} (none) and {@code
   * domains}; or texts as {@link OfferWords} understands them.
   *
   * @param in JSON in UTF-8; read to its end where it is sound, and left open
   * @return the offers, in order
   * @throws ProblemFormatException if the text is no sound list of offers, or beyond the limits
   * @throws IOException if the bytes cannot be read
   */
  public List<Offer> readOffers(InputStream in) throws IOException {
    return read(in, tokens -> new OfferParser(tokens, new Values(tokens)).read());
  }

  /**
   * Reads a record of a decision, and checks it against its hashes.
   *
   * @param in JSON in UTF-8; read to its end where it is sound, and left open
   * @return the record, and where it was altered
   * @throws ProblemFormatException if the text is no sound record, or beyond the limits
   * @throws IOException if the bytes cannot be read
   */
  public RecordDocument readRecord(InputStream in) throws IOException {
    return read(in, tokens -> new RecordParser(tokens).read());
  }

  <T> T read(InputStream in, Function<Tokens, T> grammar) throws IOException {
    try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), new ProblemText(in))) {
      Tokens tokens = new Tokens(parser, limits);
      try {
        return grammar.apply(tokens);
      } catch (JacksonException thrown) {
        throw tokens.translated(thrown);
      }
    }
  }

  /**
   * Reads a problem.
   *
   * @param in JSON in UTF-8; read to its end where it is sound, and left open
   * @return the problem, and where its parts stand
   * @throws ProblemFormatException if the text is not a sound problem, or beyond the limits
   * @throws IOException if the bytes cannot be read
   */
  public ProblemDocument read(InputStream in) throws IOException {
    return read(in, tokens -> new ProblemParser(tokens, flags, beside).read());
  }

  /**
   * Reads a problem.
   *
   * @param text JSON in UTF-8
   * @return the problem, and where its parts stand
   * @throws ProblemFormatException if the text is not a sound problem, or beyond the limits
   */
  public ProblemDocument read(byte[] text) {
    try {
      return read(new ByteArrayInputStream(text));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
