package io.lighthouse.json.token;

import io.lighthouse.api.Names;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.Plural;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.json.Fault;
import io.lighthouse.json.Limits;
import io.lighthouse.json.Place;
import io.lighthouse.json.ProblemFormatException;
import io.lighthouse.json.Suggestion;
import io.lighthouse.json.SyntaxWords;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;

/**
 * The tokens of one text, and the faults found on the way. A fault of meaning is noted and reading
 * goes on behind the value; one of syntax or of a limit ends it. Not thread-safe.
 */
public final class Tokens {
  static final String NUMBER =
      "a JSON number, or 'inf', '+inf' or '-inf', of at most "
          + Quantity.MAX_DIGITS
          + " digits before and after the point";

  private static final String JSON = "JSON (RFC 8259) in UTF-8, and the bare tokens inf and -inf";

  private static final String FOLLOWS = "no JSON: something follows its end";

  /** How Python and others write an infinity. */
  private static final Pattern INFINITY = Pattern.compile("[+-]?Infinity");

  /** The quantity of an amount such as {@code cpu=8}. */
  private static final Pattern QUANTITY = Pattern.compile("=([^\\s,]+)");

  /** Each suggestion reads all known names, so a text with many unknown names gets only a few. */
  private static final int MAX_SUGGESTIONS = 5;

  private final JsonParser parser;
  private final Limits limits;
  private final List<Fault> faults = new ArrayList<>();

  /** Whether the current token is a number that is written as {@code Infinity}. */
  private boolean infinite;

  /** What stands before the end of the text, once it has been read; null until then. */
  private String whole;

  /** How often a name of this text was compared with names of a fleet. */
  private int suggestions;

  public Tokens(JsonParser parser, Limits limits) {
    this.parser = parser;
    this.limits = limits;
  }

  public Limits limits() {
    return limits;
  }

  /** How many faults there are so far. */
  public int faultCount() {
    return faults.size();
  }

  /** The next token; null at the end of the text. */
  public JsonToken next() {
    JsonToken token = parser.nextToken();
    if ((token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY)
        && parser.streamReadContext().getNestingDepth() > limits.depth()) {
      throw stop(
          Fault.Kind.LIMIT, "deeper than that", "at most " + Plural.of(limits.depth(), "level"));
    }
    infinite = token == JsonToken.VALUE_NUMBER_FLOAT && parser.isNaN();
    if (infinite && !INFINITY.matcher(parser.getString()).matches()) {
      throw stop(Fault.Kind.SYNTAX, parser.getString(), NUMBER);
    }
    return token;
  }

  /** The token read last. */
  public JsonToken current() {
    return parser.currentToken();
  }

  /** The name of the next member of this object; null at its end. */
  public String nextName() {
    String name = parser.nextName();
    if (name == null) {
      return null;
    }
    if (ProblemText.standsForBareToken(name)) {
      Trail object = new Trail();
      walk(object, parser.streamReadContext().getParent());
      throw stop(
          Fault.Kind.SYNTAX,
          object.at(position()),
          "no JSON: a name in it is a bare token",
          "a name in quotes");
    }
    return name;
  }

  /** Whether the current token is a text; a bare {@code inf} or {@code -inf} is none. */
  public boolean isText() {
    return current() == JsonToken.VALUE_STRING && bareToken(string()) == null;
  }

  /** The text of the current string. */
  public String string() {
    return parser.getString();
  }

  /**
   * The bare {@code inf} or {@code -inf} that the current token is; null if it is none. The text is
   * that of {@link #string}.
   */
  String bareToken(String text) {
    if (!ProblemText.standsForBareToken(text)) {
      return null;
    }
    long length =
        parser.currentLocation().getCharOffset() - parser.currentTokenLocation().getCharOffset();
    return ProblemText.bareToken(text, length);
  }

  /** The infinity that the current token is where it is written as a number; null elsewhere. */
  Quantity infinity() {
    if (!infinite) {
      return null;
    }
    return parser.getString().startsWith("-") ? Quantity.NEGATIVE_INFINITY : Quantity.INFINITY;
  }

  /**
   * The characters of the current number, from {@link #numberStart}, {@link #numberLength} long.
   */
  char[] numberCharacters() {
    return parser.getStringCharacters();
  }

  int numberStart() {
    return parser.getStringOffset();
  }

  int numberLength() {
    return parser.getStringLength();
  }

  /** Where the current token begins: the line in the upper half, the column in the lower. */
  public long position() {
    return position(parser.currentTokenLocation());
  }

  /** The way to the current token. */
  public Trail trail() {
    Trail trail = new Trail();
    walk(trail, parser.streamReadContext());
    return trail;
  }

  /** Steps over the rest of the current value. */
  public void skip() {
    int open = 0;
    do {
      JsonToken token = parser.currentToken();
      if (token.isStructStart()) {
        open++;
      } else if (token.isStructEnd()) {
        open--;
      }
    } while (open > 0 && next() != null);
  }

  /** The current token, for a message. */
  String found() {
    JsonToken token = parser.currentToken();
    if (token == null) {
      return "missing";
    }
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case VALUE_STRING -> {
        String text = parser.getString();
        String bare = bareToken(text);
        yield bare != null ? bare : "'" + text + "'";
      }
      default -> parser.getString();
    };
  }

  /** Notes that the current value is wrong, and steps over it. */
  public void wrong(String allowed) {
    wrong(found(), allowed);
  }

  /** Notes that the current value is wrong, and steps over it. */
  public void wrong(String found, String allowed) {
    note(trail().at(position()), found, allowed);
    skip();
  }

  /** Notes that the member whose name is current should not be here, and steps over it. */
  public void wrongMember(String found, String allowed) {
    wrongMember(Fault.Kind.MEANING, found, allowed);
  }

  private void wrongMember(Fault.Kind kind, String found, String allowed) {
    note(faults.size(), new Fault(kind, trail().at(position()), found, allowed));
    next();
    skip();
  }

  /** Notes that the member whose name is current is not known, and steps over it. */
  void unknownMember(List<String> known) {
    String meant = Suggestion.question(parser.currentName(), known);
    wrongMember(
        Fault.Kind.UNKNOWN_MEMBER,
        "an unknown field",
        "the fields " + String.join(", ", known) + meant);
  }

  /**
   * The name that was probably meant, as {@link Suggestion#question} returns it; empty for all but
   * the first names of a text.
   */
  public String suggestion(String typed, Collection<String> known) {
    return suggestions++ < MAX_SUGGESTIONS ? Suggestion.question(typed, known) : "";
  }

  /** Notes a fault of meaning at a place. */
  public void note(Place place, String found, String allowed) {
    note(faults.size(), place, found, allowed);
  }

  /** Notes a fault of meaning that was found later, in its place among the others. */
  public void note(int index, Place place, String found, String allowed) {
    note(index, new Fault(Fault.Kind.MEANING, place, found, allowed));
  }

  private void note(int index, Fault fault) {
    faults.add(index, fault);
    if (faults.size() >= limits.faults()) {
      throw new ProblemFormatException(faults);
    }
  }

  /** Ends the reading at the current token. */
  public ProblemFormatException stop(Fault.Kind kind, String found, String allowed) {
    return stop(kind, position(), found, allowed);
  }

  /** Ends the reading where the current text or number has more characters than the limit. */
  public void requireLength(int length, int most) {
    if (length > most) {
      throw stop(
          Fault.Kind.LIMIT, length + " characters long", "at most " + Plural.of(most, "character"));
    }
  }

  /** Ends the reading where a name in the current text is longer than the limit. */
  public void requireNameLength(String name) {
    requireLength(name.length(), limits.nameLength());
  }

  /**
   * Ends the reading where a name or a number of amounts in the current text is longer than the
   * limit.
   *
   * @param text the amounts, such as {@code cpu=8,mem=32}
   */
  public void requireAmountLengths(Resources amounts, String text) {
    amounts.names().forEach(this::requireNameLength);
    Matcher quantity = QUANTITY.matcher(text);
    while (quantity.find()) {
      requireLength(quantity.group(1).length(), limits.numberLength());
    }
  }

  /**
   * Ends the reading where a name or a number of a node in the current text is longer than the
   * limit.
   *
   * @param text ends with the amounts, or with {@code in} and the domains behind them
   */
  public void requireNodeLengths(Node node, String text) {
    requireNameLength(node.name());
    requireAmountLengths(node.resources(), text.split("\\s+in\\s+", 2)[0]);
    node.domains()
        .forEach(
            (level, domain) -> {
              requireNameLength(level);
              requireNameLength(domain);
            });
  }

  /** Lets a name or another text pass, or notes what is wrong with it and answers null. */
  public String requireName(String name) {
    requireNameLength(name);
    return requireText(name);
  }

  /** Lets a text of whatever length pass, or notes what is wrong with it and answers null. */
  public String requireText(String name) {
    if (current() == JsonToken.VALUE_STRING && bareToken(name) != null) {
      wrong("a text in quotes");
      return null;
    }
    try {
      return Names.require(name, "", "");
    } catch (InvalidInputException wrong) {
      wrong(wrong.found(), wrong.allowed());
      return null;
    }
  }

  /** Reads the whole text, as {@link TextReader#read} does. */
  <T> T whole(String what, Function<Tokens, Supplier<T>> grammar) {
    if (next() == null) {
      throw stop(Fault.Kind.SYNTAX, "empty", what);
    }
    Supplier<T> value = grammar.apply(this);
    whole = what;
    if (next() != null) {
      throw stop(Fault.Kind.SYNTAX, FOLLOWS, "nothing behind " + what);
    }
    finish();
    T made = value.get();
    finish();
    return made;
  }

  /** Steps into the current array, if it is one; else notes what is wrong. */
  public boolean isArray(String allowed) {
    return is(JsonToken.START_ARRAY, allowed);
  }

  /** Steps into the current object, if it is one; else notes what is wrong. */
  public boolean isObject(String allowed) {
    return is(JsonToken.START_OBJECT, allowed);
  }

  private boolean is(JsonToken token, String allowed) {
    if (parser.currentToken() == token) {
      return true;
    }
    wrong(allowed);
    return false;
  }

  /** At the end of the text: throws what was found. */
  public void finish() {
    if (!faults.isEmpty()) {
      throw new ProblemFormatException(faults);
    }
  }

  /** What the parser throws, in our words; the bytes' own trouble as it is. */
  ProblemFormatException translated(JacksonException thrown) throws IOException {
    long here = position(parser.currentLocation());
    if (thrown instanceof JacksonIOException) {
      if (thrown.getCause() instanceof CharacterCodingException) {
        return stop(Fault.Kind.SYNTAX, here, "no UTF-8", JSON);
      }
      throw (IOException) thrown.getCause();
    }
    if (thrown instanceof StreamConstraintsException) {
      int most = Math.max(limits.nameLength(), limits.numberLength());
      return stop(
          Fault.Kind.LIMIT,
          position(),
          "a text or number of more than " + Plural.of(most, "character"),
          "a name of at most "
              + limits.nameLength()
              + " and a number of at most "
              + Plural.of(limits.numberLength(), "character"));
    }
    long position = thrown.getLocation() == null ? here : position(thrown.getLocation());
    if (whole != null) {
      return stop(Fault.Kind.SYNTAX, position, FOLLOWS, "nothing behind " + whole);
    }
    return stop(
        Fault.Kind.SYNTAX,
        position,
        "no JSON: "
            + SyntaxWords.of(
                thrown.getOriginalMessage(),
                parser.streamReadContext().inRoot(),
                parser.streamReadContext().inArray()),
        JSON);
  }

  /** The text is of another sort than the one that is to be read. */
  public ProblemFormatException wrongSort(String found, String allowed) {
    Place top = new Trail().at(position());
    return new ProblemFormatException(List.of(new Fault(Fault.Kind.MEANING, top, found, allowed)));
  }

  private ProblemFormatException stop(
      Fault.Kind kind, long position, String found, String allowed) {
    return stop(kind, trail().at(position), found, allowed);
  }

  private static ProblemFormatException stop(
      Fault.Kind kind, Place place, String found, String allowed) {
    return new ProblemFormatException(List.of(new Fault(kind, place, found, allowed)));
  }

  private static long position(TokenStreamLocation location) {
    return (long) Math.max(location.getLineNr(), 1) << Integer.SIZE
        | Math.max(location.getColumnNr(), 1);
  }

  private static void walk(Trail trail, TokenStreamContext context) {
    if (context == null || context.inRoot()) {
      return;
    }
    walk(trail, context.getParent());
    if (context.inArray() && context.hasCurrentIndex()) {
      trail.index(context.getCurrentIndex());
    } else if (context.inObject() && context.hasCurrentName()) {
      trail.name(context.currentName());
    }
  }
}
