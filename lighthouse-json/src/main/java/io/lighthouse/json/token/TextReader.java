package io.lighthouse.json.token;

import io.lighthouse.json.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/** Opens texts within limits, and has a grammar read their tokens. Immutable and thread-safe. */
public final class TextReader {
  /** The words of the format are no names; the limits are not for them. */
  private static final int LONGEST_WORD = 64;

  private final Limits limits;
  private final JsonFactory factory;

  /** A reader that takes in as much as the limits say. */
  public TextReader(Limits limits) {
    this.limits = limits;
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
   * Reads a text that is one value and nothing more.
   *
   * @param in JSON in UTF-8; left open
   * @param what what the text is to be, for a message
   * @param grammar reads the value, whose first token is current; what it answers is made when the
   *     end of the text has been seen and nothing is wrong so far
   * @throws io.lighthouse.json.ProblemFormatException with all that is wrong
   */
  public <T> T read(InputStream in, String what, Function<Tokens, Supplier<T>> grammar)
      throws IOException {
    try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), new ProblemText(in))) {
      Tokens tokens = new Tokens(parser, limits);
      try {
        return tokens.whole(what, grammar);
      } catch (JacksonException thrown) {
        throw tokens.translated(thrown);
      }
    }
  }
}
