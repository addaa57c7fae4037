package io.lighthouse.json.token;

import io.lighthouse.json.Place;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The members of one object of which only some may stand together, as far as they were read. Not
 * thread-safe.
 */
public final class Exclusive {
  private final Tokens tokens;

  /** By word: the words that may stand beside it. */
  private final Map<String, List<String>> beside;

  /** The words that came, and where. */
  private final Map<String, Long> came = new LinkedHashMap<>();

  /** Where the object begins. */
  private final long position;

  /** How many faults there were before. */
  private final int faults;

  /** Begins an object; it is the current token. */
  public Exclusive(Tokens tokens, Map<String, List<String>> beside) {
    this.tokens = tokens;
    this.beside = beside;
    this.position = tokens.position();
    this.faults = tokens.faultCount();
  }

  /** Begins an object whose words may all stand together; it is the current token. */
  public Exclusive(Tokens tokens, List<String> together) {
    this(tokens, new LinkedHashMap<>());
    together.forEach(word -> beside.put(word, together));
  }

  /** Whether a member may stand here; else that is noted, and the member stepped over. */
  public boolean takes(String word) {
    List<String> allowed = beside.get(word);
    if (allowed == null) {
      tokens.unknownMember(List.copyOf(beside.keySet()));
      return false;
    }
    if (came.containsKey(word)) {
      tokens.wrongMember("given twice", "each key once");
      return false;
    }
    for (String other : came.keySet()) {
      if (!allowed.contains(other)) {
        String rest = allowed.isEmpty() ? "no other field" : "only " + String.join(", ", allowed);
        tokens.wrongMember("given beside '" + other + "'", rest + " beside it");
        return false;
      }
    }
    came.put(word, tokens.position());
    return true;
  }

  /** Where the object begins. */
  public long position() {
    return position;
  }

  /** Whether a member came. */
  public boolean has(String word) {
    return came.containsKey(word);
  }

  /** At the end of the object: notes that a member is missing, unless it came or more is wrong. */
  public void require(String word, String allowed) {
    if (!has(word) && tokens.faultCount() == faults) {
      tokens.note(tokens.trail().name(word).at(position), "missing", allowed);
    }
  }

  /**
   * At the end of the object: notes that what came makes no whole, unless one of these did or more
   * is wrong.
   */
  public void requireOneOf(String allowed, String... words) {
    if (tokens.faultCount() > faults) {
      return;
    }
    for (String word : words) {
      if (has(word)) {
        return;
      }
    }
    String without = String.join(", ", List.of(words).subList(0, words.length - 1));
    tokens.note(
        tokens.trail().at(position),
        "an object without " + without + " or " + words[words.length - 1],
        allowed);
  }

  /** At the end of the object: notes that the value of a member that came is wrong. */
  public void wrong(String word, String found, String allowed) {
    tokens.note(place(word), found, allowed);
  }

  /** At the end of the object: where a member that came stands. */
  public Place place(String word) {
    return tokens.trail().name(word).at(came.get(word));
  }
}
