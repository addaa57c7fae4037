package io.lighthouse.api.error;

import java.util.regex.Pattern;

/** A number of things in a message. */
public final class Plural {
  private static final Pattern WITH_IES = Pattern.compile(".*[^aeiou]y");
  private static final Pattern WITH_ES = Pattern.compile(".*(s|x|z|ch|sh)");

  private Plural() {}

  /**
   * A number with its noun in the singular or the plural. Thread-safe.
   *
   * @param count the number
   * @param thing the singular of a noun with a regular plural, such as {@code node}, {@code entry}
   *     or {@code pass}; words before it stay as they are, such as {@code more node}
   * @return such as {@code 1 node}, {@code 2 nodes}, {@code 0 entries} and {@code 3 passes}
   */
  public static String of(long count, String thing) {
    if (count == 1) {
      return "1 " + thing;
    }
    if (WITH_IES.matcher(thing).matches()) {
      return count + " " + thing.substring(0, thing.length() - 1) + "ies";
    }
    return count + " " + thing + (WITH_ES.matcher(thing).matches() ? "es" : "s");
  }
}
