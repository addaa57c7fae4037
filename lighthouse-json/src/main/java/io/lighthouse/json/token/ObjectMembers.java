package io.lighthouse.json.token;

import java.util.Arrays;
import java.util.List;

/**
 * The members of one object that were read so far, and where it began. A member may be known by two
 * words, of which one may be used. Not thread-safe.
 */
public final class ObjectMembers {
  private final Tokens tokens;

  /** By the number of the member: the word it came with; null while it did not. */
  private final String[] words;

  /** Where the object begins. */
  private long position;

  public ObjectMembers(Tokens tokens, int members) {
    this.tokens = tokens;
    this.words = new String[members];
  }

  /** Begins an object; it is the current token. */
  public void begin() {
    Arrays.fill(words, null);
    position = tokens.position();
  }

  /** Whether a member comes for the first time; else that is noted, and the member stepped over. */
  public boolean first(int member, String word) {
    if (words[member] == null) {
      words[member] = word;
      return true;
    }
    if (words[member].equals(word)) {
      tokens.wrongMember("given twice", "each key once");
    } else {
      tokens.wrongMember(
          "given beside '" + words[member] + "', which is the same", "one of the two words");
    }
    return false;
  }

  /** Notes an unknown member, and steps over it. */
  public void unknown(List<String> known) {
    tokens.unknownMember(known);
  }

  /** The word that a member came with; null if it did not. */
  public String word(int member) {
    return words[member];
  }

  /** At the end of the object: notes a member that did not come. */
  public void require(int member, String word, String allowed) {
    if (words[member] == null) {
      tokens.note(tokens.trail().name(word).at(position), "missing", allowed);
    }
  }

  /** Where the object begins. */
  public long position() {
    return position;
  }
}
