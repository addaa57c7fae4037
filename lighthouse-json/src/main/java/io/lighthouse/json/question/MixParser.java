package io.lighthouse.json.question;

import io.lighthouse.api.advice.Headroom;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.json.MixWords;
import io.lighthouse.json.token.Tokens;
import io.lighthouse.json.token.Values;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JsonToken;

/** Reads a mix: a list of texts as {@link MixWords} understands them. For one use. */
final class MixParser {
  private static final String A_LIST = "an array of texts such as '3 x cpu=1,mem=4'";

  private final Tokens tokens;
  private final Values values;

  /** Gets the position of each entry. */
  private final List<Long> positions;

  private final Set<String> names = new HashSet<>();

  MixParser(Tokens tokens, Values values, List<Long> positions) {
    this.tokens = tokens;
    this.values = values;
    this.positions = positions;
  }

  /** Reads the list from the current token; each shape stands in it once. */
  List<Headroom.Part> read() {
    List<Headroom.Part> mix = new ArrayList<>();
    if (tokens.isArray(A_LIST)) {
      while (tokens.next() != JsonToken.END_ARRAY) {
        values.checkEntries(mix.size() + 1);
        positions.add(tokens.position());
        if (tokens.isText()) {
          part(mix);
        } else {
          tokens.wrong("a text such as '3 x cpu=1,mem=4'");
        }
      }
    }
    return mix;
  }

  private void part(List<Headroom.Part> mix) {
    Headroom.Part part;
    try {
      part = MixWords.parse(tokens.string());
    } catch (InvalidInputException wrong) {
      tokens.wrong(wrong.found(), wrong.allowed());
      return;
    }
    tokens.requireAmountLengths(part.shape().requirements(), tokens.string());
    String name = part.shape().name();
    if (!names.add(name)) {
      tokens.wrong("'" + name + "', given before", "each shape once, as in '2 x cpu=1'");
      return;
    }
    mix.add(part);
  }
}
