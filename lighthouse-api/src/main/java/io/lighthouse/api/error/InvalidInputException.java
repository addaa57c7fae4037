package io.lighthouse.api.error;

import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A caller's mistake: the input is invalid. It is thrown before anything changes. It names the
 * thing, the field, the value found and what is allowed.
 */
public class InvalidInputException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Longest text of a found value that a message repeats, in characters. */
  private static final int LONGEST = 200;

  /** The thing that is wrong. */
  private final String subject;

  /** The same as a value; null if it is not a node, workload, domain or rule. */
  private final Thing thing;

  /** The field of it. */
  private final String field;

  /** The value found, shortened. */
  private final String found;

  /** What is allowed. */
  private final String allowed;

  /**
   * Makes the message {@code subject: field is found; allowed: ...}.
   *
   * @param subject the thing, such as {@code node 'n1'}
   * @param field its field, such as {@code resources.cpu}
   * @param found the value found; a long one is shortened
   * @param allowed what is allowed there
   */
  public InvalidInputException(String subject, String field, String found, String allowed) {
    this(subject, null, field, found, allowed);
  }

  /**
   * Makes the same message about a node, a workload, a domain or a rule.
   *
   * @param thing the thing
   * @param field its field, such as {@code resources.cpu}
   * @param found the value found; a long one is shortened
   * @param allowed what is allowed there
   */
  public InvalidInputException(Thing thing, String field, String found, String allowed) {
    this(thing.toString(), thing, field, found, allowed);
  }

  private InvalidInputException(
      String subject, Thing thing, String field, String found, String allowed) {
    super(subject + ": " + field + " is " + shortened(found) + "; allowed: " + allowed);
    this.subject = subject;
    this.thing = thing;
    this.field = field;
    this.found = shortened(found);
    this.allowed = allowed;
  }

  /**
   * The thing that is wrong.
   *
   * @return such as {@code node 'n1'}
   */
  public String subject() {
    return subject;
  }

  /**
   * The thing that is wrong, if it is one of those given to a distributor.
   *
   * @return a node, a workload, a domain or a rule; empty if it is something else or not known
   */
  public Optional<Thing> thing() {
    return Optional.ofNullable(thing);
  }

  /**
   * The field of the thing.
   *
   * @return such as {@code resources.cpu}
   */
  public String field() {
    return field;
  }

  /**
   * The value found there.
   *
   * @return its text, shortened if it is long
   */
  public String found() {
    return found;
  }

  /**
   * What is allowed there.
   *
   * @return a phrase
   */
  public String allowed() {
    return allowed;
  }

  /** The kinds of things that a mistake can be about. */
  public enum Kind {
    /** A node, by its name. */
    NODE,
    /** A workload, by its name. */
    WORKLOAD,
    /** A domain, by its level and name. */
    DOMAIN,
    /** A rule of a plug-in, by its name and settings. */
    RULE
  }

  /**
   * The thing that a mistake is about. Its text is the one used in messages, such as {@code node
   * 'n1'}.
   *
   * @param kind its kind
   * @param level the level of a domain; empty for other kinds
   * @param name its name
   * @param with the settings that are given to a rule, in their order. They are empty for other
   *     kinds, and where the settings do not matter
   */
  public record Thing(Kind kind, String level, String name, Map<String, String> with)
      implements Serializable {
    /** Copies. */
    public Thing {
      with = Collections.unmodifiableMap(new LinkedHashMap<>(with));
    }

    /**
     * A thing without settings.
     *
     * @param kind its kind
     * @param level the level of a domain; empty for other kinds
     * @param name its name
     */
    public Thing(Kind kind, String level, String name) {
      this(kind, level, name, Map.of());
    }

    /**
     * A node.
     *
     * @param name its name
     * @return the thing
     */
    public static Thing node(String name) {
      return new Thing(Kind.NODE, "", name);
    }

    /**
     * A workload.
     *
     * @param name its name
     * @return the thing
     */
    public static Thing workload(String name) {
      return new Thing(Kind.WORKLOAD, "", name);
    }

    /**
     * A domain.
     *
     * @param level its level
     * @param name its name
     * @return the thing
     */
    public static Thing domain(String level, String name) {
      return new Thing(Kind.DOMAIN, level, name);
    }

    /**
     * A rule of a plug-in, whatever its settings.
     *
     * @param name its name
     * @return the thing
     */
    public static Thing rule(String name) {
      return new Thing(Kind.RULE, "", name);
    }

    /**
     * A rule of a plug-in with some settings, which tell it from others of its name.
     *
     * @param name its name
     * @param with the settings that are given to it
     * @return the thing
     */
    public static Thing rule(String name, Map<String, String> with) {
      return new Thing(Kind.RULE, "", name, with);
    }

    @Override
    public String toString() {
      String text = kind.name().toLowerCase(Locale.ROOT) + " '" + name + "'";
      return kind == Kind.DOMAIN ? text + " of level '" + level + "'" : text;
    }
  }

  /**
   * Shortens a text for a message, as a value found is shortened.
   *
   * @param text the text
   * @return the same text, or its first 200 characters and how many it has
   */
  public static String shortened(String text) {
    if (text.length() <= LONGEST) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
    return text.substring(0, end) + "... (" + text.length() + " characters)";
  }
}
