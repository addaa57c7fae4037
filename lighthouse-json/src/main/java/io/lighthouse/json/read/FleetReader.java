package io.lighthouse.json.read;

import io.lighthouse.api.Change;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.json.Limits;
import io.lighthouse.json.PlacedWorkload;
import io.lighthouse.json.ProblemFormatException;
import io.lighthouse.json.WantedMoves;
import io.lighthouse.json.WantedPlan;
import io.lighthouse.json.problem.DomainParser;
import io.lighthouse.json.problem.Positions;
import io.lighthouse.json.problem.ProblemParser;
import io.lighthouse.json.problem.WorkloadParser;
import io.lighthouse.json.question.Questions;
import io.lighthouse.json.question.WantedPlanParser;
import io.lighthouse.json.token.ObjectMembers;
import io.lighthouse.json.token.TextReader;
import io.lighthouse.json.token.Tokens;
import io.lighthouse.json.token.Values;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import tools.jackson.core.JsonToken;

/**
 * Reads the bodies of calls on a durable fleet: parts of the problem format, with the same words
 * and as strict. Immutable and thread-safe.
 *
 * <p>Every method reads a sound text to its end, and leaves it open. It throws {@link
 * ProblemFormatException} where the text is not sound or beyond the limits. It throws {@link
 * IOException} where the bytes cannot be read.
 */
public final class FleetReader {
  private static final ObjectMembers.Form MOVES_FORM =
      ObjectMembers.Form.of(List.of("generation", "cordon", "moves", "stuck"));

  private final TextReader reader;

  /**
   * A reader within limits.
   *
   * @param limits how much it takes in
   */
  public FleetReader(Limits limits) {
    reader = new TextReader(limits);
  }

  /**
   * Reads a fleet: a problem without workloads to place.
   *
   * @param in JSON in UTF-8
   * @return the fleet, as a problem without workloads, and where its parts stand
   * @throws IOException if the bytes cannot be read
   */
  public ProblemDocument fleet(InputStream in) throws IOException {
    return document(in, ProblemParser.Form.FLEET, List.of());
  }

  /**
   * Reads a batch: an object with {@code workloads}, and flags.
   *
   * @param in JSON in UTF-8
   * @param flags further members, each true or false, and false where missing
   * @return the batch, as a problem without nodes, and where its parts stand
   * @throws IOException if the bytes cannot be read
   */
  public ProblemDocument batch(InputStream in, String... flags) throws IOException {
    return document(in, ProblemParser.Form.BATCH, List.of(flags));
  }

  /**
   * Reads a node: an object with {@code resources}, which are its capacity, and where wanted {@code
   * cordoned} and {@code domains}.
   *
   * @param in JSON in UTF-8
   * @param name the name of the node, which the text does not say
   * @return the node, without workloads
   * @throws IOException if the bytes cannot be read
   */
  public Node node(InputStream in, String name) throws IOException {
    return whole(
        in,
        tokens -> {
          tokens.requireNameLength(name);
          return new ProblemParser(tokens, ProblemParser.Form.FLEET, List.of()).readNode(name);
        });
  }

  /**
   * Reads a workload: an object as in a batch, but without a name and replicas, and with {@code
   * node} where it is to come to a certain one.
   *
   * @param in JSON in UTF-8
   * @param name the name of the workload, which the text does not say
   * @return the workload, and its node where the text names one
   * @throws IOException if the bytes cannot be read
   */
  public PlacedWorkload workload(InputStream in, String name) throws IOException {
    return whole(
        in,
        tokens -> {
          tokens.requireNameLength(name);
          return new WorkloadParser(tokens, new Values(tokens), new Positions()).readWanted(name);
        });
  }

  /**
   * Reads a domain: an object with {@code resources}, which are its capacity, and where wanted
   * {@code cordoned}.
   *
   * @param in JSON in UTF-8
   * @param level the level of the domain, which the text does not say
   * @param name the name of the domain, which the text does not say
   * @return the domain
   * @throws IOException if the bytes cannot be read
   */
  public Domain domain(InputStream in, String level, String name) throws IOException {
    return whole(
        in,
        tokens -> {
          tokens.requireNameLength(level);
          tokens.requireNameLength(name);
          return new DomainParser(tokens, new Values(tokens), new Positions())
              .readNamed(level, name);
        });
  }

  /**
   * Reads names: an object with one member, an array of them. A repeated one counts once.
   *
   * @param in JSON in UTF-8
   * @param member the member
   * @return the names, in the order of names
   * @throws IOException if the bytes cannot be read
   */
  public List<String> names(InputStream in, String member) throws IOException {
    return only(
        in, member, "an array of names of " + member, List.of(), values -> orNone(values, member));
  }

  /**
   * Reads moves, as a plan has them: an object with {@code moves}, each with {@code workload},
   * {@code from} and {@code to}, and where wanted {@code generation}, {@code cordon} and {@code
   * stuck}; the last is of no account.
   *
   * @param in JSON in UTF-8
   * @return the moves
   * @throws IOException if the bytes cannot be read
   */
  public WantedMoves moves(InputStream in) throws IOException {
    return whole(in, tokens -> tokens.isObject("an object with moves") ? moves(tokens) : null);
  }

  private static WantedMoves moves(Tokens tokens) {
    Values values = new Values(tokens);
    ObjectMembers object = new ObjectMembers(tokens, MOVES_FORM);
    OptionalLong generation = OptionalLong.empty();
    List<String> cordon = List.of();
    List<Change.Move> moves = new ArrayList<>();
    String word;
    while ((word = object.next()) != null) {
      switch (word) {
        case "generation" -> generation = OptionalLong.of(values.generation());
        case "cordon" -> cordon = orNone(values, "nodes");
        case "moves" -> moves(tokens, values, moves);
        default -> values.names("nodes");
      }
    }
    object.requireIfSound("moves", "an array of moves");
    return new WantedMoves(generation, cordon, moves);
  }

  private static void moves(Tokens tokens, Values values, List<Change.Move> into) {
    tokens.next();
    if (!tokens.isArray("an array of moves")) {
      return;
    }
    List<String> members = List.of("workload", "from", "to");
    while (tokens.next() != JsonToken.END_ARRAY) {
      if (!tokens.isObject("an object with workload, from and to")) {
        continue;
      }
      values.checkEntries(into.size() + 1);
      ObjectMembers object = new ObjectMembers(tokens, ObjectMembers.Form.of(members));
      String[] names = new String[members.size()];
      String word;
      while ((word = object.next()) != null) {
        names[members.indexOf(word)] = values.ownName("a name");
      }
      members.forEach(member -> object.requireIfSound(member, "a name"));
      if (object.isSound()) {
        into.add(new Change.Move(names[0], names[1], names[2]));
      }
    }
  }

  /**
   * Reads a plan that is to be carried out: an object with {@code generation} and {@code waves}, as
   * an answer has them. Where the plan places new workloads, they are in {@code workloads}. The
   * further members of an answer may be there, and change nothing.
   *
   * @param in JSON in UTF-8
   * @return the plan
   * @throws IOException if the bytes cannot be read
   */
  public WantedPlan plan(InputStream in) throws IOException {
    return reader.read(
        in,
        "an object with generation and waves",
        tokens -> {
          Values values = new Values(tokens);
          WantedPlanParser plan = new WantedPlanParser(tokens, values);
          ProblemParser.Form form = ProblemParser.Form.QUESTION;
          ProblemParser parser = new ProblemParser(tokens, values, form, List.of(), plan).read();
          return () -> plan.plan(parser.parsed().problem().workloads());
        });
  }

  /**
   * Reads a flag: an object with one member, true or false.
   *
   * @param in JSON in UTF-8
   * @param member the member
   * @return its value
   * @throws IOException if the bytes cannot be read
   */
  public boolean flag(InputStream in, String member) throws IOException {
    return only(in, member, "true or false", false, Values::flag);
  }

  /** Reads an object with one member. */
  private <T> T only(
      InputStream in, String member, String allowed, T none, Function<Values, T> value)
      throws IOException {
    return whole(
        in,
        tokens -> {
          T read = none;
          if (tokens.isObject("an object with " + member)) {
            Values values = new Values(tokens);
            ObjectMembers object =
                new ObjectMembers(tokens, ObjectMembers.Form.of(List.of(member)));
            String word;
            while ((word = object.next()) != null) {
              read = value.apply(values);
            }
            object.requireIfSound(member, allowed);
          }
          return read;
        });
  }

  private static List<String> orNone(Values values, String kind) {
    var names = values.names(kind);
    return names == null ? List.of() : List.copyOf(names);
  }

  private ProblemDocument document(InputStream in, ProblemParser.Form form, List<String> flags)
      throws IOException {
    return reader.read(
        in,
        form.allowed(),
        tokens -> ProblemReader.read(tokens, form, flags, Questions.Sort.NONE, Optional.empty()));
  }

  private <T> T whole(InputStream in, Function<Tokens, T> grammar) throws IOException {
    return reader.read(
        in,
        "one JSON value",
        tokens -> {
          T value = grammar.apply(tokens);
          return () -> value;
        });
  }
}
