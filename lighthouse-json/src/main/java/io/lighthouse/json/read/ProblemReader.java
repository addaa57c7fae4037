package io.lighthouse.json.read;

import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.json.Limits;
import io.lighthouse.json.MixWords;
import io.lighthouse.json.OfferWords;
import io.lighthouse.json.PlanWords;
import io.lighthouse.json.Problem;
import io.lighthouse.json.ProblemFormatException;
import io.lighthouse.json.SuppositionWords;
import io.lighthouse.json.problem.ParsedProblem;
import io.lighthouse.json.problem.ProblemParser;
import io.lighthouse.json.question.Questions;
import io.lighthouse.json.token.TextReader;
import io.lighthouse.json.token.Tokens;
import io.lighthouse.json.token.Values;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

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
  private static final ProblemReader STANDARD =
      new ProblemReader(
          new TextReader(Limits.STANDARD), List.of(), Questions.Sort.NONE, Optional.empty());

  private final TextReader reader;
  private final List<String> flags;
  private final Questions.Sort sort;

  /** The fleet that texts are about; empty where a text holds its fleet. */
  private final Optional<Problem> fleet;

  private ProblemReader(
      TextReader reader, List<String> flags, Questions.Sort sort, Optional<Problem> fleet) {
    this.reader = reader;
    this.flags = flags;
    this.sort = sort;
    this.fleet = fleet;
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
    return new ProblemReader(new TextReader(others), flags, sort, fleet);
  }

  /**
   * The same with further members at the top, each true or false and false where missing. What a
   * text says of them is in {@link ProblemDocument#flags}.
   *
   * @param words the words of the members
   * @return a new reader
   */
  public ProblemReader withFlags(String... words) {
    return new ProblemReader(reader, List.of(words), sort, fleet);
  }

  /**
   * The same with a further member at the top, {@code changes}: what is supposed of the fleet, as
   * in {@link #readChanges}. It is in {@link ProblemDocument#supposed}.
   *
   * @return a new reader
   */
  public ProblemReader withChanges() {
    return new ProblemReader(reader, flags, Questions.Sort.CHANGES, fleet);
  }

  /**
   * The same with two further members at the top. {@code goal} must be there. It is a text as
   * {@link PlanWords} understands it, or an object. The object has {@code goal}, and {@code nodes}
   * or {@code level} and {@code domain}. The member {@code limits} is an object with {@code
   * max_moves}, {@code max_moved}, {@code pin}, {@code avoid} and {@code max_of_group}, each of
   * which may be left out. Both are in {@link ProblemDocument#plan}.
   *
   * @return a new reader
   */
  public ProblemReader withPlan() {
    return new ProblemReader(reader, flags, Questions.Sort.PLAN, fleet);
  }

  /**
   * The same with a further member at the top, {@code offers}, which must be there: kinds of nodes
   * that are offered, as in {@link #readOffers}. They are in {@link ProblemDocument#offers}.
   *
   * @return a new reader
   */
  public ProblemReader withOffers() {
    return new ProblemReader(reader, flags, Questions.Sort.OFFERS, fleet);
  }

  /**
   * The same with a further member at the top, {@code mix}, which must be there: an array of texts
   * as {@link MixWords} understands them, each shape once. It is in {@link ProblemDocument#mix}.
   *
   * @return a new reader
   */
  public ProblemReader withMix() {
    return new ProblemReader(reader, flags, Questions.Sort.MIX, fleet);
  }

  /**
   * The same for texts about a fleet that is known. Such a text holds {@code workloads}, which may
   * be missing, and the further members of this reader. It holds nothing of the fleet.
   *
   * @param known the fleet, as a problem; the workloads of a text replace those to place
   * @return a new reader, whose documents have the whole problem
   */
  public ProblemReader on(Problem known) {
    return new ProblemReader(reader, flags, sort, Optional.of(known));
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
    return readQuestion(in, "an array of changes", Questions.Sort.CHANGES, Questions::supposed);
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
    return readQuestion(in, "an array of offers", Questions.Sort.OFFERS, Questions::offers);
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
    return reader.read(in, form().allowed(), this::read);
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

  private Supplier<ProblemDocument> read(Tokens tokens) {
    return read(tokens, form(), flags, sort, fleet);
  }

  private ProblemParser.Form form() {
    return fleet.isPresent() ? ProblemParser.Form.QUESTION : ProblemParser.Form.PROBLEM;
  }

  /** Reads a text of a form; what it answers makes the document. */
  static Supplier<ProblemDocument> read(
      Tokens tokens,
      ProblemParser.Form form,
      List<String> flags,
      Questions.Sort sort,
      Optional<Problem> fleet) {
    Values values = new Values(tokens);
    Questions questions = new Questions(tokens, values, sort);
    ProblemParser parser = new ProblemParser(tokens, values, form, flags, questions);
    fleet.ifPresent(parser::about);
    parser.read();
    return () -> {
      ParsedProblem parsed = parser.parsed();
      Problem read = parsed.problem();
      Problem problem = fleet.map(known -> known.withWorkloads(read.workloads())).orElse(read);
      return new ProblemDocument(problem, parsed, questions);
    };
  }

  /** Reads a text that is the value of a question's only member. */
  private <T> List<T> readQuestion(
      InputStream in, String what, Questions.Sort asked, Function<Questions, List<T>> answer)
      throws IOException {
    return reader.read(
        in,
        what,
        tokens -> {
          Questions questions = new Questions(tokens, new Values(tokens), asked);
          questions.readCurrent();
          return () -> answer.apply(questions);
        });
  }
}
