package io.lighthouse.api.error;

/** A number of things in a message. */
public final class Plural {
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
    if (thing.matches(".*[^aeiou]y")) {
      return count + " " + thing.substring(0, thing.length() - 1) + "ies";
    }
    return count + " " + thing + (thing.matches(".*(s|x|z|ch|sh)") ? "es" : "s");
  }
}
