package io.lighthouse.json.token;

import io.lighthouse.json.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The members of one object that were read so far, and where it began. A member comes once; two
 * words may mean the same member; and some members exclude each other. Not thread-safe.
 */
public final class ObjectMembers {
  private final Tokens tokens;
  private final Form form;

  /** By the number of a member: the word that it came with last, if only in an earlier object. */
  private final String[] words;

  /** The members of this object that came, as bits by number. */
  private long present;

  /** The words that came, in order, where some exclude others. */
  private final List<String> came = new ArrayList<>();

  /** By the number of the member: where it came; null where the form does not ask for it. */
  private final long[] positions;

  /** Where the object begins. */
  private long position;

  /** How many faults there were before. */
  private int faults;

  /**
   * Which members an object may have. Immutable and thread-safe.
   *
   * @param names the names, in order; the number of a member is its index here. They are few, so a
   *     search through them takes less time than a hash table
   * @param same by another word for a member: its name
   * @param beside by word: the words that may stand beside it; empty where all may
   * @param located whether the places of members are kept
   */
  public record Form(
      List<String> names,
      Map<String, String> same,
      Map<String, List<String>> beside,
      boolean located) {

    /** Refuses more members than there are bits for them. */
    public Form {
      if (names.size() > Long.SIZE) {
        throw new IllegalArgumentException("more than " + Long.SIZE + " members: " + names);
      }
    }

    /** Members that may all stand together. */
    public static Form of(List<String> names) {
      return new Form(names, Map.of(), Map.of(), true);
    }

    /** Members that may all stand together. */
    public static Form of(String... names) {
      return of(List.of(names));
    }

    /** A member that says what the object is, then those of any kind of object, each once. */
    public static Form ofKinds(String first, Collection<List<String>> kinds) {
      Set<String> names = new LinkedHashSet<>();
      names.add(first);
      kinds.forEach(names::addAll);
      return of(List.copyOf(names));
    }

    /** Members of which each may stand beside some others only. */
    public static Form exclusive(Map<String, List<String>> beside) {
      List<String> names = List.copyOf(beside.keySet());
      return new Form(names, Map.of(), beside, true);
    }

    /** The same for an object of which there are many, without the places of its members. */
    public Form unlocated() {
      return new Form(names, same, beside, false);
    }

    /** The same with another word for a member. */
    public Form same(String name, String word) {
      Map<String, String> more = new HashMap<>(same);
      more.put(word, name);
      return new Form(names, Map.copyOf(more), beside, located);
    }

    /** The same with more members. */
    public Form plus(List<String> more) {
      List<String> all = new ArrayList<>(names);
      all.addAll(more);
      return new Form(List.copyOf(all), same, beside, located);
    }

    /** The number of the member that a word means; negative for none. */
    private int number(String word) {
      int number = names.indexOf(word);
      return number >= 0 || same.isEmpty() ? number : names.indexOf(same.getOrDefault(word, word));
    }
  }

  /** For the objects of a form, one after the other; the first begins at the current token. */
  public ObjectMembers(Tokens tokens, Form form) {
    this.tokens = tokens;
    this.form = form;
    this.words = new String[form.names.size()];
    this.positions = form.located ? new long[words.length] : null;
    if (form.located) {
      begin();
    }
  }

  /** Begins an object; it is the current token. */
  public void begin() {
    present = 0;
    came.clear();
    position = tokens.position();
    faults = tokens.faultCount();
  }

  /**
   * The next member that may stand here; null at the end of the object. Others are noted and
   * stepped over.
   */
  public String next() {
    String word;
    do {
      word = tokens.nextName();
    } while (word != null && !takes(word));
    return word;
  }

  /** Whether a member may stand here; else that is noted, and the member stepped over. */
  public boolean takes(String word) {
    int number = number(word);
    if (number < 0) {
      tokens.unknownMember(form.names);
      return false;
    }
    if (came(number)) {
      String before = words[number];
      if (before.equals(word)) {
        tokens.wrongMember("given twice", "each key once");
      } else {
        tokens.wrongMember(
            "given beside '" + before + "', which is the same", "one of the two words");
      }
      return false;
    }
    if (!form.beside.isEmpty()) {
      if (excluded(word)) {
        return false;
      }
      came.add(word);
    }
    words[number] = word;
    present |= 1L << number;
    if (positions != null) {
      positions[number] = tokens.position();
    }
    return true;
  }

  /** The number of a word; the objects of a document have the same strings as their words. */
  private int number(String word) {
    for (int i = 0; i < words.length; i++) {
      if (words[i] == word) { // Identity is only a shortcut.
        return i;
      }
    }
    return form.number(word);
  }

  /** The number of a name that the form has. */
  private int known(String name) {
    int number = form.number(name);
    assert number >= 0 : name;
    return number;
  }

  private boolean came(int number) {
    return (present >>> number & 1) != 0;
  }

  private boolean excluded(String word) {
    List<String> allowed = form.beside.get(word);
    for (String other : came) {
      if (!allowed.contains(other)) {
        String rest = allowed.isEmpty() ? "no other field" : "only " + String.join(", ", allowed);
        tokens.wrongMember("given beside '" + other + "'", rest + " beside it");
        return true;
      }
    }
    return false;
  }

  /** Whether nothing is wrong with the object so far. */
  public boolean isSound() {
    return tokens.faultCount() == faults;
  }

  /** Where the object begins. */
  public long position() {
    return position;
  }

  /** The word that a member came with; null if it did not. */
  public String word(String name) {
    int number = known(name);
    return came(number) ? words[number] : null;
  }

  /** Whether a member came. */
  public boolean has(String name) {
    return came(known(name));
  }

  /** At the end of the object: notes that a member is missing, unless it came. */
  public void require(String name, String allowed) {
    if (!has(name)) {
      tokens.note(tokens.trail().name(name).at(position), "missing", allowed);
    }
  }

  /** The same, unless more is wrong with the object. */
  public void requireIfSound(String name, String allowed) {
    if (isSound()) {
      require(name, allowed);
    }
  }

  /**
   * At the end of the object: notes that what came makes no whole, unless one of these did or more
   * is wrong.
   */
  public void requireOneOf(String allowed, String... names) {
    if (!isSound() || Arrays.stream(names).anyMatch(this::has)) {
      return;
    }
    String without = String.join(", ", List.of(names).subList(0, names.length - 1));
    tokens.note(
        tokens.trail().at(position),
        "an object without " + without + " or " + names[names.length - 1],
        allowed);
  }

  /** At the end of the object: notes that the value of a member that came is wrong. */
  public void wrong(String name, String found, String allowed) {
    tokens.note(place(name), found, allowed);
  }

  /** At the end of the object: where a member that came stands. */
  public Place place(String name) {
    return tokens.trail().name(name).at(positions[known(name)]);
  }
}
