package io.lighthouse.json;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The words for strategies that the documented HTTP call has beside their names: {@code
 * Prioritized}, {@code RoundRobin} and {@code BinPack}. Files and requests may use either.
 */
public final class StrategyWords {
  /** The word for {@code bin-pack}. */
  public static final String BIN_PACK = "BinPack";

  private static final Map<String, String> NAMES = names();

  private StrategyWords() {}

  /**
   * The name of the strategy that is meant.
   *
   * @param word one of the words, or a name
   * @return the name; the word itself where it is none of these words
   */
  public static String nameOf(String word) {
    return NAMES.getOrDefault(word, word);
  }

  /**
   * All of the words.
   *
   * @return names by word, in the order of the documentation; unmodifiable
   */
  public static Map<String, String> all() {
    return NAMES;
  }

  private static Map<String, String> names() {
    Map<String, String> names = new LinkedHashMap<>();
    names.put("Prioritized", "prioritized");
    names.put("RoundRobin", "round-robin");
    names.put(BIN_PACK, "bin-pack");
    return Collections.unmodifiableMap(names);
  }
}
