package io.lighthouse.json;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Headroom;
import io.lighthouse.api.error.InvalidInputException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a mix, in words that a person types: {@code cpu=1,mem=4}, or {@code 3 x cpu=1,mem=4}
 * for three in a round. What one requires is also the name of its shape.
 */
public final class MixWords {
  /**
   * A number before an {@code x}, and what begins as a number and has a blank before the {@code x},
   * is meant as a number of copies. Another word before an {@code x} is a part of a resource's
   * name.
   */
  private static final Pattern MANY =
      Pattern.compile(
          "([-+]?\\.?[0-9][.0-9]*(?:[eE][-+]?[0-9]+)?|[-+.0-9][^\\s=,]*(?=\\s))\\s*x\\s+(.*)");

  private MixWords() {}

  /**
   * Understands a part.
   *
   * @param text the words
   * @return the part
   * @throws InvalidInputException if they are none
   */
  public static Headroom.Part parse(String text) {
    String words = text.strip();
    Matcher many = MANY.matcher(words);
    int copies = 1;
    if (many.matches()) {
      String number = many.group(1);
      if (!number.matches("[1-9][0-9]{0,5}")) {
        throw new InvalidInputException(
            "shape", "copies", "'" + number + "'", "a whole number from 1 to 999999");
      }
      copies = Integer.parseInt(number);
    }
    String amounts = many.matches() ? many.group(2) : words;
    Optional<Resources> required = SuppositionWords.amounts("requirements.", amounts);
    if (required.isEmpty()) {
      throw new InvalidInputException("shape", "text", "'" + text + "'", "[N x ]cpu=1,mem=4");
    }
    return new Headroom.Part(Workload.of(amounts, required.get()), copies);
  }
}
